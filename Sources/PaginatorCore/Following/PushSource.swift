/// A source that pushes changes: server-sent events, a web socket, a database's observation.
///
/// ``CallbackPaginator/follow(_:from:onApplied:onEnd:apply:)`` and
/// ``ConsistencyGroup/follow(_:from:scheduler:onApplied:onEnd:)`` connect to it, and reconnect when the connection
/// ends.
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

    /// Creates a source.
    ///
    /// - Parameter connect: opens a connection after `lastEventID`, or from now on without one, and returns a handle
    ///   that closes it, which may also be called after it has ended. Called on a background thread. Pass events to
    ///   `tell` from any thread, in order; it may be called at once.
    public init(
        _ connect:
            @escaping @Sendable (
                _ lastEventID: String?, _ tell: @escaping @Sendable (PushEvent<Change>) -> Void
            ) -> SourceCancellation
    ) {
        self.connect = connect
    }
}

/// An event of a connection to a ``PushSource``.
///
/// An event may have an identity. After a lost connection the source continues after the last one; repeated events are
/// skipped if they are among the last 1,024 identities. Without an identity it is unknown what was missed, which counts
/// as ``missed``. An empty identity clears the last one.
public enum PushEvent<Change: Sendable>: Sendable {
    /// The connection is open. Give the identity of the last event before it if the source tells it and does not send
    /// the events up to it again: an event with this identity is skipped.
    case opened(id: String? = nil)
    /// Something changed.
    case change(Change, id: String? = nil)
    /// Pages are stale. Lists reload those that they have.
    case stale(PageSelection, id: String? = nil)
    /// Pages with one of the tags are stale. Lists reload those that they have.
    case staleTags([String], id: String? = nil)
    /// There are this many more rows at the head of a scope. `PaginatorListStatus.newAbove` counts them until a list
    /// has reloaded its first page, for instance with `PaginatorListRefresh.firstPage`. The first page is stale in all
    /// scopes.
    case newRows(Int, scope: String = "", id: String? = nil)
    /// The source cannot tell what happened since the last event. All pages are stale, and lists reload theirs.
    case missed
    /// The connection has ended, or could not be opened. Unless the error is fatal, it is opened again after a growing
    /// random delay, added to the delay that the error states, at most an hour. ``SourceError/keyExpired(_:)`` says
    /// that the source no longer knows the last event, and counts as ``missed``.
    case closed(SourceError? = nil)
    /// The source has ended forever.
    case ended
}

extension PushEvent {
    package var id: String? {
        switch self {
        case .opened(let id), .change(_, let id), .stale(_, let id), .staleTags(_, let id), .newRows(_, _, let id): id
        case .missed, .closed, .ended: nil
        }
    }

    /// The event with an identity, unless it has its own.
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
