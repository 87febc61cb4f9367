/// The features of a user. The backend enables each for all users, or for a share of them.
package struct FeatureFlags: Sendable {
    private let config: FeedConfig
    private let user: String

    package init(_ config: FeedConfig, user: String) {
        self.config = config
        self.user = user
    }

    /// Returns whether a feature is enabled: for all users, or for the backend's percentage. A user with a feature at
    /// one percentage has it at every higher one; features are distributed independently.
    package func isOn(_ feature: String) -> Bool {
        config.flags[feature] ?? false || Self.bucket(of: user, for: feature) < config.rollouts[feature] ?? 0
    }

    /// Returns the position of a user among all, 0 to 99: the same on each device and in each version (FNV-1a of the
    /// names' bytes).
    package static func bucket(of user: String, for feature: String) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(feature)/\(user)".utf8 {
            hash ^= UInt64(byte)
            hash &*= 0x100_0000_01b3
        }
        // The low bits of names that differ only in the last letter are similar.
        hash ^= hash >> 32
        return Int(hash % 100)
    }
}
