import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs ``ListMachine``: the handler of a mailbox that feeds events one at a time and performs the actions.
///
/// It does not know the items' type, so it is compiled once: ``ListItems`` reads the items of pages. It calls identity
/// closures and edits, which are user code, without a lock, since they may call the list.
///
/// `@unchecked Sendable`: only the handler of `messages` uses the variables, and its lock passes them between threads.
final class ListEngine: @unchecked Sendable {
    /// The contents of a page of the paginator.
    typealias Content = (items: [(id: ListItemID, value: ListValue)], previous: String?, next: String?, total: Int?)
    typealias Reading = @Sendable (_ page: any AnyObject & Sendable, ListEngine) -> Content

    let host: ListHost
    let pageSize: Int
    // The scope that was requested last, and the number of requests.
    private let requested: Guarded<(scope: String, count: Int)>
    // The number of the request whose scope is shown.
    private var shownNumber = 0
    private let messages = SerialMailbox<@Sendable () -> Void>()
    private let read: Reading
    private let places: ListItemTable
    var machine: ListMachine
    private var fetches: [UInt64: PaginatorExecution] = [:]
    private var waiting: [UInt64: FetchTicket] = [:]
    // The newest pages that were cached while the list was loading the same pages.
    private var arrivedMeanwhile: [(identity: PageIdentity, page: LoadedPage)] = []
    private var pins: Set<PageIdentity> = []
    private var observers: [UInt64: ChangeSubscription<ListChange>] = [:]
    // The anchor that was last sent to observers.
    private var anchor: Int?
    private(set) var wakesAt: PaginatorInstant?
    private var timer: (any PaginatorTimer)?
    private let published: Guarded<ListContent>

    // Includes the scope of the old rows, which stay until the first page arrives.
    private var scopes: Set<ExactText> {
        Set(([machine.config] + machine.kept.map(\.config)).map { ExactText($0.scope) })
    }

    var scope: String { requested.withLock { $0.scope } }

    init(_ host: ListHost, config: PaginatorListConfig, places: ListItemTable, read: @escaping Reading) {
        self.host = host
        self.places = places
        var config = config
        config.policy = config.policy ?? host.defaultPolicy
        // Unique in the paginator, so that the debounce key is this list's own.
        let startedAt = host.makeRequestTime()
        config.debounce = config.debounce.map { DebounceKey("\($0.name) \(startedAt.nanoseconds)", delay: $0.delay) }
        published = Guarded(ListContent(status: PaginatorListStatus(scope: config.scope), places: places))
        self.read = read
        requested = Guarded((config.scope, 0))
        pageSize = config.pageSize
        machine = ListMachine(config: config, firstKey: host.firstKey, needsConnection: host.needsConnection)
        machine.startedAt = startedAt
        // Each message first takes in changed pages. This message is for changes with no other message after them.
        host.listen(
            to: scopes, pageSize: pageSize, pagesChanged: { [weak self] in self?.post { _ in } },
            conditionsChanged: { [weak self] in self?.conditionsChanged() })
        conditionsChanged()
    }

    deinit {
        host.end()
        timer?.disarm()
        for ticket in waiting.values { host.answer(ticket, ListMachine.cancelled) }
        for ticket in fetches.values { _ = ticket.cancel() }
        for identity in pins { host.unpin(identity) }
        for observer in observers.values { observer.end() }
    }

    var content: ListContent { published.withLock { $0 } }

    func feed(_ event: @escaping @Sendable (inout ListMachine) -> Void) {
        post { $0.learn(event) }
    }

    func post(_ message: @escaping @Sendable (ListEngine) -> Void) {
        messages.run {
            self.takePageChanges()
            message(self)
            self.takeArrivedMeanwhile()
        }
    }

    private func takePageChanges() {
        // On each message, because each edit is a message, and the log drops old edits that these pages may lack.
        arrivedMeanwhile = arrivedMeanwhile.map { ($0.identity, host.current($0.page)) }
        for change in host.takeChanges() {
            switch change {
            case .renewed(let identity, let loaded): renew(identity, loaded)
            case .invalidated(let pages, let time):
                for (index, (identity, page)) in arrivedMeanwhile.enumerated()
                where page.fetchedAt < time && pages.contains(identity, page.tags) {
                    arrivedMeanwhile[index].page.isInvalidated = true
                }
                learn { $0.invalidated(pages, at: time) }
            case .reload(let pages, let time): learn { $0.reload(pages, at: time) }
            case .newRows(let count, let scope, let time): learn { $0.reportNewRows(count, in: scope, at: time) }
            case .state: break
            }
        }
    }

