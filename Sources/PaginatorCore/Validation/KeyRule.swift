/// A rule for the keys that a paginator accepts, in addition to the limits: not empty, not too long, without a NUL.
///
/// ```swift
/// config.keyRule = .offset
/// ```
public struct KeyRule: Sendable {
    private let reasonAgainst: @Sendable (String) -> String?

    /// Accepts every key.
    public static let any = KeyRule { _ in nil }

    /// Accepts whole numbers from 0, in decimal digits without sign or leading zeros.
    public static let offset = KeyRule { key in
        guard let number = Int64(key), number >= 0, String(number).hasSameBytes(as: key) else {
            return "the key must be a whole number from 0"
        }
        return nil
    }

    /// Creates a rule from a closure.
    ///
    /// - Parameter reasonAgainst: returns why a key is refused, as part of a sentence, or `nil` to accept it. It runs
    ///   on the caller's thread for every fetch, and on any thread for the neighbor keys of a page.
    public init(_ reasonAgainst: @escaping @Sendable (String) -> String?) {
        self.reasonAgainst = reasonAgainst
    }

    package func refusal(of key: String) -> String? { reasonAgainst(key) }
}
