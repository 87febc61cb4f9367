@testable import PaginatorCore

/// A `FetchMachine` that is fed event by event at stated times, and whose actions read as short texts.
///
/// Ordered actions: "admit 1", "post #1 page", "submit t1 medium", "end t1 accepted". Unordered ones: "look 1",
/// "call t1 attempt 1", "judge t1". Tasks, looks and decisions are numbered in the order in which they come up.
final class MachineScript {
    /// An item that is told from others by its number.
    final class Object: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private(set) var machine: FetchMachine
    private(set) var tasks: [UInt64] = []
    /// The loads that look into memory, and that read the store.
    private(set) var looks: [UInt64] = []
    private(set) var reads: [UInt64] = []
    /// The load of the last look for each key.
    private(set) var looksByKey: [String: UInt64] = [:]
    private(set) var decisions: [DecisionToken] = []
    /// The events reported so far, which are left out of the ordered texts.
    private(set) var events: [PaginatorEvent.Kind] = []
    /// Everything that was posted.
    private(set) var posts: [String] = []
    /// What did not hold after one of the events.
    private(set) var violations: [String] = []
    private var lastTicket: UInt64 = 0
    var now = PaginatorInstant.zero

    init(_ configure: (inout FetchMachine.Settings) -> Void = { _ in }) {
        var settings = FetchMachine.Settings()
        settings.firstKey = "0"
        configure(&settings)
        machine = FetchMachine(settings: settings)
    }

    /// What came of one event.
    struct Outcome: Equatable, CustomStringConvertible {
        var ordered: [String] = []
        var unordered: [String] = []

        var description: String { "ordered \(ordered), unordered \(unordered)" }

        static func did(_ ordered: [String] = [], then unordered: [String] = []) -> Outcome {
            Outcome(ordered: ordered, unordered: unordered)
        }

        static let nothing = Outcome()
    }

    /// Feeds an event and takes what comes of it.
    @discardableResult
    func feed(_ event: FetchEvent) -> Outcome {
        machine.handle(event, at: now)
        var outcome = Outcome()
        for action in machine.outbox.ordered {
            if let text = text(action) { outcome.ordered.append(text) }
        }
        for action in machine.outbox.unordered { outcome.unordered.append(text(action)) }
        machine.outbox = MachineOutbox()
        violations += machine.invariantViolations()
        posts += outcome.ordered.filter { $0.hasPrefix("post") }
        return outcome
    }

    /// Makes the ticket of a new fetch, numbered from 1.
    func ticket() -> FetchTicket {
        lastTicket += 1
        return FetchTicket(id: lastTicket, onCancel: { _ in }, receiver: nil)
    }

    /// Starts a fetch of a page of 10 items.
    @discardableResult
    func fetch(
        _ key: String = "1", policy: FetchPolicy? = nil, priority: FetchPriority = .medium, timeout: Duration? = nil,
        debounce: DebounceKey? = nil, memory: CacheAnswer? = nil
    ) -> Outcome {
        let request = PageRequest(
            key: key, pageSize: 10, priority: priority, policy: policy, timeout: timeout, debounce: debounce)
        return feed(.fetch(ticket(), request, request.identity, memory: memory.map(found)))
    }

    /// Starts a prefetch of pages of 10 items.
    @discardableResult
    func prefetch(_ keys: String..., as ticket: FetchTicket) -> Outcome {
        feed(.prefetch(ticket, PrefetchRequest(keys: keys, pageSize: 10), refused: [:]))
    }

    /// A look into memory that was made just now.
    func found(_ answer: CacheAnswer) -> MemoryLookup {
        MemoryLookup(answer: answer, changes: machine.memoryChanges.count)
    }

    /// Starts a fetch and brings its load to the source: the look misses, the scheduler starts the task.
    func call(
        _ key: String = "1", policy: FetchPolicy = .networkOnly, timeout: Duration? = nil
    ) {
        fetch(key, policy: policy, timeout: timeout)
        if policy != .networkOnly { look(.miss) }
        start()
    }

    @discardableResult
    func look(_ answer: CacheAnswer) -> Outcome { feed(.looked(looks[looks.count - 1], answer)) }

    @discardableResult
    func read(_ answer: CacheAnswer) -> Outcome { feed(.readStore(reads[reads.count - 1], answer)) }

    /// The scheduler starts the newest task, and the source is called.
    @discardableResult
    func start() -> Outcome {
        let task = tasks[tasks.count - 1]
        let outcome = feed(.started(task, waited: .zero))
        _ = machine.planCall(task, at: now)
        return outcome
    }

    /// The source answers the newest task.
    @discardableResult
    func answer(_ result: Result<LoadedPage, SourceError>, key: String = "1") -> Outcome {
        feed(.answered(tasks[tasks.count - 1], identity(key), result))
    }

    @discardableResult
    func judge(_ verdict: PageVerdict = .accept) -> Outcome {
        feed(.judged(tasks[tasks.count - 1], verdict))
    }

    @discardableResult
    func decide(_ decision: ErrorStrategy.Decision) -> Outcome {
        feed(.decided(decisions[decisions.count - 1], decision))
    }

    /// Lets time pass; the expiry of memory that goes with every such event is left out.
    @discardableResult
    func pass(_ duration: Duration) -> Outcome {
        now = now.advanced(by: duration)
        var outcome = feed(.timePassed)
        outcome.ordered.removeAll { $0 == "expire" }
        return outcome
    }

    /// A page around another one fails.
    func settle(around id: UInt64, at distance: Int) {
        machine.aroundSettled(id, distance, .failure(FetchMachine.cancelled))
    }

    func identity(_ key: String = "1") -> PageIdentity { PageIdentity(key: key, pageSize: 10) }

