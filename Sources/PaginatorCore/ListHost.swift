/// A list's view of its paginator. Each list has its own.
///
/// `@unchecked Sendable`: only the handler of messages uses `topics`; other variables are set before the first message.
package final class ListHost: @unchecked Sendable {
    private let engine: FetchEngine
    private var pageChanges: PageSubscriptions.Subscriber?
    private var following: UInt64 = 0
    private var pageSize = 0
    private var topics: Set<PageSubscriptions.Topic> = []

    init(_ engine: FetchEngine) {
        self.engine = engine
    }
}

package extension ListHost {
    var clock: any PaginatorClock { engine.clock }
    var executor: any WorkExecutor { engine.executor }
    /// The key of the source's first page.
    var firstKey: String { engine.operations.firstKey }
    var needsConnection: Bool { engine.operations.needsConnection }
    var defaultPolicy: FetchPolicy { engine.config.defaultPolicy }
    /// The number of clears and invalidations so far.
    var invalidations: UInt64 { engine.invalidations.value }
    /// The conditions that hold back loads.
    var blockingConditions: PaginatorConditions { engine.scheduler.blockingConditions }

    /// Returns a time after every call of the source so far, and before every later one.
    func makeRequestTime() -> PaginatorInstant { engine.makeRequestTime() }

    /// Starts listening for changes, once, until ``end()``.
    func listen(
        to scopes: Set<ExactText>, pageSize: Int, pagesChanged: @escaping @Sendable () -> Void,
        conditionsChanged: @escaping @Sendable () -> Void
    ) {
        self.pageSize = pageSize
        let changes = PageSubscriptions.Subscriber(merge: PageChange.newest) { _ in pagesChanged() }
        following = engine.subscribe(changes, onCancel: { _ in }).id
        pageChanges = changes
        follow(scopes)
        // Last, because it may call back before it returns.
        engine.scheduler.addListener(ObjectIdentifier(self), conditionsChanged)
    }

    /// Sets the scopes whose pages it listens to; one call at a time.
    func follow(_ scopes: Set<ExactText>) {
        guard let pageChanges else { return }
        let wanted = Set(scopes.map { PageSubscriptions.Topic.list(scope: $0, pageSize: pageSize) })
        for topic in topics.subtracting(wanted) { engine.subscriptions.remove(following, from: topic) }
        for topic in wanted.subtracting(topics) { engine.subscriptions.add(pageChanges, as: following, to: topic) }
        topics = wanted
    }

    /// Returns the changes since the last call; of each page only the newest.
    func takeChanges() -> [PageChange] { pageChanges?.take() ?? [] }

    func end() {
        engine.scheduler.removeListener(ObjectIdentifier(self))
        for topic in topics { engine.subscriptions.remove(following, from: topic) }
        pageChanges?.end()
    }

    /// Loads a page. Pages come without pending edits, which the list applies.
    func fetch(
        _ request: PageRequest, isRefresh: Bool,
        _ receiver:
            @escaping @Sendable (
                _ answer: Result<LoadedPage, PaginatorError>, _ isFinal: Bool, _ now: PaginatorInstant
            ) -> Void
    ) -> PaginatorExecution {
        let ticket = engine.makeTicket(appliesPendingEdits: true) { delivery, now in
            switch delivery {
            case .preview(let page): receiver(.success(page), false, now)
            case .answer(let answer): receiver(answer, true, now)
            case .cancelled: receiver(.failure(FetchMachine.cancelled), true, now)
            case .neighbor, .neighborFailure, .aroundEnd, .prefetchEnd, .listEnd, .changed, .unobserved: break
            }
        }
        if isRefresh { engine.refresh(request, for: ticket) } else { engine.fetch(request, for: ticket) }
        return ticket
    }

    /// Returns the page with all edits that were committed since it arrived.
    func current(_ page: LoadedPage) -> LoadedPage { engine.edits.current(page) }

    func pin(_ identity: PageIdentity) { engine.memory.pin(identity, isAwaited: true) }

    func unpin(_ identity: PageIdentity) {
        engine.reportRemoved(engine.memory.unpin(identity), at: engine.clock.now)
    }

    /// Creates a ticket for a waiter of the list. `onCancel` must not retain the list.
    func makeTicket(
        onCancel: @escaping @Sendable (_ number: UInt64) -> Void,
        completion: @escaping @Sendable (PaginatorError?) -> Void
    ) -> FetchTicket {
        let engine = engine
        return FetchTicket(
            id: engine.lastTicket.add(1),
            onCancel: { ticket in
                engine.mailbox.post(.cancelled, to: ticket, decidedAt: engine.clock.now)
                onCancel(ticket.id)
            },
            receiver: { delivery, _ in
                if case .listEnd(let error) = delivery { completion(error) } else { completion(FetchMachine.cancelled) }
            })
    }

    func answer(_ ticket: FetchTicket, _ error: PaginatorError?) {
        engine.mailbox.post(.listEnd(error), to: ticket, decidedAt: engine.clock.now)
    }

    /// Starts a subscription. `onCancel` is called once, and must not retain the list.
    func subscribe<Change>(
        _ subscription: ChangeSubscription<Change>, at place: FetchTicket.Place,
        onCancel: @escaping @Sendable (_ number: UInt64) -> Void
    ) -> FetchTicket {
        engine.subscribe(subscription, at: place, onCancel: onCancel)
    }

    func tell<Change>(_ change: Change, to subscription: ChangeSubscription<Change>) {
        subscription.tell(change, in: engine.mailbox, at: engine.clock.now)
    }
}

extension CallbackPaginator {
    package func makeListHost() -> ListHost { ListHost(engine) }

    /// Reports the edits that concern a list, see ``EditBoard/attach(_:)``; returns a closure that sets its scope.
    package func tellEdits(
        scope: String, to take: @escaping @Sendable (ListEdit<T>?) -> Bool
    ) -> @Sendable (_ scope: String) -> Void {
        let list = EditBoard<T>.AttachedList(scope: scope, take)
        editBoard.attach(list)
        return { [editBoard] in editBoard.move(list, to: $0) }
    }

    package func edits<ID>(
        by identifier: ItemIdentifier<T, ID>, scope: @escaping @Sendable () -> String?
    ) -> PaginatorEdits<T, ID> {
        PaginatorEdits(editBoard, identifier, scope: scope)
    }
}

extension PageChange {
    // Merges two groups of changes for one list; of each page only the newest is kept.
    fileprivate static func newest(_ earlier: [PageChange], _ later: [PageChange]) -> [PageChange] {
        var renewed: Set<PageIdentity> = []
        for case .renewed(let identity, _) in later { renewed.insert(identity) }
        let kept = earlier.filter { change in
            if case .renewed(let identity, _) = change { !renewed.contains(identity) } else { true }
        }
        return kept + later
    }
}
