import AppFoundation

/// Asks for a user's profile. The user's own is kept, for a start without a connection.
package struct LoadProfile: Sendable {
    let api: FeedAPI
    let metadata: MetadataStore
    let own: Int64

    /// The user's own profile as it was last.
    package func kept() async throws -> UserProfile? { try await metadata.value(UserProfile.self, named: "profile") }

    package func callAsFunction(_ user: Int64) async throws -> UserProfile {
        let profile = try await api.profile(of: user)
        if user == own { try await keep(profile) }
        return profile
    }

    /// Keeps the user's own profile, as the server has said that it is now.
    func keep(_ profile: UserProfile) async throws { try await metadata.set(profile, named: "profile") }
}

/// Sends the draft of the user's own profile to the server, which may refuse it for one of another device.
package struct SaveProfile: Sendable {
    let api: FeedAPI
    let drafts: DraftStore
    let load: LoadProfile

    package func callAsFunction() async throws -> EditOutcome {
        let id = DraftStore.ownProfile
        guard let draft = try await drafts.draft(of: id), !draft.isInConflict else { return .conflict }
        do {
            let saved = try await api.setAbout(draft.content, of: load.own, baseVersion: draft.baseVersion)
            try await load.keep(saved)
            try await drafts.saved(draft, version: saved.version)
            return .saved
        } catch let error as APIError where error.status == 409 {
            let server = try await load(load.own)
            try await drafts.setConflict(of: id, with: server.about, version: server.version)
            return .conflict
        } catch let error as APIError where error.isOfMissingPost {
            return .gone
        } catch is APIError {
            return .offline
        }
    }
}
