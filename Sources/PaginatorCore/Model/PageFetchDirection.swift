/// Which neighbors of a page a ``Paginator/fetchAround(_:listener:)`` asks for.
public enum PageFetchDirection: Sendable, CaseIterable {
    /// Those after and those before.
    case all
    /// Those after, reached by next keys.
    case forward
    /// Those before, reached by previous keys.
    case backward
}
