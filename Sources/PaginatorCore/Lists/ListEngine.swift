/// The shell around ``ListMachine``: it feeds events in one at a time, and does what comes out.
///
/// No lock is held while the machine calls the identities and changes of the library's user, who may call the list from
/// there.
///
/// `@unchecked Sendable`: `machine`, `foreignEdits`, `fetches`, `refreshes`, `missed`, `pins`, `observations` and `anchor`
/// and the timer belong to whoever works on `letters`, and are handed on through their lock; `following` is set before the engine is shared.
package final class ListEngine<T: Sendable, ID: Hashable & Sendable>: @unchecked Sendable {
    enum Letter: Sendable {
        case event(ListEvent<T, ID>)
        /// What the last delivery of a load comes to.
        case ended(UInt64, ListEvent<T, ID>)
        case attach(UInt64, ListObservation<T, ID>)
        case detach(UInt64)
        case inspect(@Sendable (inout ListMachine<T, ID>) -> Void)
        case edit(ListEdit<T>)
        case refresh(PaginatorListRefresh, FetchTicket)
        /// Something has happened to pages, which every letter takes in first.
        case pagesChanged
        case conditionsChanged
    }

    let paginator: CallbackPaginator<T>
    let identifier: ItemIdentifier<T, ID>
    var id: @Sendable (T) -> ID { identifier.id }
    private let letters = SerialMailbox<Letter>()
    // Not checked for overlapping uses at run time: one letter is worked on at a time, and user code that calls the list
    // from there adds another.
    @exclusivity(unchecked) var machine: ListMachine<T, ID>
    /// Edits of items that the list did not have when it learned of them.
    @exclusivity(unchecked) var foreignEdits = ForeignEdits<T>()
    @exclusivity(unchecked) private var fetches: [UInt64: FetchTicket] = [:]
    /// Who waits for the end of a refresh.
    @exclusivity(unchecked) private var refreshes: [UInt64: FetchTicket] = [:]
    /// The newest pages that came to the caches while the list was loading them itself.
    @exclusivity(unchecked) private var missed: [(identity: PageIdentity, page: LoadedPage)] = []
    @exclusivity(unchecked) private var pins: Set<PageIdentity> = []
    @exclusivity(unchecked) private var observations: [UInt64: ListObservation<T, ID>] = [:]
    /// Where what is visible begins, as observers were told last.
    @exclusivity(unchecked) private var anchor: Int?
    private let published = Guarded(ListContent<T, ID>())
    let scope: String
    let pageSize: Int
    /// When the timer wakes the machine; `nil` when it does not.
    @exclusivity(unchecked) private var wakesAt: PaginatorInstant?
    @exclusivity(unchecked) private var timer: (any PaginatorTimer)?
    private let follower: PageFollower
    private var following: UInt64 = 0

    init(_ paginator: CallbackPaginator<T>, id: @escaping @Sendable (T) -> ID, config: PaginatorListConfig) {
        self.paginator = paginator
        identifier = ItemIdentifier(id)
        scope = config.scope
        pageSize = config.pageSize
        follower = PageFollower(scope: config.scope, pageSize: config.pageSize)
        machine = ListMachine(config: config, firstKey: paginator.engine.operations.firstKey)
        machine.startedAt = paginator.engine.makeTimeOfAsking()
        following = paginator.engine.follow(follower) { [weak self] in self?.post(.pagesChanged) }
        paginator.engine.scheduler.addListener(self)
        conditionsChanged()
    }

    deinit {
        paginator.engine.followers.remove(following)
        timer?.disarm()
        for ticket in refreshes.values { answer(ticket, FetchMachine.cancelled) }
        for ticket in fetches.values { _ = ticket.cancel() }
        for identity in pins { paginator.engine.unpin(identity) }
        for observation in observations.values { observation.end() }
    }

    /// What the list shows and does.
    var content: ListContent<T, ID> { published.withLock { $0 } }

    func feed(_ event: ListEvent<T, ID>) { post(.event(event)) }

    /// Adds a letter, and works on all there are unless somebody does already.
    func post(_ letter: Letter) {
        letters.post(letter) { work(on: $0) }
    }

    private func work(on letter: Letter) {
        takePageChanges()
        take(letter)
        takeMissedPages()
    }

    private func take(_ letter: Letter) {
        switch letter {
        case .pagesChanged:
            break
        case .conditionsChanged:
            // Read when its turn comes, so that the last one tells the newest.
            learn(.conditionsChanged(paginator.engine.scheduler.conditions))
        case .refresh(let refresh, let ticket):
            refreshes[ticket.id] = ticket
            learn(.refresh(refresh, at: paginator.engine.makeTimeOfAsking(), token: ticket.id))
        case .event(let event):
            learn(event)
        case .edit(let edit):
            learn(edit)
        case .ended(let load, let event):
            fetches[load] = nil
            learn(event)
        case .attach(let number, let observation):
            observations[number] = observation
            var touches = ListTouches()
            touches.isEverything = true
            tell(observation, .init(content: content, anchor: anchor, touches: touches, notices: []))
        case .detach(let number):
            observations[number] = nil
        case .inspect(let body):
            body(&machine)
        }
    }

    /// Takes in what has happened to pages in memory.
    private func takePageChanges() {
        for change in follower.take() {
            switch change {
            case .renewed(let identity, let loaded): renew(identity, loaded)
            case .invalidated(let selection): machine.handle(.invalidated(selection))
            }
        }
    }

    private func renew(_ identity: PageIdentity, _ loaded: LoadedPage) {
        guard !machine.isLoading(identity) else {
            // Mostly it is what the list waits for; but that may also fail, or be older.
            missed.removeAll { $0.identity == identity }
            return missed.append((identity, loaded))
        }
        guard machine.wantsRenewal(of: identity, loaded.fetchedAt) else { return }
        let engine = paginator.engine
        guard let page = page(engine.edits.current(loaded), at: engine.clock.now) else { return }
        learn(.renewed(identity, page))
    }

    /// Takes in the pages that came while the list was loading them, once it does so no longer.
    private func takeMissedPages() {
        guard !missed.isEmpty else { return }
        let waiting = missed
        missed = []
        for (identity, page) in waiting { renew(identity, page) }
    }

    /// Loads pages anew and tells when that is over.
    func refresh(_ refresh: PaginatorListRefresh, completion: @escaping @Sendable (PaginatorError?) -> Void) {
        let ticket = paginator.engine.makeTicket { delivery, _ in
            if case .answer(.failure(let error)) = delivery { completion(error) } else { completion(nil) }
        }
        post(.refresh(refresh, ticket))
    }

    /// Tells who waits for a refresh that it is over.
    private func answer(_ ticket: FetchTicket, _ error: PaginatorError?) {
        let engine = paginator.engine
        let delivery: Delivery = error.map { .answer(.failure($0)) } ?? .unobserved
        engine.mailbox.post(delivery, to: ticket, decidedAt: engine.clock.now)
    }

    func learn(_ event: ListEvent<T, ID>) {
        let event = foreignEdits.isEmpty ? event : recognizing(event)
        machine.handle(event)
        if case .hint = event, !machine.hasChanges {
            publishAnchor()
        } else {
            let ended = performActions()
            publish()
            for (ticket, error) in ended { answer(ticket, error) }
        }
    }

    /// - Returns: who is to be told, once that can be seen, that a refresh is over.
    private func performActions() -> [(FetchTicket, PaginatorError?)] {
        guard !machine.actions.isEmpty else { return [] }
        let actions = machine.actions
        machine.actions = []
        var ended: [(FetchTicket, PaginatorError?)] = []
        for action in actions {
            switch action {
            case .fetch(let load, let request, let isRefresh):
                fetch(load, request, isRefresh: isRefresh)
            case .cancel(let load):
                _ = fetches.removeValue(forKey: load)?.cancel()
            case .pin(let identity):
                if pins.insert(identity).inserted { paginator.engine.memory.pin(identity) }
            case .unpin(let identity):
                if pins.remove(identity) != nil { paginator.engine.unpin(identity) }
            case .wake(let delay):
                wake(after: delay)
            case .refreshEnded(let token, let error):
                if let ticket = refreshes.removeValue(forKey: token) { ended.append((ticket, error)) }
            }
        }
        return ended
    }

    private func fetch(_ load: UInt64, _ request: PageRequest, isRefresh: Bool) {
        let ticket = paginator.engine.makeTicket(takesBarePages: true) { [weak self] in self?.receive(load, $0, at: $1) }
        fetches[load] = ticket
        if isRefresh {
            paginator.engine.refresh(request, for: ticket)
        } else {
            paginator.engine.fetch(request, for: ticket)
        }
    }

    /// Lets the machine load ahead again after a while, without anybody's hint.
    private func wake(after delay: Duration) {
        let engine = paginator.engine
        let due = engine.clock.now.advanced(by: delay)
        if let wakesAt, wakesAt <= due, wakesAt > engine.clock.now { return }
        wakesAt = due
        let timer =
            timer
            ?? engine.clock.makeTimer { [weak self] in
                guard let self else { return }
                paginator.engine.executor.run { self.feed(.woken) }
            }
        self.timer = timer
        timer.arm(at: due)
    }

    /// Takes note that a load has ended.
    func ended(_ load: UInt64, _ event: ListEvent<T, ID>) {
        post(.ended(load, event))
    }

    /// Tells of a hint that asks for nothing: it moves the anchor at most. Who hints whenever it is told, as the layout of
    /// a view does, must come to an end, so the same anchor again is not told.
    private func publishAnchor() {
        let new = machine.findAnchor()
        guard new != anchor else { return }
        anchor = new
        guard !observations.isEmpty else { return }
        let change = ListChange<T, ID>(content: content, anchor: new, touches: ListTouches(), notices: [])
        for observation in observations.values { tell(observation, change) }
    }

    private func publish() {
        let change = machine.takeChanges()
        let content = change.content
        anchor = change.anchor
        // What it replaces is released outside the lock.
        let old = published.withLock { published in
            let old = published
            published = content
            return old
        }
        withExtendedLifetime(old) {}
        for observation in observations.values { tell(observation, change) }
    }

    private func tell(_ observation: ListObservation<T, ID>, _ change: ListChange<T, ID>) {
        observation.changed(change, in: paginator.engine.mailbox, at: paginator.engine.clock.now)
    }

    /// Adds an observer, which is told at once and after every event but a hint that changes nothing.
    func observe(
        wantsMain: Bool, _ handler: @escaping @Sendable (PaginatorListUpdate<T, ID>) -> Void
    ) -> PaginatorExecution {
        let engine = paginator.engine
        let observation = ListObservation(handler)
        let number = engine.makeTicketID()
        let ticket = engine.makeObservationTicket(number, wantsMain: wantsMain) { [weak self] in
            self?.post(.detach(number))
        } receive: {
            observation.receive($0, at: $1)
        }
        observation.start(with: ticket)
        post(.attach(number, observation))
        return ticket
    }
}

