import Foundation
import GRDB

// An upload is started once, by its request id, and then receives its bytes in chunks, each with its offset. A client
// that does not know the progress asks for it.
extension FeedBackend {
    private static var maxUploadBytes: Int { 16_000_000 }

    func addUploadRoutes(to routes: inout BackendRoutes) {
        routes.add("POST /v1/uploads") { [self] request, user in
            let upload: NewUpload = try request.decoded()
            guard (1...Self.maxUploadBytes).contains(upload.byteCount), ["image", "video"].contains(upload.type) else {
                throw BackendRefusal(400, "an upload is an image or a video of at most 16 MB")
            }
            return try await database.queue.write { [self] db in
                let known = try Int64.fetchOne(
                    db, sql: "SELECT id FROM upload WHERE userId = ? AND requestId = ?",
                    arguments: [user.id, upload.requestId])
                if let known { return try .json(try Self.upload(known, of: user, db), status: 201) }
                try Self.sweepUploads(db)
                let id = database.makeID()
                // The path cannot be guessed, and users who know it may read the upload.
                try db.execute(
                    sql: """
                        INSERT INTO upload (id, userId, requestId, type, byteCount, content, path)
                        VALUES (?, ?, ?, ?, ?, x'', ?)
                        """,
                    arguments: [
                        id, user.id, upload.requestId, upload.type, upload.byteCount,
                        "/cdn/uploads/\(UUID().uuidString.lowercased())",
                    ])
                return try .json(try Self.upload(id, of: user, db), status: 201)
            }
        }
        routes.add("GET /v1/uploads/:id") { [self] request, user in
            let id = try request.id("id")
            return try .json(try await database.queue.read { db in try Self.upload(id, of: user, db) })
        }
        routes.add("PATCH /v1/uploads/:id") { [self] request, user in
            let id = try request.id("id")
            guard let offset = request.query["offset"].flatMap({ Int($0) }) else {
                throw BackendRefusal(400, "offset says where the chunk goes")
            }
            return try await database.queue.write { db in
                let before = try Self.upload(id, of: user, db)
                // A chunk that is already stored is answered like a new one; one after a gap is refused.
                if offset < before.received { return try .json(before) }
                guard offset == before.received, !request.body.isEmpty,
                    request.body.count <= before.byteCount - before.received
                else { return try .json(before, status: 409) }
                try db.execute(
                    sql: "UPDATE upload SET content = CAST(content || ? AS BLOB) WHERE id = ?",
                    arguments: [request.body, id])
                return try .json(try Self.upload(id, of: user, db))
            }
        }
        routes.add("DELETE /v1/uploads/:id") { [self] request, user in
            let id = try request.id("id")
            try await database.queue.write { db in
                // Uploads that a post or a message names stay for its readers.
                try db.execute(
                    sql: "DELETE FROM upload WHERE id = ? AND userId = ? AND isNamed = 0",
                    arguments: [id, user.id])
            }
            return BackendResponse(status: 204)
        }
    }

    /// Deletes uploads that were not named by anything for a day.
    static func sweepUploads(_ db: Database, at time: Date = Date()) throws {
        try db.execute(
            sql: "DELETE FROM upload WHERE id < ? AND isNamed = 0",
            arguments: [BackendDatabase.firstID(at: time.addingTimeInterval(-86_400))])
    }

    /// Marks a complete upload of a user as kept, because a post or a message names it.
    ///
    /// - Returns: whether the path is such an upload.
    static func name(_ path: String, of user: Int64, type: String, _ db: Database) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE upload SET isNamed = 1
                WHERE path = ? AND userId = ? AND type = ? AND length(content) = byteCount
                """, arguments: [path, user, type])
        return db.changesCount > 0
    }

    private static func upload(_ id: Int64, of user: BackendUser, _ db: Database) throws -> UploadAnswer {
        let row = try Row.fetchOne(
            db, sql: "SELECT byteCount, path, length(content) AS received FROM upload WHERE id = ? AND userId = ?",
            arguments: [id, user.id])
        guard let row else { throw BackendRefusal(404, "there is no such upload") }
        let (byteCount, received): (Int, Int) = (row["byteCount"], row["received"])
        return UploadAnswer(
            uploadId: id, received: received, byteCount: byteCount,
            contentUrl: received == byteCount ? row["path"] : nil)
    }
}
