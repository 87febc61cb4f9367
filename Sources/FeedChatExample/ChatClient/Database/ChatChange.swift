import PaginatorCore

/// Something that a transaction changed, told after its commit.
package enum ChatChange: Sendable, Hashable {
    /// A message came.
    ///
    /// - `after`: the message before it in its conversation; `nil` where it is the first.
    /// - `isNewest`: whether none is newer.
    case inserted(Message, contactId: String, after: Int64?, isNewest: Bool)
    /// A message has another content or status.
    case changed(Message, contactId: String)
    /// Messages were deleted on this device.
    case removed(messageIds: [Int64], contactId: String)
    /// What waits for the server, or the draft, is different.
    case requests(contactId: String)
    /// The server has refused an edit or a deletion, and the message is as it was before.
    case changeRefused(contactId: String)
    /// The server has taken receipts or changes.
    case confirmations
    /// Contacts are different.
    case users
}

/// Tells the changes of a database to everybody who listens, in the order of the commits.
package final class ChatChanges: Sendable {
    package typealias Handler = @Sendable ([ChatChange]) -> Void

    private struct State {
        var handlers: [(id: Int, handler: Handler)] = []
        var lastID = 0
    }

    private let state = Guarded(State())

    package init() {}

    /// Adds a listener, which is called on the database's writer queue and returns at once.
    ///
    /// - Returns: the subscription, which ends when it is cancelled or released.
    package func subscribe(_ handler: @escaping Handler) -> ChatSubscription {
        let id = state.withLock { state -> Int in
            state.lastID += 1
            state.handlers.append((state.lastID, handler))
            return state.lastID
        }
        return ChatSubscription { [weak self] in
            self?.state.withLock { state in state.handlers.removeAll { $0.id == id } }
        }
    }

    func tell(_ changes: [ChatChange]) {
        guard !changes.isEmpty else { return }
        for (_, handler) in state.withLock({ $0.handlers }) { handler(changes) }
    }
}

/// Something that ends when it is cancelled or released.
package final class ChatSubscription: Sendable {
    private let end: @Sendable () -> Void
    private let hasEnded = OnceFlag()

    package init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { cancel() }

    /// Ends it.
    package func cancel() {
        if hasEnded.take() { end() }
    }
}
