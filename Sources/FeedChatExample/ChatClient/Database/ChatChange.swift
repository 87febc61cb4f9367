import PaginatorCore

/// A change of a transaction, reported after its commit.
package enum ChatChange: Sendable, Hashable {
    /// A message was added.
    ///
    /// - `after`: the message before it in its conversation; `nil` if it is the first.
    /// - `isNewest`: whether no message is newer.
    case inserted(Message, contactId: String, after: Int64?, isNewest: Bool)
    /// A message has another content or status.
    case changed(Message, contactId: String)
    /// Messages were deleted on this device.
    case removed(messageIds: [Int64], contactId: String)
    /// The waiting requests or the draft have changed.
    case requests(contactId: String)
    /// The server has refused an edit or a deletion, which was rolled back.
    case changeRefused(contactId: String)
    /// The server has accepted receipts or changes.
    case confirmations
    /// Contacts have changed.
    case users
}

/// Reports the changes of a database to all subscribers, in the order of the commits.
package final class ChatChanges: Sendable {
    package typealias Handler = @Sendable ([ChatChange]) -> Void

    private struct State {
        var handlers: [(id: Int, handler: Handler)] = []
        var lastID = 0
    }

    private let state = Guarded(State())

    package init() {}

    /// Adds a subscriber, which is called on the database's writer queue and must return at once.
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

/// A subscription that ends when it is cancelled or released.
package final class ChatSubscription: Sendable {
    private let end: @Sendable () -> Void
    private let hasEnded = OnceFlag()

    package init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { cancel() }

    /// Cancels the subscription.
    package func cancel() {
        if hasEnded.take() { end() }
    }
}
