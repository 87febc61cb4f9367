/// A named stream of requests of which only the last of a burst matters, such as what a search field asks for.
///
/// A fetch on a lane waits for ``debounce``. Another fetch on the same lane within that time ends it with the error
/// ``PaginatorError/Code/superseded`` and takes its place. A fresh page in memory is answered at once.
public struct FetchLane: Sendable, Hashable {
    /// The lane's name; lanes with the same name are one lane of a paginator.
    public var name: String { exactName.text }

    package let exactName: ExactText

    /// How long a fetch waits for a later one before it starts.
    public let debounce: Duration

    /// Names a lane.
    ///
    /// - Parameters:
    ///   - name: the lane's name.
    ///   - debounce: how long to wait for a later fetch, 300 ms by default; negative values count as zero.
    public init(_ name: String, debounce: Duration = .milliseconds(300)) {
        exactName = ExactText(name)
        self.debounce = max(.zero, debounce)
    }
}
