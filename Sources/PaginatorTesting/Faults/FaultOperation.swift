/// What a call does that a ``FaultPlan`` decides on.
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
