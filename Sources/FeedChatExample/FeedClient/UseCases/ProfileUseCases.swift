import AppFoundation

/// Sends the draft of the user's own profile to the server, which may refuse it for one of another device.
package struct SaveProfile: Sendable {
    let profiles: any ProfileRepository
    let drafts: any DraftRepository

    package func callAsFunction() async throws -> EditOutcome {
        let id = DraftStore.ownProfile
        guard let draft = try await drafts.draft(of: id), !draft.isInConflict else { return .conflict }
        do {
            let saved = try await profiles.setAbout(draft.content, baseVersion: draft.baseVersion)
            try await drafts.saved(draft, version: saved.version)
            return .saved
        } catch let error as APIError where error.status == 409 {
            let server = try await profiles.profile(of: profiles.own)
            try await drafts.setConflict(of: id, with: server.about, version: server.version)
            return .conflict
        } catch let error as APIError where error.isOfMissingPost {
            return .gone
        } catch is APIError {
            return .offline
        }
    }
}
