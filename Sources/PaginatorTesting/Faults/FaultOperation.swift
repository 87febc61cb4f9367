/// The kinds of calls on which a ``FaultPlan`` decides.
public enum FaultOperation: String, Sendable, Hashable {
    /// A source fetches a page.
    case fetch
    /// A store reads a page.
    case load
    /// A store takes changes.
    case apply
    /// A store makes its changes durable.
    case flush
}
