/// Why a page left memory. Later versions may add causes: switch over it with a `default`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum EvictionCause: String, Sendable, CaseIterable {
    /// The strategy chose it.
    case strategy
    /// Its lifetime had passed.
    case lifetime
    /// It was cleared.
    case cleared
    /// A newer page of the same identity took its place.
    case replaced
    /// A validator dropped it.
    case rejected
    /// Memory was trimmed.
    case trimmed
}
