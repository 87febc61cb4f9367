import AppFoundation

/// The profiles from the backend; the user's own is stored on disk.
package struct UserProfiles: ProfileRepository {
    let api: FeedAPI
    let metadata: MetadataStore
    let log: AppLog?
    package let own: Int64

    package func kept() async throws -> UserProfile? { try await metadata.value(UserProfile.self, named: "profile") }

    package func profile(of user: Int64) async throws -> UserProfile {
        let profile = try await api.profile(of: user)
        if user == own { await keep(profile) }
        return profile
    }

    package func setAbout(_ about: String, baseVersion: Int) async throws -> UserProfile {
        let profile = try await api.setAbout(about, of: own, baseVersion: baseVersion)
        await keep(profile)
        return profile
    }

    /// Stores the profile, unless a newer one is stored: answers may come in another order than that of the calls.
    func keep(_ profile: UserProfile) async {
        // The server has it nevertheless, and it is shown.
        await log.attempt("the profile was not stored") {
            try await metadata.update(named: "profile", from: profile) { kept in
                if profile.version >= kept.version { kept = profile }
            }
        }
    }
}
