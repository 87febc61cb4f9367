import ChatWire
import Foundation
import GRDB

extension ChatRelay {
    nonisolated func addRoutes(to routes: inout BackendRoutes) {
        routes.add("POST /v1/messages") { [self] request, user in
            let body: SendMessageBody = try request.decoded()
            let caller = request.caller(user)
            return try .json(try await transact { try $0.send(body, from: caller) }, status: 201)
        }
        routes.add("POST /v1/messages/batch") { [self] request, user in
            let body: SendBatchBody = try request.decoded()
            guard (1...SendBatchBody.limit).contains(body.messages.count) else {
                throw BackendRefusal(413, "a batch has 1 to \(SendBatchBody.limit) messages")
            }
            let caller = request.caller(user)
            let sent = try await transact { writer in try body.messages.map { try writer.send($0, from: caller) } }
            return try .json(SentBatch(messages: sent), status: 201)
        }
        routes.add("GET /v1/messages") { [self] request, user in
            guard let place = Int64(request.query["lastSyncedMessage"] ?? "0"), place >= 0 else {
                throw BackendRefusal(400, "lastSyncedMessage is an id")
            }
            guard let limit = Int(request.query["limit"] ?? "100"), (1...1_000).contains(limit) else {
                throw BackendRefusal(400, "limit is a number from 1 to 1000")
            }
            let caller = request.caller(user)
            return try .json(try await transact { try $0.sync(caller, after: place, limit: limit) })
        }
        routes.add("POST /v1/receipts") { [self] request, user in
            let body: ReceiptsBody = try request.decoded()
            guard body.receipts.count <= 1_000 else { throw BackendRefusal(413, "too many receipts") }
            let caller = request.caller(user)
            try await transact { try $0.take(body.receipts, from: caller) }
            return BackendResponse(status: 204)
        }
        routes.add("PATCH /v1/messages/:id") { [self] request, user in
            let body: EditMessageBody = try request.decoded()
            let (id, caller) = (try request.id("id"), request.caller(user))
            return try .json(
                try await transact { writer in
                    try writer.change(id, requestId: body.requestId, content: body.content, by: caller)
                })
        }
        routes.add("DELETE /v1/messages/:id") { [self] request, user in
            let (id, caller) = (try request.id("id"), request.caller(user))
            switch request.query["scope"] {
            case "me":
                try await transact { try $0.dropWaiting(id, for: caller) }
                return BackendResponse(status: 204)
            case "both":
                guard let requestId = request.query["requestId"] else {
                    throw BackendRefusal(400, "a requestId is missing")
                }
                return try .json(
                    try await transact { try $0.change(id, requestId: requestId, content: nil, by: caller) })
            default: throw BackendRefusal(400, "scope is me or both")
            }
        }
        addGroupRoutes(to: &routes)
        addStreamRoutes(to: &routes)
        routes.add("GET /v1/contacts") { [self] _, user in try .json(try await everybody(but: user.id)) }
        routes.add("PUT /v1/devices") { [self] request, user in
            let body: DeviceBody = try request.decoded()
            let caller = request.caller(user)
            try await transact { try $0.setDevice(body, of: caller) }
            return BackendResponse(status: 204)
        }
        routes.add("DELETE /v1/devices/:id") { [self] request, user in
            let (id, caller) = (request.parameters["id"] ?? "", request.caller(user))
            try await transact { try $0.removeDevice(id, of: caller) }
            return BackendResponse(status: 204)
        }
        routes.add("GET /v1/socket/updates") { [self] request, user in
            .webSocket(
                ChatSocketHandler(
                    relay: self, caller: request.caller(user), silenceLimit: configuration.silenceLimit))
        }
    }

    private nonisolated func addGroupRoutes(to routes: inout BackendRoutes) {
        routes.add("POST /v1/groups") { [self] request, user in
            let (body, caller): (NewGroupBody, _) = (try request.decoded(), request.caller(user))
            return try .json(try await transact { try $0.makeGroup(body, by: caller) }, status: 201)
        }
        routes.add("GET /v1/groups") { [self] _, user in
            try .json(try await transact { try $0.groups(of: user.id) })
        }
        routes.add("PATCH /v1/groups/:id") { [self] request, user in
            let (body, caller): (GroupTitleBody, _) = (try request.decoded(), request.caller(user))
            let id = try request.id("id")
            return try .json(try await transact { try $0.rename(id, to: body.title, by: caller) })
        }
        routes.add("PUT /v1/groups/:id/members/:user") { [self] request, user in
            let (body, caller): (GroupRoleBody, _) = (try request.decoded(), request.caller(user))
            let (id, member) = (try request.id("id"), try request.id("user"))
            return try .json(try await transact { try $0.setRole(body.role, of: member, in: id, by: caller) })
        }
        routes.add("DELETE /v1/groups/:id/members/:user") { [self] request, user in
            let (id, member, caller) = (try request.id("id"), try request.id("user"), request.caller(user))
            return try .json(try await transact { try $0.remove(member, from: id, by: caller) })
        }
    }

    private func everybody(but user: Int64) async throws -> [ChatContact] {
        try await database.queue.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT user.*, chatUser.lastConnectedAt FROM user LEFT JOIN chatUser ON chatUser.userId = user.id
                    WHERE user.id <> ? ORDER BY user.name LIMIT 1000
                    """, arguments: [user]
            ).map { row in
                ChatContact(
                    id: "\(row["id"] as Int64)", name: row["name"], avatarUrl: row["profileImageThumbnailUrl"],
                    lastConnectedAt: row["lastConnectedAt"])
            }
        }
    }

    /// Returns the numbers of waiting messages and other events in all mailboxes, and of stored request ids; for tests.
    package func waiting() async throws -> (messages: Int, events: Int, requests: Int) {
        try await database.queue.read { db in
            let isMessage = ChatWriter.isMessageOfSomebodyElse
            return (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM chatEvent WHERE \(isMessage)") ?? 0,
                try Int.fetchOne(db, sql: "SELECT count(*) FROM chatEvent WHERE NOT (\(isMessage))") ?? 0,
                try Int.fetchOne(db, sql: "SELECT count(*) FROM chatMessage") ?? 0
            )
        }
    }
}

extension BackendRequest {
    func caller(_ user: BackendUser) -> ChatCaller { ChatCaller(user: user.id, session: session) }
}
