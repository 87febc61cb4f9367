import ChatWire

/// Requests the contacts and the groups from the server, and stores them.
struct ContactRefresh: Sendable {
    let database: ChatDatabase
    let api: any ChatAPI

    func callAsFunction() async throws {
        let before = try await database.read { try $0.groupRevisions() }
        let contacts = try await api.contacts()
        let groups = try await api.groups()
        try await database.write { write in
            try write.save(
                contacts.map {
                    User(id: $0.id, name: $0.name, avatarUrl: $0.avatarUrl, lastConnectedAt: $0.lastConnectedAt)
                })
            try write.save(groups, insteadOf: before)
        }
    }
}
