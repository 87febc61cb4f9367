/// Names a stream of requests of which only the last of a burst matters, such as what a search field asks for.
///
/// A fetch with a key waits for ``delay``. Another fetch with the same key within that time ends it with the error
/// ``PaginatorError/Code/superseded`` and takes its place. A fresh page in memory is answered at once.
public struct DebounceKey: Sendable, Hashable {
    /// The key's name; keys with the same name are one key of a paginator.
    public var name: String { exactName.text }

    let exactName: ExactText

    /// How long a fetch waits for a later one before it starts.
    public let delay: Duration

    /// Names a stream of requests.
    ///
    /// - Parameters:
    ///   - name: the key's name.
    ///   - delay: how long to wait for a later fetch, 300 ms by default; negative values count as zero.
    public init(_ name: String, delay: Duration = .milliseconds(300)) {
        exactName = ExactText(name)
        self.delay = max(.zero, delay)
    }
}
