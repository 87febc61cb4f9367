/// The kinds of calls for which a ``FaultPlan`` decides.
public enum FaultOperation: String, Sendable, Hashable {
    /// A source fetches a page.
    case fetch
    /// A store reads a page.
    case load
    /// A store applies changes.
    case apply
    /// A store is flushed.
    case flush
}
