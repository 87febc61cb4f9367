/// The keys before and after a page.
public struct NeighborKeys: Sendable, Hashable {
    private var exactPrevious: ExactText?
    private var exactNext: ExactText?

    /// The key of the page before; `nil` at the start.
    public var previous: String? {
        get { exactPrevious?.text }
        set { exactPrevious = newValue.map(ExactText.init) }
    }
    /// The key of the page after; `nil` at the end, or if only the page itself contains it.
    public var next: String? {
        get { exactNext?.text }
        set { exactNext = newValue.map(ExactText.init) }
    }

    /// Creates a pair of keys.
    public init(previous: String?, next: String?) {
        exactPrevious = previous.map(ExactText.init)
        exactNext = next.map(ExactText.init)
    }
}
