/// A source that tells of changes by itself: server-sent events, a web socket, a database's observation.
///
/// ``CallbackPaginator/follow(_:from:onApplied:onEnd:apply:)`` and
/// ``ConsistencyGroup/follow(_:from:scheduler:onApplied:onEnd:)`` connect to it, and again whenever the connection ends.
///
/// ```swift
/// let changes = PushSource<PostChange> { lastEventID, tell in
///     let socket = api.openSocket(after: lastEventID) { message in
///         switch message {
///         case .opened: tell(.opened())
///         case .change(let change, let id): tell(.change(change, id: id))
///         case .closed(let error): tell(.closed(.retry(error)))
///         }
///     }
///     return SourceCancellation { socket.close() }
/// }
/// ```
public struct PushSource<Change: Sendable>: Sendable {
    let connect:
        @Sendable (_ lastEventID: String?, _ tell: @escaping @Sendable (PushEvent<Change>) -> Void) ->
            SourceCancellation

    /// Makes a source.
    ///
    /// - Parameter connect: opens a connection, and returns how to close it, which may also happen after it has ended; called
    ///   on a background thread. Of `lastEventID` and what came before it everything is known; without one, what happens from
    ///   now on is to be told. `tell` takes what comes, from any thread, in the order of the calls; it may be called at once.
    public init(
        _ connect:
            @escaping @Sendable (
                _ lastEventID: String?, _ tell: @escaping @Sendable (PushEvent<Change>) -> Void
            ) -> SourceCancellation
    ) {
        self.connect = connect
    }
}

/// What a connection to a ``PushSource`` tells.
///
/// An event may have an identity. After a lost connection the source is asked to go on behind the last one; what it then
/// repeats is left out, among the last 1,024 identities. Where there is none, nobody knows what was missed, and it is as
/// if ``missed`` had come. An empty identity takes back the last one.
public enum PushEvent<Change: Sendable>: Sendable {
    /// The connection is there; the identity is that of the last event before it, where the source tells one.
    case opened(id: String? = nil)
    /// Something changed.
    case change(Change, id: String? = nil)
    /// Pages are stale; lists reload those that they have.
    case stale(PageSelection, id: String? = nil)
    /// Pages with one of the tags are stale; lists reload those that they have.
    case staleTags([String], id: String? = nil)
    /// There are so many more rows at the head of a scope: `PaginatorListStatus.newAbove` counts them until a list has
    /// loaded its first page again, as by `PaginatorListRefresh.firstPage`. The first page is stale, in all scopes.
    case newRows(Int, scope: String = "", id: String? = nil)
    /// The source cannot tell what happened since the last event: all pages are stale, and lists reload what they have.
    case missed
    /// The connection has ended, or could not be opened. It is tried again after a growing, random time, which is added to
    /// the delay that the error states, if any, up to an hour; unless the error is fatal. Where a key has expired, which is the last event's
    /// identity here, it is as if ``missed`` had come.
    case closed(SourceError? = nil)
    /// The source has nothing more to tell, ever.
    case ended
}

extension PushEvent {
    package var id: String? {
        switch self {
        case .opened(let id), .change(_, let id), .stale(_, let id), .staleTags(_, let id), .newRows(_, _, let id): id
        case .missed, .closed, .ended: nil
        }
    }

    /// The event with an identity where it has none.
    package func identified(by id: String?) -> PushEvent {
        guard let id, self.id == nil else { return self }
        return switch self {
        case .opened: .opened(id: id)
        case .change(let change, _): .change(change, id: id)
        case .stale(let pages, _): .stale(pages, id: id)
        case .staleTags(let tags, _): .staleTags(tags, id: id)
        case .newRows(let count, let scope, _): .newRows(count, scope: scope, id: id)
        case .missed, .closed, .ended: self
        }
    }
}
