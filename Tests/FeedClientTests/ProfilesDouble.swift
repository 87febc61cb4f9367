import AppFoundation
import PaginatorCore

@testable import FeedClient

final class ProfilesDouble: ProfileRepository {
    let own: Int64 = 1
    let onServer = Guarded<[Int64: UserProfile]>([
        1: UserProfile(id: 1, name: "Ada", about: "one", version: 1),
        2: UserProfile(id: 2, name: "Bob", about: "two", version: 1),
    ])
    let onDisk = Guarded<UserProfile?>(nil)
    /// Whether the server cannot be reached.
    let isBroken = Guarded(false)
    /// What happens between the next reading of the server and its answer.
    let beforeAnswer = Guarded<(@MainActor @Sendable () async throws -> Void)?>(nil)

    func kept() async throws -> UserProfile? { onDisk.withLock { $0 } }

    func profile(of user: Int64) async throws -> UserProfile {
        if isBroken.withLock({ $0 }) { throw APIError(.unreachable) }
        guard let profile = onServer.withLock({ $0[user] }) else { throw APIError(.status, status: 404) }
        if user == own { onDisk.withLock { $0 = profile } }
        let meanwhile = beforeAnswer.withLock { action in
            defer { action = nil }
            return action
        }
        try await meanwhile?()
        return profile
    }

    func setAbout(_ about: String, baseVersion: Int) async throws -> UserProfile {
        let old = try await profile(of: own)
        guard old.version == baseVersion else { throw APIError(.status, status: 409) }
        let new = UserProfile(id: old.id, name: old.name, about: about, version: old.version + 1)
        onServer.withLock { $0[own] = new }
        onDisk.withLock { $0 = new }
        return new
    }
}
