/// Runs ``FollowMachine``: connects to a source, and applies its events one at a time, without a lock.
///
/// `@unchecked Sendable`: only the handler of `messages` uses the variables, and its lock passes them between threads.
final class Follower<Change: Sendable>: @unchecked Sendable {
    /// The follower: a paginator or a group.
    struct Target: Sendable {
        // Runs closures that apply and report events, in order.
        let run: @Sendable (@escaping @Sendable () -> Void) -> Void
        let take: @Sendable (Change) -> Void
        // Calls a closure for each engine, after the closures before it.
        let tell: @Sendable (@escaping @Sendable (FetchEngine) -> Void) -> Void
        // Runs a closure when the edits that `take` made are applied.
        let afterEdits: @Sendable (@escaping @Sendable () -> Void) -> Void
        let onApplied: @Sendable (_ eventID: String) -> Void
        let onEnd: @Sendable (PaginatorError?) -> Void
    }

    private let source: PushSource<Change>
    private let target: Target
    private let scheduler: PaginatorScheduler?
    private let clock: any PaginatorClock
    private let messages: SerialMailbox<@Sendable () -> Void>
    private let hasEnded = OnceFlag()
    private weak var endings: EndHandlers?
    private var machine: FollowMachine<Change>
    private var connection: SourceCancellation?
    private var timer: (any PaginatorTimer)?

    init(
        _ source: PushSource<Change>, from lastEventID: String?, scheduler: PaginatorScheduler?,
        clock: any PaginatorClock, seed: UInt64?, executor: any WorkExecutor, target: Target
    ) {
        self.source = source
        self.scheduler = scheduler
        self.clock = clock
        self.target = target
        machine = FollowMachine(from: lastEventID, seed: seed ?? UInt64.random(in: UInt64.min...UInt64.max))
        messages = SerialMailbox(on: executor) { $0() }
    }

    /// Starts, until the owner of `endings` ends; they retain it meanwhile.
    func start(until endings: EndHandlers) -> PaginatorExecution {
        // All that ending undoes is set up before `endings.set`, which ends this at once if the owner has ended.
        self.endings = endings
        scheduler?.addListener(ObjectIdentifier(self)) { [weak self] in self?.conditionsChanged() }
        let released = PaginatorError(.released, "What followed the source was released.")
        endings.set({ self.stop(released) }, for: ObjectIdentifier(self))
        conditionsChanged()
        return .custom { [weak self] in self?.stop(FetchMachine.cancelled) ?? false }
    }

    @discardableResult
    func stop(_ error: PaginatorError) -> Bool {
        guard hasEnded.take() else { return false }
        post { $0.handle(.stopped(error)) }
        return true
    }

    private func post(_ message: @escaping @Sendable (Follower) -> Void) {
        messages.post { [self] in message(self) }
    }

    private func handle(_ event: FollowMachine<Change>.Event) {
        let actions = machine.handle(event, at: clock.now)
        endings?.show(machine.shown, of: ObjectIdentifier(self))
        for action in actions { perform(action) }
    }

    private func perform(_ action: FollowMachine<Change>.Action) {
        switch action {
        case .connect(let number, let lastEventID):
            connection = source.connect(lastEventID) { [weak self] event in
                self?.post { $0.handle(.told(event, by: number)) }
            }
        case .disconnect:
            connection?.cancel()
            connection = nil
        case .apply(let event):
            target.run { [self] in if !hasEnded.isTaken { apply(event) } }
        case .keep(let id):
            target.run { [self] in
                target.afterEdits { [self] in if !hasEnded.isTaken { target.onApplied(id) } }
            }
        case .report(let kind, let error):
            var event = PaginatorEvent(kind, at: clock.now)
            event.error = error.map { PaginatorError(.sourceFailed, "The connection was lost.", underlying: $0) }
            target.run { [target, event] in target.tell { $0.report(event) } }
        case .wake(let due):
            let timer = timer ?? clock.makeTimer { [weak self] in self?.post { $0.handle(.timeCame) } }
            self.timer = timer
            timer.arm(at: due)
        case .end(let error):
            timer?.disarm()
            scheduler?.removeListener(ObjectIdentifier(self))
            endings?.set(nil, for: ObjectIdentifier(self))
            target.run { [self] in
                _ = hasEnded.take()
                target.onEnd(error)
            }
        }
    }

    private func conditionsChanged() {
        // Read when the message is handled, so that the last one gets the newest.
        post { follower in
            let conditions = follower.scheduler?.blockingConditions ?? []
            follower.handle(.hindered(!conditions.isDisjoint(with: [.offline, .background])))
        }
    }

    private func apply(_ event: PushEvent<Change>) {
        switch event {
        case .change(let change, _): target.take(change)
        case .stale(let selection, _): target.tell { $0.reload(.selected(selection)) }
        case .staleTags(let tags, _): target.tell { $0.reload(.tagged(Set(tags.map(ExactText.init)))) }
        case .newRows(let count, let scope, _): target.tell { $0.reportNewRows(count, scope: scope) }
        case .missed: target.tell { $0.reload(.selected(.all)) }
        case .opened, .closed, .ended: break
        }
    }
}

extension FetchEngine {
    /// Marks pages stale, and makes lists reload those that they have.
    func reload(_ pages: PageInvalidation) {
        feed(.invalidate(pages))
        announce(.reload(pages, at: makeRequestTime()), at: clock.now)
    }

    /// Reports rows at the source's head to lists. The first page becomes stale in every size, on disk as well; lists
    /// of other scopes reload theirs.
    func reportNewRows(_ count: Int, scope: String) {
        feed(.invalidate(.selected(.key(operations.firstKey))))
        announce(.newRows(count, scope: ExactText(scope), makeRequestTime()), at: clock.now)
    }
}
