/// The profile of a user.
package struct UserProfile: Codable, Hashable, Identifiable, Sendable {
    /// The maximum number of characters of ``about``.
    package static let aboutLimit = 1_000

    package let id: Int64
    package let name: String
    package let about: String
    /// Increases with each change; a change names the version that it is based on.
    package let version: Int
}
