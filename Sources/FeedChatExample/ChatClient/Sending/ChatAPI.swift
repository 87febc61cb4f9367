package import AppFoundation
package import ChatWire
package import Foundation
import MediaLoader

/// The HTTP calls of the client. Every failure is an ``APIError``.
package protocol ChatAPI: Sendable {
    /// Sends messages in order, all of them or none.
    func send(_ messages: [SendMessageBody]) async throws -> [SentMessage]
    func send(_ body: ReceiptsBody) async throws
    /// Edits a message, or deletes it for both sides if there is no content.
    func change(_ messageId: Int64, to content: String?, requestId: String) async throws -> MessageRevision
    func sync(after place: Int64, limit: Int) async throws -> SyncPage
    /// Uploads a file in chunks; the same id continues where it stopped.
    ///
    /// - Returns: the path on the server.
    func upload(
        _ file: URL, type: String, requestID: String,
        progress: @escaping @Sendable (_ share: Double, _ uploadID: Int64) async throws -> Void
    ) async throws -> String
    /// Discards an upload.
    func discard(upload: Int64) async throws
    func contacts() async throws -> [ChatContact]
    func groups() async throws -> [ChatGroup]
    func makeGroup(_ body: NewGroupBody) async throws -> ChatGroup
    func renameGroup(_ id: String, to title: String) async throws -> ChatGroup
    /// Adds a member, or changes a member's role.
    func setRole(_ role: GroupRole, of userId: String, in groupId: String) async throws -> ChatGroup
    /// Removes a member, or lets the user leave.
    func removeMember(_ userId: String, from groupId: String) async throws -> ChatGroup
    func register(_ device: DeviceBody) async throws
    func unregister(deviceId: String) async throws
}

/// The calls of the chat through the app's client.
extension APIClient: ChatAPI {
    package func send(_ messages: [SendMessageBody]) async throws -> [SentMessage] {
        if messages.count == 1, let message = messages.first {
            return [try await send("POST", "/v1/messages", body: message).decoded(SentMessage.self)]
        }
        let batch = SendBatchBody(messages: messages)
        return try await send("POST", "/v1/messages/batch", body: batch).decoded(SentBatch.self).messages
    }

    package func send(_ body: ReceiptsBody) async throws {
        try await send("POST", "/v1/receipts", body: body)
    }

    package func change(_ messageId: Int64, to content: String?, requestId: String) async throws -> MessageRevision {
        guard let content else {
            return try await get(
                MessageRevision.self,
                APIRequest(
                    "DELETE", "/v1/messages/\(messageId)", query: [("scope", "both"), ("requestId", requestId)]))
        }
        return try await send(
            "PATCH", "/v1/messages/\(messageId)", body: EditMessageBody(requestId: requestId, content: content)
        ).decoded(MessageRevision.self)
    }

    package func sync(after place: Int64, limit: Int) async throws -> SyncPage {
        try await get(
            SyncPage.self,
            APIRequest("GET", "/v1/messages", query: [("lastSyncedMessage", "\(place)"), ("limit", "\(limit)")]))
    }

    package func upload(
        _ file: URL, type: String, requestID: String,
        progress: @escaping @Sendable (_ share: Double, _ uploadID: Int64) async throws -> Void
    ) async throws -> String {
        try await MediaUploader(self).upload(file, type: type, requestID: requestID, progress: progress)
    }

    package func discard(upload: Int64) async throws { try await MediaUploader(self).discard(upload) }

    package func contacts() async throws -> [ChatContact] {
        try await get([ChatContact].self, APIRequest("GET", "/v1/contacts"))
    }

    package func groups() async throws -> [ChatGroup] {
        try await get([ChatGroup].self, APIRequest("GET", "/v1/groups"))
    }

    package func makeGroup(_ body: NewGroupBody) async throws -> ChatGroup {
        try await send("POST", "/v1/groups", body: body).decoded(ChatGroup.self)
    }

    package func renameGroup(_ id: String, to title: String) async throws -> ChatGroup {
        try await send("PATCH", "/v1/groups/\(id)", body: GroupTitleBody(title: title)).decoded(ChatGroup.self)
    }

    package func setRole(_ role: GroupRole, of userId: String, in groupId: String) async throws -> ChatGroup {
        try await send("PUT", "/v1/groups/\(groupId)/members/\(userId)", body: GroupRoleBody(role: role))
            .decoded(ChatGroup.self)
    }

    package func removeMember(_ userId: String, from groupId: String) async throws -> ChatGroup {
        try await send(APIRequest("DELETE", "/v1/groups/\(groupId)/members/\(userId)")).decoded(ChatGroup.self)
    }

    package func register(_ device: DeviceBody) async throws {
        try await send("PUT", "/v1/devices", body: device)
    }

    package func unregister(deviceId: String) async throws {
        _ = try await send(APIRequest("DELETE", "/v1/devices/\(deviceId)"))
    }
}