extension ListEngine {
    /// Takes what one load delivers, and reads the identities out before the machine sees them.
    private func receive(_ load: UInt64, _ delivery: Delivery, at now: PaginatorInstant) {
        switch delivery {
        case .preview(let page):
            if let page = self.page(page, at: now) { feed(.arrived(load, page, isFinal: false)) }
        case .answer(.success(let loaded)):
            let page = self.page(loaded, at: now)
            ended(
                load, page.map { .arrived(load, $0, isFinal: true) } ?? .failed(load, FetchMachine.released))
        case .answer(.failure(let error)):
            ended(load, .failed(load, error))
        case .cancelled:
            ended(load, .failed(load, FetchMachine.cancelled))
        case .neighbor, .neighborFailure, .aroundEnd, .changed, .unobserved:
            break
        }
    }

    private func page(_ loaded: LoadedPage, at now: PaginatorInstant) -> ListPage<T, ID>? {
        guard let page = loaded.object as? PaginatorPage<T> else { return nil }
        return ListPage(
            items: page.content.map { (id($0), $0) }, previous: page.prevKey, next: page.nextKey,
            fetchedAt: loaded.fetchedAt,
            staleFrom: loaded.isStale(at: now) ? now : loaded.expiresAt, refreshError: loaded.refreshError,
            editMark: loaded.editMark)
    }
}

extension ListEngine: ConditionsListener {
    func conditionsChanged() {
        post(.conditionsChanged)
    }
}

extension FetchEngine {
    /// Takes a pin away, and reports what had to leave because of it.
    func unpin(_ identity: PageIdentity) {
        for page in memory.unpin(identity) {
            var event = PaginatorEvent(.evicted, at: clock.now, identity: page.identity)
            event.evictionCause = page.cause
            report(event)
            observations.pageChanged(page.identity, in: mailbox, at: clock.now)
        }
    }
}