    func page(
        _ number: Int = 1, origin: PageOrigin = .source, expiresAt: PaginatorInstant? = nil, next: String? = nil,
        previous: String? = nil
    ) -> LoadedPage {
        LoadedPage(
            object: Object(number),
            details: LoadedPage.Details(
                facts: PageFacts(bytes: 1, items: 1, keyHash: 0),
                next: next.map(Result.success), previous: previous.map(Result.success),
                expiresAt: expiresAt),
            origin: origin, fetchedAt: now)
    }

    /// A page from memory that is past its time.
    func stale(_ number: Int = 1) -> LoadedPage { page(number, origin: .memory, expiresAt: .zero) }

    /// A transient failure of the source.
    static let outage: Result<LoadedPage, SourceError> = .failure(.retry(FetchRig.Outage()))
    /// A failure that would repeat.
    static let fatal: Result<LoadedPage, SourceError> = .failure(.fatal(FetchRig.Outage()))

    var isQuiet: Bool { machine.describe() == FetchRig.quiet && machine.nextDeadline == nil && violations.isEmpty }
}

// How actions read.
extension MachineScript {
    private func task(_ id: UInt64) -> String {
        if let known = tasks.firstIndex(of: id) { return "t\(known + 1)" }
        tasks.append(id)
        return "t\(tasks.count)"
    }

    private func number(_ page: LoadedPage) -> String {
        let mark = page.refreshError.map { " for \($0.code)" } ?? ""
        return "\((page.object as? Object)?.number ?? -1)\(mark)"
    }

    private func text(_ selection: PageSelection) -> String {
        switch selection {
        case .identity(let identity): identity.key
        case .key(let key): "key \(key)"
        case .scope(let scope): "scope \(scope)"
        case .all: "all"
        }
    }

    private func text(_ delivery: Delivery) -> String {
        switch delivery {
        case .preview(let page): "preview \(number(page))"
        case .answer(.success(let page)): "page \(number(page))"
        case .answer(.failure(let error)): "\(error.code)"
        case .neighbor(let page, let distance): "page \(number(page)) at \(distance)"
        case .neighborFailure(let error, let distance): "\(error.code) at \(distance)"
        case .aroundEnd(.success(let summary)): "end \(summary.delivered)"
        case .aroundEnd(.failure(let error)): "end \(error.code)"
        case .prefetchEnd(let summary): text(summary)
        case .cancelled: "cancelled"
        case .changed: "changed"
        case .unobserved: "unobserved"
        case .listEnd: "end of a list"
        }
    }

    private func text(_ summary: PrefetchSummary) -> String {
        let loaded = summary.loaded.map(\.key)
        return "prefetched \(loaded.isEmpty ? "nothing" : loaded.joined(separator: " "))"
            + summary.fresh.map { ", fresh \($0.key)" }.joined()
            + summary.failed.map { ", failed \($0.key) \($1.code)" }.sorted().joined()
            + summary.unfinished.map { ", unfinished \($0.key)" }.joined()
    }

    private func text(_ demand: SchedulerDemand) -> String {
        "\(demand.priority)\(demand.isAhead ? " prefetch" : "")"
    }

    private func text(_ action: OrderedAction) -> String? {
        switch action {
        case .admit(let identity, let page): return "admit \(identity.key) \(number(page))"
        case .removeFromMemory(let selection, _): return "remove \(text(selection))"
        case .dropFromMemory(let identity, _): return "drop \(identity.key)"
        case .invalidateMemory(.selected(let selection), _): return "invalidate \(text(selection))"
        case .invalidateMemory(.tagged(let tags), _): return "invalidate tags \(tags.map(\.text).sorted())"
        case .expireMemory: return "expire"
        case .changeStore(.save(let identity, let page)): return "save \(identity.key) \(number(page))"
        case .changeStore(.remove(let selection)): return "unstore \(text(selection))"
        case .changeStore(.invalidate(let selection)): return "invalidate stored \(text(selection))"
        case .changeStore(.invalidateTags), .changeStore(.edit): return "change the store"
        case .readStore(let identity, let load):
            reads.append(load)
            return "read \(identity.key)"
        case .post(let callback): return "post #\(callback.ticket.id) \(text(callback.delivery))"
        case .report(let event):
            events.append(event.kind)
            return nil
        case .pageChanged: return nil
        case .submit(let id, let demand):
            return "submit \(task(id)) \(text(demand))"
        case .retry(let id, let demand, let failures, let delay):
            let stated = delay.map { " after \($0)" } ?? ""
            return "retry \(task(id)) \(text(demand)) failures \(failures)\(stated)"
        case .reprioritize(let id, let demand):
            return "reprioritize \(task(id)) \(text(demand))"
        case .withdraw(let id): return "withdraw \(task(id))"
        case .endAttempt(let id, let outcome): return "end \(task(id)) \(outcome)"
        case .callSource(let id, let request): return "call \(task(id)) \(request.key) attempt \(request.attempt)"
        }
    }

    private func text(_ action: UnorderedAction) -> String {
        switch action {
        case .lookUp(let identity, let load, _):
            looks.append(load)
            looksByKey[identity.key] = load
            return "look \(identity.key)"
        case .stopSource(let id): return "stop \(task(id))"
        case .judge(let id, _, let page): return "judge \(task(id)) \(number(page))"
        case .decide(let token, let failure):
            decisions.append(token)
            return
                "decide \(failure.error.code) \(failure.attempt)/\(failure.maxAttempts)\(failure.isRetryable ? " retryable" : "")"
        case .neighborKeys(let id, let request):
            return "neighbors #\(id) \(request.page.key) depth \(request.depthLevel)"
        case .resumeTask(let callback): return "resume #\(callback.ticket.id) \(text(callback.delivery))"
        }
    }
}
