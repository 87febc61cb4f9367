/// What a user says about themselves.
package struct UserProfile: Codable, Hashable, Identifiable, Sendable {
    /// How many characters ``about`` has at most.
    package static let aboutLimit = 1_000

    package let id: Int64
    package let name: String
    package let about: String
    /// Grows with each change; a change names the one that it is based on.
    package let version: Int
}
