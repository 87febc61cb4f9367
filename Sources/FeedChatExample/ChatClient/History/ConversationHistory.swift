package import PaginatorCore
package import PaginatorLists

/// The history of one conversation as one growing list, which follows the database.
///
/// Pages are read only from the database, never from a cache. New messages are placed by id, so that the visible rows
/// do not move.
package final class ConversationHistory: Sendable {
    package let list: PaginatorList<Message, Int64>
    package let contactId: String
    /// Messages that came since the list was created; ``newBelow()`` drops those up to the last one in the list.
    private let arrived = Guarded<Set<Int64>>([])
    private let subscription: ChatSubscription

    /// Creates a list that opens at the first unread message, without loading.
    ///
    /// - Parameters:
    ///   - unreadMarker: the oldest unread message; `nil` opens at the newest message.
    ///   - pageSize: the number of messages of a page.
    ///   - windowItems: the number of messages that stay loaded.
    package init(
        _ database: ChatDatabase, with contactId: String, unreadMarker: Int64?, pageSize: Int = 50,
        windowItems: Int? = 600, config: PaginatorConfig = DefaultPaginatorConfig()
    ) {
        self.contactId = contactId
        var config = config
        config.defaultPolicy = .networkOnly
        let paginator = CallbackPaginator(dataSource: HistorySource(database, with: contactId), config: config)
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = pageSize
        listConfig.scope = contactId
        listConfig.windowItems = windowItems
        listConfig.initialKey = unreadMarker.map { HistoryKey.around($0).text }
        let list = PaginatorList(paginator, config: listConfig)
        self.list = list
        subscription = database.changes.subscribe { [arrived] changes in
            for change in changes { Self.show(change, of: contactId, in: list, arrived) }
        }
    }

    /// Whether the list has the newest message.
    package var showsEnd: Bool { list.status.next == .endReached }

    /// Returns the number of messages that came after the last one in the list; zero while the list has the end.
    ///
    /// The list's own number has only those at its tail, and not those that came after a newer one, such as what was
    /// missed after a message of the user's own.
    package func newBelow() -> Int {
        let showsEnd = showsEnd
        let last = list.snapshot.last?.messageId ?? .min
        return arrived.withLock { arrived in
            arrived = arrived.filter { $0 > last }
            return showsEnd ? 0 : arrived.count
        }
    }

    /// Loads a message of the device into the list.
    package func jump(to messageId: Int64) {
        let (snapshot, key) = (list.snapshot, HistoryKey.around(messageId).text)
        let shown = snapshot.first.flatMap { first in snapshot.last.map { (first.messageId, $0.messageId) } }
        switch JumpPlan(to: messageId, shown: shown, isShown: snapshot.contains(id: messageId)) {
        case .nothing: list.hint(visible: messageId)
        case .before: list.jump(to: key, placement: .start)
        case .behind: list.jump(to: key, placement: .end)
        case .anew: list.show(scope: contactId, initialKey: key)
        }
    }

    private static func show(
        _ change: ChatChange, of contactId: String, in list: PaginatorList<Message, Int64>,
        _ arrived: Guarded<Set<Int64>>
    ) {
        switch change {
        case .inserted(let message, contactId, let before, let isNewest):
            _ = arrived.withLock { $0.insert(message.messageId) }
            if isNewest {
                list.insertLive([message], at: .tail)
            } else if let before {
                list.insertLive([message], at: .after(before))
            } else {
                list.insertLive([message], at: .head)
            }
        case .changed(let message, contactId):
            list.edits.update(message.messageId) { _ in message }
        case .removed(let messageIds, contactId):
            arrived.withLock { $0.subtract(messageIds) }
            for id in messageIds { list.edits.remove(id) }
        default: break
        }
    }
}
