package import AppFoundation
package import Foundation
import GRDB
import MediaLoader
import PaginatorCore

/// The outbox table `PostRequests`: one post after the other, each after its attachments, which are uploaded in chunks
/// and continue where they stopped.
package final class PostRequestTable: OutboxTable {
    package let name = "posts"
    private static let query = OutboxQuery(
        table: "PostRequests", lane: "lane", order: "id", pending: "state IN ('pending', 'failed')",
        notBefore: "nextAttempt")

    private let database: AppDatabase
    private let api: FeedAPI
    private let uploader: MediaUploader
    private let folder: URL
    private let published: @Sendable (PostRequest, PostDetail?, Int64) -> Void
    private let givingUp: @Sendable (PostRequest) -> Void
    private let gaveUp: @Sendable (PostRequest) -> Void

    /// - Parameters:
    ///   - folder: the user's folder.
    ///   - givingUp: called for a failed post once that is stored, and before anything else is, so that it cannot have
    ///   been sent again.
    ///   - gaveUp: called afterwards.
    init(
        _ database: AppDatabase, api: FeedAPI, folder: URL,
        published: @escaping @Sendable (PostRequest, PostDetail?, Int64) -> Void,
        givingUp: @escaping @Sendable (PostRequest) -> Void, gaveUp: @escaping @Sendable (PostRequest) -> Void
    ) {
        self.givingUp = givingUp
        self.gaveUp = gaveUp
        self.database = database
        self.api = api
        uploader = MediaUploader(api.client)
        self.folder = Self.uploads(in: folder)
        self.published = published
    }

    package struct Published: Sendable {
        /// The post's id; `nil` for a scheduled one.
        let id: Int64?
        let detail: PostDetail?
    }

    static func all(_ db: Database) throws -> [PostRequest] {
        try Row.fetchAll(db, sql: "SELECT * FROM PostRequests ORDER BY id").map(PostRequest.init)
    }

    /// Adds a row after its attachments' files; call ``Outbox/changed(_:)`` afterwards.
    @concurrent
    func add(
        _ content: String, attachments: [NewAttachment], publishAt: Date?, requestID: String
    ) async throws -> PostRequest {
        var kept: [PostRequest.Attachment] = []
        if !attachments.isEmpty {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        for (index, attachment) in attachments.enumerated() {
            let file = "\(requestID)-\(index)"
            try attachment.content.write(to: folder.appending(path: file), options: .atomic)
            kept.append(
                PostRequest.Attachment(
                    type: attachment.type, caption: attachment.caption, file: file, byteCount: attachment.content.count)
            )
        }
        let text = try Self.text(of: kept)
        return try await database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO PostRequests (requestId, content, attachments, createdAt, publishAt)
                    VALUES (?, ?, ?, ?, ?)
                    """, arguments: [requestID, content, text, Date(), publishAt])
            let id = db.lastInsertedRowID
            try DraftStore.remove(of: DraftStore.newPost, db)
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT * FROM PostRequests WHERE id = ?", arguments: [id])
            else { throw OutboxRowError.unknownAction }
            return try PostRequest(row)
        }
    }

    /// Sends a failed post again.
    ///
    /// The server deletes uploads that no post names, so its files are uploaded again; an upload that is still there costs
    /// one request.
    ///
    /// - Parameter forget: called for a failed post before it can be sent.
    /// - Returns: whether it exists and had failed.
    func resend(_ requestID: String, forget: @escaping @Sendable () -> Void) async throws -> Bool {
        try await database.write { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM PostRequests WHERE requestId = ? AND state = 'canceled'",
                arguments: [requestID])
            guard let request = try row.map(PostRequest.init) else { return false }
            try Self.forgetUploads(of: request, db)
            try db.execute(
                sql: """
                    UPDATE PostRequests SET state = 'pending', attempts = 0, nextAttempt = NULL WHERE requestId = ?
                    """, arguments: [requestID])
            forget()
            return true
        }
    }

    /// Lets the next attempt upload all files of a post again.
    private static func forgetUploads(of request: PostRequest, _ db: Database) throws {
        guard var attachments = try latest(request, db)?.attachments else { return }
        for index in attachments.indices {
            (attachments[index].contentPath, attachments[index].received) = (nil, 0)
        }
        try db.execute(
            sql: "UPDATE PostRequests SET attachments = ? WHERE id = ?",
            arguments: [try text(of: attachments), request.rowID])
    }

    private static func text(of attachments: [PostRequest.Attachment]) throws -> String {
        String(decoding: try JSONEncoder().encode(attachments), as: UTF8.self)
    }

    /// Removes the files that no row names, before there is a table: those of a post whose writing, or removal, was
    /// interrupted in an earlier run.
    @concurrent
    static func removeUnnamedFiles(_ database: AppDatabase, folder: URL) async throws {
        let folder = uploads(in: folder)
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        let named = Set(try await database.read { try Self.all($0) }.flatMap(\.attachments).map(\.file))
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !named.contains(name) {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    private static func uploads(in folder: URL) -> URL { folder.appending(path: "uploads") }

    /// Removes an unsent post with its files; call ``Outbox/stop(lane:of:)`` and then ``discard(uploads:)`` afterwards.
    ///
    /// - Returns: the uploads of its files.
    func withdraw(_ request: PostRequest) async throws -> [Int64] {
        let latest = try await database.read { try Self.latest(request, $0) }
        try await remove([request])
        return latest?.attachments.compactMap(\.uploadID) ?? []
    }

    private static func latest(_ request: PostRequest, _ db: Database) throws -> PostRequest? {
        try Row.fetchOne(db, sql: "SELECT * FROM PostRequests WHERE id = ?", arguments: [request.rowID])
            .map(PostRequest.init)
    }

    /// Discards the uploads of a withdrawn post.
    func discard(uploads: [Int64]) async {
        for upload in uploads {
            do {
                try await uploader.discard(upload)
            } catch {
                // No post refers to the upload, so the backend deletes it later.
            }
        }
    }

    package func lanes(
        excluding lanes: Set<String>, limit: Int, batchLimit: Int
    ) async throws -> [OutboxLane<PostRequest>] {
        try await database.read { db in
            try Self.query.lanes(
                db, excluding: lanes, limit: limit, batchLimit: batchLimit, operation: PostRequest.init)
        }
    }

    package func send(_ operations: [PostRequest]) async throws -> Published? {
        guard var request = operations.first else { return nil }
        for index in request.attachments.indices where request.attachments[index].contentPath == nil {
            try await upload(index, of: &request)
        }
        // The user may have withdrawn it during its upload.
        let made = request
        guard try await database.read({ try Self.latest(made, $0) }) != nil else { return nil }
        guard let id = try await api.publish(request) else { return Published(id: nil, detail: nil) }
        // Without it the post is shown as written until the next refresh.
        let detail = try? await api.detail(id)
        return Published(id: id, detail: detail)
    }

    /// Uploads a file, or the rest of it.
    private func upload(_ index: Int, of request: inout PostRequest) async throws {
        let attachment = request.attachments[index]
        let progress = Guarded(request)
        let path = try await uploader.upload(
            folder.appending(path: attachment.file), type: attachment.type, requestID: "\(request.requestID)-\(index)"
        ) { share, uploadID in
            let noted = progress.withLock { request in
                request.attachments[index].uploadID = uploadID
                request.attachments[index].received = Int(share * Double(attachment.byteCount))
                return request
            }
            try await self.note(noted)
        }
        request = progress.withLock { $0 }
        request.attachments[index].received = attachment.byteCount
        request.attachments[index].contentPath = path
        try await note(request)
    }

    private func note(_ request: PostRequest) async throws {
        let text = try Self.text(of: request.attachments)
        let id = request.rowID
        try await database.write {
            try $0.execute(sql: "UPDATE PostRequests SET attachments = ? WHERE id = ?", arguments: [text, id])
        }
    }

    package func recordSuccess(_ operations: [PostRequest], response: Published?) async throws {
        if let request = operations.first, let response, let id = response.id {
            published(request, response.detail, id)
        }
        try await remove(operations)
    }

    @concurrent
    private func remove(_ requests: [PostRequest]) async throws {
        let ids = requests.map(\.rowID)
        try await database.write { db in
            for id in ids { try db.execute(sql: "DELETE FROM PostRequests WHERE id = ?", arguments: [id]) }
        }
        for attachment in requests.flatMap(\.attachments) {
            let file = folder.appending(path: attachment.file)
            if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
        }
    }

    package func recordFailure(
        _ operations: [PostRequest], failureCount: Int, notBefore: Date, failure: OutboxFailure
    ) async throws {
        try await database.write { db in
            for request in operations {
                let count = try Self.hasProgressed(request, db) ? 0 : failureCount
                try Self.set("failed", of: request, count, notBefore, failure, db)
            }
        }
    }

    package func recordCancellation(_ operations: [PostRequest], failure: OutboxFailure) async throws {
        let givenUp = try await database.write { [givingUp] db in
            let givenUp = try operations.filter { request in
                // The server may have deleted uploads of an earlier attempt, because no post named them.
                let isUploaded = failure.kind == .refused && request.attachments.contains { $0.contentPath != nil }
                // The last attempt is not counted if more of the files was uploaded.
                let goesOn = try isUploaded || failure.kind != .refused && Self.hasProgressed(request, db)
                if isUploaded { try Self.forgetUploads(of: request, db) }
                if goesOn {
                    let next = Date(timeIntervalSinceNow: (failure.statedDelay ?? .zero).inSeconds)
                    try Self.set("failed", of: request, 0, next, failure, db)
                } else {
                    try Self.set("canceled", of: request, nil, nil, failure, db)
                }
                // Who was faster and discarded it needs not be told.
                return !goesOn && db.changesCount > 0
            }
            // Not before the commit, which may fail.
            db.afterNextTransaction { _ in for request in givenUp { givingUp(request) } }
            return givenUp
        }
        for request in givenUp { gaveUp(request) }
    }

    /// Returns whether more of the files was uploaded since a request was read.
    private static func hasProgressed(_ request: PostRequest, _ db: Database) throws -> Bool {
        guard let latest = try Self.latest(request, db) else { return false }
        return zip(request.attachments, latest.attachments).contains { old, new in
            new.received > old.received || (old.contentPath == nil && new.contentPath != nil)
        }
    }

    private static func set(
        _ state: String, of request: PostRequest, _ attempts: Int?, _ nextAttempt: Date?, _ failure: OutboxFailure,
        _ db: Database
    ) throws {
        try db.execute(
            sql: """
                UPDATE PostRequests SET state = ?, attempts = coalesce(?, attempts + 1), nextAttempt = ?,
                    failure = ? WHERE id = ?
                """, arguments: [state, attempts, nextAttempt, failure.reason, request.rowID])
    }
}

/// A file to send with a post.
package struct NewAttachment: Sendable {
    /// `image` or `video`.
    package let type: String
    package let content: Data
    package let caption: String?

    package init(type: String, content: Data, caption: String? = nil) {
        self.type = type
        self.content = content
        self.caption = caption
    }
}
