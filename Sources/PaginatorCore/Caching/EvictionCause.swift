/// Why a page left memory. Later versions may add causes: switch over it with a `default`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum EvictionCause: String, Sendable, CaseIterable {
    /// The strategy evicted it.
    case strategy
    /// Its lifetime ended.
    case lifetime
    /// It was cleared.
    case cleared
    /// A newer page with the same identity replaced it.
    case replaced
    /// A validator dropped it.
    case rejected
    /// Memory was trimmed.
    case trimmed
}
