/// The neighbors of a page that ``Paginator/fetchAround(_:listener:)`` fetches.
public enum PageFetchDirection: Sendable, CaseIterable {
    /// The pages after and before it.
    case all
    /// The pages after it, by next keys.
    case forward
    /// The pages before it, by previous keys.
    case backward
}
