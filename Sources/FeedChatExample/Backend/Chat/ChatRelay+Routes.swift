import ChatWire
import Foundation
import GRDB

extension ChatRelay {
    nonisolated func addRoutes(to routes: inout BackendRoutes) {
        routes.add("POST /v1/messages") { [self] request, user in
            try .json(try await send(try request.decoded(), from: user.id), status: 201)
        }
        routes.add("GET /v1/messages") { [self] request, user in
            guard let place = Int64(request.query["lastSyncedMessage"] ?? "0"), place >= 0 else {
                throw BackendRefusal(400, "lastSyncedMessage is an id")
            }
            guard let limit = Int(request.query["limit"] ?? "100"), (1...1_000).contains(limit) else {
                throw BackendRefusal(400, "limit is a number from 1 to 1000")
            }
            return try .json(try await sync(user.id, after: place, limit: limit))
        }
        routes.add("POST /v1/receipts") { [self] request, user in
            let body: ReceiptsBody = try request.decoded()
            guard body.receipts.count <= 1_000 else { throw BackendRefusal(413, "too many receipts") }
            try await take(body.receipts, from: user.id)
            return BackendResponse(status: 204)
        }
        routes.add("PATCH /v1/messages/:id") { [self] request, user in
            let body: EditMessageBody = try request.decoded()
            let id = try request.id("id")
            return try .json(
                try await change(id, requestId: body.requestId, content: body.content, by: user.id))
        }
        routes.add("DELETE /v1/messages/:id") { [self] request, user in
            let id = try request.id("id")
            switch request.query["scope"] {
            case "me":
                try await dropWaiting(id, for: user.id)
                return BackendResponse(status: 204)
            case "both":
                guard let requestId = request.query["requestId"] else {
                    throw BackendRefusal(400, "a requestId is missing")
                }
                return try .json(try await change(id, requestId: requestId, content: nil, by: user.id))
            default: throw BackendRefusal(400, "scope is me or both")
            }
        }
        routes.add("GET /v1/contacts") { [self] _, user in try .json(try await everybody(but: user.id)) }
        routes.add("PUT /v1/devices") { [self] request, user in
            let body: DeviceBody = try request.decoded()
            try await setDevice(body, of: user.id)
            return BackendResponse(status: 204)
        }
        routes.add("DELETE /v1/devices/:id") { [self] request, user in
            try await removeDevice(request.parameters["id"] ?? "", of: user.id)
            return BackendResponse(status: 204)
        }
        routes.add("GET /v1/socket/updates") { [self] _, user in
            .webSocket(ChatSocketHandler(relay: self, user: user.id, silenceLimit: configuration.silenceLimit))
        }
    }

    private func send(_ body: SendMessageBody, from user: Int64) throws -> SentMessage {
        try transact { try $0.send(body, from: user) }
    }

    private func sync(_ user: Int64, after place: Int64, limit: Int) throws -> SyncPage {
        try transact { try $0.sync(user, after: place, limit: limit) }
    }

    private func take(_ receipts: [ChatReceipt], from user: Int64) throws {
        try transact { try $0.take(receipts, from: user) }
    }

    private func change(
        _ id: Int64, requestId: String, content: String?, by user: Int64
    ) throws -> MessageRevision {
        try transact { try $0.change(id, requestId: requestId, content: content, by: user) }
    }

    private func dropWaiting(_ id: Int64, for user: Int64) throws {
        try transact { try $0.dropWaiting(id, for: user) }
    }

    private func everybody(but user: Int64) throws -> [ChatContact] {
        try database.queue.read { db in
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

    private func setDevice(_ device: DeviceBody, of user: Int64) throws {
        try database.queue.write { db in
            // A token belongs to one device, and a device to who signed in on it last.
            try db.execute(
                sql: "DELETE FROM chatDevice WHERE pushToken = ? OR deviceId = ?",
                arguments: [device.pushToken, device.deviceId])
            try db.execute(
                sql: "INSERT INTO chatDevice VALUES (?, ?, ?)",
                arguments: [user, device.deviceId, device.pushToken])
        }
    }

    private func removeDevice(_ id: String, of user: Int64) throws {
        try database.queue.write { db in
            try db.execute(
                sql: "DELETE FROM chatDevice WHERE userId = ? AND deviceId = ?", arguments: [user, id])
        }
    }

    /// How many messages and other events wait, and how many request ids are kept; for tests.
    package func waiting() throws -> (messages: Int, events: Int, requests: Int) {
        try database.queue.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM chatEvent WHERE kind = 'new_message'") ?? 0,
                try Int.fetchOne(db, sql: "SELECT count(*) FROM chatEvent WHERE kind <> 'new_message'") ?? 0,
                try Int.fetchOne(db, sql: "SELECT count(*) FROM chatMessage") ?? 0
            )
        }
    }
}