    private func renew(_ identity: PageIdentity, _ loaded: LoadedPage) {
        guard !machine.isLoading(identity) else {
            // Usually the list's own load brings it; but that load may fail, or its page may be older.
            arrivedMeanwhile.removeAll { $0.identity == identity }
            return arrivedMeanwhile.append((identity, loaded))
        }
        guard machine.wantsRenewal(of: identity, loaded.fetchedAt) else { return }
        let page = page(loaded, at: host.clock.now)
        learn { $0.renewed(identity, page) }
    }

    private func takeArrivedMeanwhile() {
        let waiting = arrivedMeanwhile
        arrivedMeanwhile = []
        for (identity, page) in waiting { renew(identity, page) }
    }

    // An event without a change is not reported. Otherwise a view that hints or loads in each layout would loop.
    func learn(_ event: (inout ListMachine) -> Void) {
        let hadKept = !machine.kept.isEmpty
        machine.handle(event)
        if hadKept { host.follow(scopes) }
        // Before observers are called, so that the loads that the status shows are running.
        let ended = performActions()
        for rank in machine.touches ?? Set(machine.shown.ranks) {
            if let place = machine.shown.place(of: rank) { places.note(place.payload.rows, at: rank) }
        }
        let (change, staleTime) = machine.takeChange(at: host.clock.now, places: places)
        if let staleTime { wake(at: staleTime) }
        let isQuiet =
            change.touches == [] && change.notices.isEmpty && change.anchor == anchor
            && change.content.status == content.status
        if !isQuiet { publish(change) }
        for (ticket, error) in ended { host.answer(ticket, error) }
    }

    private func publish(_ change: ListChange) {
        anchor = change.anchor
        published.replace(with: change.content)
        for observer in observers.values { host.tell(change, to: observer) }
    }

    // - Returns: the waiters whose work has ended, to be called once the change is visible.
    private func performActions() -> [(FetchTicket, PaginatorError?)] {
        let actions = machine.actions
        machine.actions = []
        var ended: [(FetchTicket, PaginatorError?)] = []
        for action in actions {
            switch action {
            case .fetch(let load, let request, let isRefresh):
                fetches[load] = host.fetch(request, isRefresh: isRefresh) { [weak self] answer, isFinal, now in
                    self?.post { $0.take(answer, isFinal: isFinal, of: load, at: now) }
                }
            case .cancel(let load):
                _ = fetches.removeValue(forKey: load)?.cancel()
            case .pin(let identity):
                if pins.insert(identity).inserted { host.pin(identity) }
            case .unpin(let identity):
                if pins.remove(identity) != nil { host.unpin(identity) }
            case .wake(let delay):
                wake(at: host.clock.now.advanced(by: delay))
            case .ended(let token, let error):
                if let ticket = waiting.removeValue(forKey: token) { ended.append((ticket, error)) }
            }
        }
        return ended
    }

    private func take(
        _ answer: Result<LoadedPage, PaginatorError>, isFinal: Bool, of load: UInt64, at now: PaginatorInstant
    ) {
        if isFinal { fetches[load] = nil }
        switch answer {
        case .success(let loaded):
            let page = page(loaded, at: now)
            learn { $0.arrived(load, page, isFinal: isFinal) }
        case .failure(let error): learn { $0.failed(load, error) }
        }
    }

    // One timer, for the earliest time. When it fires, later times set it again.
    private func wake(at due: PaginatorInstant) {
        let host = host
        // A time in the past counts as well: after a suspension the timer is late, and its message may still wait.
        if let wakesAt, wakesAt <= due { return }
        wakesAt = due
        let timer =
            timer
            ?? host.clock.makeTimer { [weak self] in
                guard let self else { return }
                host.executor.run {
                    self.post { list in
                        list.wakesAt = nil
                        list.learn { $0.woken() }
                    }
                }
            }
        self.timer = timer
        timer.arm(at: due)
    }

