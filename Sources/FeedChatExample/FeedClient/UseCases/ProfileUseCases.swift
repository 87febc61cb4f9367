import AppFoundation

/// Sends the draft of the user's profile to the server, which refuses it after a change of another device.
package struct SaveProfile: Sendable {
    let profiles: any ProfileRepository
    let drafts: any DraftRepository

    package func callAsFunction() async throws -> EditOutcome {
        try await DraftSaving(drafts: drafts, id: DraftStore.ownProfile) { draft in
            try await profiles.setAbout(draft.content, baseVersion: draft.baseVersion).version
        } server: {
            let server = try await profiles.profile(of: profiles.own)
            return (server.about, server.version)
        } isGone: {
        }()
    }
}
