package import AppFoundation
package import ChatWire
package import Foundation
package import PaginatorCore

extension MessageRequest: OutboxOperation {
    package var failureCount: Int { failCount }
}

/// Waiting messages: a lane is a conversation, in the order of writing, and its waiting messages are sent in one
/// request.
package final class MessageRequestTable: OutboxTable {
    package let name = "MessageRequests"
    private static let query = OutboxQuery(
        table: "MessageRequests", lane: "toUserId", order: "createdAt", pending: "status IN (1, 2)",
        notBefore: "notBefore")

    private let database: ChatDatabase
    private let api: any ChatAPI
    private let clock: any PaginatorClock
    private let files: OutgoingFiles

    init(_ database: ChatDatabase, api: any ChatAPI, clock: any PaginatorClock, files: OutgoingFiles) {
        self.files = files
        self.database = database
        self.api = api
        self.clock = clock
    }

    package func lanes(
        excluding lanes: Set<String>, limit: Int, batchLimit: Int
    ) async throws -> [OutboxLane<MessageRequest>] {
        try await database.read { read in
            try Self.query.lanes(read.db, excluding: lanes, limit: limit, batchLimit: batchLimit) {
                MessageRequest(row: $0)
            }
        }.map { lane in
            // Messages written before a large file do not wait for it.
            let ready = lane.operations.prefix { $0.attachment?.isUploading != true }
            let operations = ready.isEmpty ? lane.operations.prefix(1) : ready
            return OutboxLane(name: lane.name, operations: Array(operations), notBefore: lane.notBefore)
        }
    }

    package func send(_ operations: [MessageRequest]) async throws -> [SentMessage] {
        var operations = operations
        for index in operations.indices { try await upload(&operations[index]) }
        let (now, ids) = (clock.milliseconds, operations.map(\.requestId))
        // Messages that the user deleted during the upload are not sent.
        let present = try await database.write { write in
            try write.markSent(ids, now: now)
            return Set(try ids.filter { try write.request($0) != nil })
        }
        operations.removeAll { !present.contains($0.requestId) }
        guard !operations.isEmpty else { return [] }
        return try await api.send(
            operations.map { request in
                SendMessageBody(
                    requestId: request.requestId, toUserId: request.toUserId, content: request.content,
                    createdAt: request.createdAt, attachment: request.attachment?.told,
                    mentions: request.mentions.isEmpty ? nil : request.mentions)
            })
    }

    /// Uploads the attachment of a message, or the rest of it: the small image first.
    private func upload(_ request: inout MessageRequest) async throws {
        guard var attachment = request.attachment, attachment.isUploading else { return }
        let id = request.requestId
        if attachment.hasThumbnail, attachment.told.thumbnailPath == nil {
            attachment.told.thumbnailPath = try await upload(
                files.thumbnail(id), "image", "\(id)-thumbnail", of: id, &attachment, isContent: false)
        }
        if attachment.hasFile, attachment.told.path == nil {
            attachment.told.path = try await upload(
                files.file(id), attachment.told.kind.rawValue, id, of: id, &attachment, isContent: true)
        }
        let made = attachment
        try await database.write { try $0.note(made, of: id) }
        request.attachment = made
    }

    private func upload(
        _ file: URL, _ type: String, _ uploadName: String, of requestId: String,
        _ attachment: inout OutgoingAttachment, isContent: Bool
    ) async throws -> String {
        let latest = Guarded(attachment)
        let path = try await api.upload(file, type: type, requestID: uploadName) { [database] share, uploadID in
            let noted = latest.withLock { attachment in
                if !attachment.uploadIDs.contains(uploadID) { attachment.uploadIDs.append(uploadID) }
                if isContent { attachment.progress = share }
                return attachment
            }
            try await database.write { try $0.note(noted, of: requestId) }
        }
        attachment = latest.withLock { $0 }
        return path
    }

    package func recordSuccess(_ operations: [MessageRequest], response: [SentMessage]) async throws {
        try await database.write { write in for sent in response { try write.acknowledge(sent) } }
        for request in operations where request.attachment?.hasFile == true {
            try await files.remove(request.requestId)
        }
    }

    package func recordFailure(
        _ operations: [MessageRequest], failureCount: Int, notBefore: Date, failure: OutboxFailure
    ) async throws {
        try await database.write { write in
            try write.noteFailure(
                operations.map(\.requestId),
                failCount: try write.failCount(of: operations, orElse: failureCount),
                notBefore: notBefore.timeIntervalSince1970)
        }
    }

    package func recordCancellation(_ operations: [MessageRequest], failure: OutboxFailure) async throws {
        let (ids, now) = (operations.map(\.requestId), clock.wallTime.timeIntervalSince1970)
        try await database.write { write in
            // The last attempt counts as the first if more of the files was uploaded. A refusal may mean that the
            // server has deleted uploads of an earlier attempt, because no message named them.
            let goesOn =
                try failure.kind == .refused
                ? write.forgetUploads(of: operations) : write.failCount(of: operations, orElse: 1) == 0
            if goesOn {
                try write.noteFailure(ids, failCount: 0, notBefore: now)
            } else {
                try write.giveUp(ids)
            }
        }
    }
}

extension PaginatorClock {
    /// The wall clock in milliseconds since 1970.
    package var milliseconds: Int64 { Int64((wallTime.timeIntervalSince1970 * 1_000).rounded()) }
}
