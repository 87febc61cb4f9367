/// A name for a group of requests of which only the last one of a burst matters, such as those of a search field.
///
/// A fetch with a key waits for ``delay``. If another fetch with the same key starts within that time, the first one
/// ends with the error ``PaginatorError/Code/superseded``. A fresh page in memory is answered at once.
public struct DebounceKey: Sendable, Hashable {
    /// The key's name. Keys with the same name are the same key of a paginator.
    public var name: String { exactName.text }

    let exactName: ExactText

    /// The time that a fetch waits for a later one.
    public let delay: Duration

    /// Creates a debounce key.
    ///
    /// - Parameters:
    ///   - name: the key's name.
    ///   - delay: the time to wait for a later fetch; 300 ms by default. Negative values count as zero.
    public init(_ name: String, delay: Duration = .milliseconds(300)) {
        exactName = ExactText(name)
        self.delay = max(.zero, delay)
    }
}