    private func page(_ loaded: LoadedPage, at now: PaginatorInstant) -> ListPage {
        // Now, and not on delivery, so that it has every edit whose commit the list knows.
        let loaded = host.current(loaded)
        let content = read(loaded.object, self)
        return ListPage(
            items: content.items, previous: content.previous, next: content.next, fetchedAt: loaded.fetchedAt,
            calledAt: loaded.calledAt,
            loadTime: loaded.isOneAnswer ? loaded.fetchedAt.duration(to: now) : nil,
            staleFrom: loaded.staleFrom(at: now), isStale: loaded.isStale(at: now),
            savedAt: host.clock.wallTime - max(.zero, loaded.fetchedAt.duration(to: now)).inSeconds,
            refreshError: loaded.refreshError,
            editCount: loaded.editCount, total: content.total, tags: loaded.tags,
            isPartial: loaded.isPartial)
    }

    func refresh(_ refresh: PaginatorListRefresh, completion: (@Sendable (PaginatorError?) -> Void)?) {
        let time = host.makeRequestTime()
        guard let completion else { return feed { $0.refresh(refresh, at: time) } }
        _ = wait(completion) { $0.refresh(refresh, at: time, token: $1) }
    }

    func loadAll(limit: Int, completion: @escaping @Sendable (PaginatorError?) -> Void) -> PaginatorExecution {
        wait(completion) { $0.loadAll(limit, token: $1) }
    }

    // Registers a waiter, and passes the token by which the machine ends it to `event`.
    private func wait(
        _ completion: @escaping @Sendable (PaginatorError?) -> Void,
        for event: @escaping @Sendable (inout ListMachine, _ token: UInt64) -> Void
    ) -> PaginatorExecution {
        let ticket = host.makeTicket(
            onCancel: { [weak self] token in
                self?.post { $0.learn { $0.endGoal(token, with: ListMachine.cancelled) } }
            }, completion: completion)
        post { list in
            list.waiting[ticket.id] = ticket
            list.learn { event(&$0, ticket.id) }
        }
        return ticket
    }

    // `switched` is called once the list shows the scope, before any further event.
    func show(
        _ scope: String, initialKey: String?, keepsRows: Bool, switched: @escaping @Sendable () -> Void
    ) {
        let time = host.makeRequestTime()
        let number = requested.withLock { requested in
            requested = (scope, requested.count + 1)
            return requested.count
        }
        post { list in
            // The message of a later request was handled first.
            guard number > list.shownNumber else { return }
            list.shownNumber = number
            list.arrivedMeanwhile = []
            list.machine.handle { $0.show(scope, initialKey: initialKey, keepsRows: keepsRows, at: time) }
            // Set before the first load begins.
            list.host.follow(list.scopes)
            list.learn { _ in }
            switched()
        }
    }

    // Adds an observer. It is called at once, and after every event that changes something, with the change, the update
    // before it, and the number of the change in this observation.
    func observe(
        at place: FetchTicket.Place = .callbackQueue,
        _ handler: @escaping @Sendable (ListChange, _ before: ListRows, ListChange.Numbers) -> Void
    ) -> PaginatorExecution {
        let (told, observation) = (Guarded((rows: ListRows(), updates: 0)), ListChange.Observation())
        let observer = ChangeSubscription<ListChange>(merge: { $1.replacing($0) }) { observer in
            guard let change = observer.take() else { return }
            let (before, number) = told.withLock { told in
                defer { told = (change.content.rows, told.updates + 1) }
                return told
            }
            handler(change, before, .init(observation: observation, first: number, last: number))
        }
        let ticket = host.subscribe(observer, at: place) { [weak self] number in
            self?.post { $0.observers[number] = nil }
        }
        let number = ticket.id
        post { list in
            list.observers[number] = observer
            let change = ListChange(content: list.content, anchor: list.anchor, touches: nil)
            list.host.tell(change, to: observer)
        }
        return ticket
    }

    private func conditionsChanged() {
        // Read when the message is handled, so that the last one gets the newest.
        post { list in
            let conditions = list.host.blockingConditions
            list.learn { $0.conditionsChanged(conditions) }
        }
    }
}
