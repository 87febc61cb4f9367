/// Why a page left memory; later versions may add causes.
public struct EvictionCause: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String, Sendable { case strategy, lifetime, cleared, replaced, rejected, trimmed }

    private let kind: Kind

    /// The strategy chose it.
    public static let strategy = EvictionCause(kind: .strategy)
    /// Its lifetime had passed.
    public static let lifetime = EvictionCause(kind: .lifetime)
    /// It was cleared.
    public static let cleared = EvictionCause(kind: .cleared)
    /// A newer page of the same identity took its place.
    public static let replaced = EvictionCause(kind: .replaced)
    /// A validator dropped it.
    public static let rejected = EvictionCause(kind: .rejected)
    /// Memory was trimmed.
    public static let trimmed = EvictionCause(kind: .trimmed)

    /// The cause's name, the same as the static member's.
    public var description: String { kind.rawValue }
}
