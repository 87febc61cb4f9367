import GRDB

/// The profile texts of users.
extension FeedBackend {
    func addProfileRoutes(to routes: inout BackendRoutes) {
        routes.add("GET /v1/users/:id/profile") { [self] request, _ in
            let id = try request.id("id")
            return try .json(try await database.queue.read { try ProfileAnswer.fetch($0, id) })
        }
        routes.add("PUT /v1/users/:id/profile") { [self] request, user in
            let (id, change) = (try request.id("id"), try request.decoded(ChangedProfile.self))
            guard id == user.id else { throw BackendRefusal(403, "the profile is somebody else's") }
            guard change.about.count <= 1_000 else { throw BackendRefusal(400, "about has 1000 characters at most") }
            return try await database.queue.write { db in
                let present = try ProfileAnswer.fetch(db, id)
                // As with posts, a repetition of a request whose answer was lost is no conflict.
                if present.about == change.about { return try .json(present) }
                guard present.version == change.baseVersion else { return try .json(present, status: 409) }
                try Self.setAbout(change.about, of: id, db)
                return try .json(try ProfileAnswer.fetch(db, id))
            }
        }
    }

    /// Changes a user's profile text, as from another device.
    package func setAbout(_ about: String, of user: BackendUser) throws {
        try database.queue.write { try Self.setAbout(about, of: user.id, $0) }
    }

    private static func setAbout(_ about: String, of user: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO profile VALUES (?, ?, 1)
                ON CONFLICT (userId) DO UPDATE SET about = excluded.about, version = version + 1
                """, arguments: [user, about])
    }
}

/// The answer of `GET /v1/users/{id}/profile`.
struct ProfileAnswer: Encodable, Sendable {
    let userId: Int64
    let name: String
    let about: String
    /// Increases with each change; `PUT` names the version that it is based on.
    let version: Int

    static func fetch(_ db: Database, _ user: Int64) throws -> ProfileAnswer {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT user.name, coalesce(about, '') AS about, coalesce(version, 0) AS version
                FROM user LEFT JOIN profile ON userId = user.id WHERE user.id = ?
                """, arguments: [user])
        guard let row else { throw BackendRefusal(404, "there is no such user") }
        return ProfileAnswer(userId: user, name: row["name"], about: row["about"], version: row["version"])
    }
}

struct ChangedProfile: Decodable, Sendable {
    let about: String
    let baseVersion: Int
}
