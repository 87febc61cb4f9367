// Long because the driver of the oracle stands here: one user, one source, one store, one thread.
import Oracles
import PaginatorTesting

@testable import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What may go wrong in a history; each seed draws its own few.
struct FetchTrouble: OptionSet {
    let rawValue: Int
    static let sourceFails = FetchTrouble(rawValue: 1)
    static let sourceHangs = FetchTrouble(rawValue: 2)
    static let sourceBlocks = FetchTrouble(rawValue: 4)
    static let storeSilent = FetchTrouble(rawValue: 8)
    static let storeFails = FetchTrouble(rawValue: 16)
    static let storeSlow = FetchTrouble(rawValue: 32)
    static let conditions = FetchTrouble(rawValue: 64)
    static let suspends = FetchTrouble(rawValue: 128)
    static let sleeps = FetchTrouble(rawValue: 256)
    static let badPages = FetchTrouble(rawValue: 512)
    static let hostileKeys = FetchTrouble(rawValue: 1_024)
    static let slowJudge = FetchTrouble(rawValue: 2_048)
    static let edits = FetchTrouble(rawValue: 4_096)
    static let noStore = FetchTrouble(rawValue: 8_192)
    static let smallMemory = FetchTrouble(rawValue: 16_384)
    /// The user's clock and the user's objects that go call the library.
    static let userCalls = FetchTrouble(rawValue: 32_768)
    /// Those that give a fetch a reason to fail.
    static let reasons: FetchTrouble = [
        .sourceFails, .sourceHangs, .sourceBlocks, .conditions, .suspends, .badPages, .slowJudge,
    ]
}

/// A paginator, and everything around it, on one thread in the time of a ``SleepyClock``.
///
/// `@unchecked Sendable`: everything runs on the thread of the history.
final class FetchWorld: @unchecked Sendable {
    static let second: Int64 = 1_000_000_000
    let findings: Findings
    let clock = SleepyClock()
    let executor = SimulatedExecutor()
    let connectivity = ScriptedConnectivity()
    let model: FetchModel
    let store = ModelStore()
    let maxCalls: Int
    var dice: Dice
    let drawn: FetchTrouble
    var trouble: FetchTrouble
    var paginator: CallbackPaginator<ModelRow>?
    var edits: PaginatorEdits<ModelRow, Int>?
    var pending: [(number: Int, edit: PaginatorEdit<ModelRow>, base: [Int])] = []
    var serverEdits: [Int: [Int]] = [:]
    var serverDeleted: Set<Int> = []
    /// What the world does later, by awake time.
    var agenda: [(due: Int64, work: () -> Void)] = []
    var executions: [(caller: Int?, execution: PaginatorExecution)] = []
    var watches: [Watch] = []
    var ears: [WeakObject] = []
    var tokens: [WeakObject] = []
    var conditionsSince = 0
    var isSuspended = false
    var suspendedSince = 0
    var calling = 0
    var nesting = 0
    /// Answers of a source that was told to hold them.
    var held: [(answer: () -> Void, failure: () -> Void)] = []
    var isHolding = false
    /// What a validator does the next time that it judges a page in memory or in the store.
    var onJudge: (() -> Void)?
    /// A callback runs, so that no other can.
    var isHearing = false
    var isInUserCode = false

    /// Part of a page; like an object of a user, it may call the library when it goes.
    ///
    /// `@unchecked Sendable`: everything runs on the thread of the history.
    final class Token: @unchecked Sendable {
        private let onRelease: () -> Void
        init(_ onRelease: @escaping () -> Void) { self.onRelease = onRelease }
        deinit { onRelease() }
    }

    /// What the user's own code calls, wherever the library runs it.
    func callAsUser() {
        guard drawn.contains(.userCalls), !isInUserCode else { return }
        isInUserCode = true
        _ = paginator?.peek(key: "a", pageSize: 2)
        _ = paginator?.counters
        // Not always: what it hands to the store asks the clock again.
        if dice.one(in: 30) { paginator?.clear(key: "a key of nobody") }
        isInUserCode = false
    }

    final class Watch {
        let place: ModelPlace
        let identity: PageIdentity
        var told: String?
        var execution: PaginatorExecution?
        init(_ identity: PageIdentity) {
            self.identity = identity
            place = ModelPlace(identity)
        }
    }

    init(
        _ findings: Findings, seed: UInt64, trouble: FetchTrouble? = nil,
        configure: (inout PaginatorConfig) -> Void = { _ in }
    ) {
        self.findings = findings
        findings.seed = seed
        var dice = Dice(seed)
        var drawn = FetchTrouble(rawValue: 0)
        for bit in 0..<16 where dice.one(in: 3) { drawn.insert(FetchTrouble(rawValue: 1 << bit)) }
        self.drawn = trouble ?? drawn
        self.trouble = self.drawn
        maxCalls = dice.of([1, 2, 4])
        model = FetchModel(findings, clock, attemptTimeout: 10 * Self.second)
        model.isCalm = self.trouble.isDisjoint(with: .reasons)
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock, seed: seed)
        config.maxParallelCalls = maxCalls
        config.connectivity = connectivity
        config.attemptTimeout = .seconds(10)
        config.inMemoryEvictionStrategy = .lru(maxPages: self.trouble.contains(.smallMemory) ? 3 : 50)
        config.scheduling.waitsForConnectivity = dice.one(in: 2)
        config.keyRule = KeyRule { $0.utf8.first == 33 ? "it begins with an exclamation mark" : nil }
        configure(&config)
        self.dice = dice
        store.world = self
        let isSlow = self.trouble.contains(.slowJudge)
        let validator = AnyPageValidator<ModelRow>.closure(
            cached: { [unowned self] page, _ in
                let work = onJudge
                onJudge = nil
                work?()
                return page.content.first?.head?.isBad ?? true ? .fail(reason: "bad") : .accept
            },
            fetched: { [unowned self] page, _, completion in
                let verdict: PageVerdict = page.content.first?.head?.isBad ?? true ? .fail(reason: "bad") : .accept
                guard isSlow, self.dice.one(in: 3) else { return completion(verdict) }
                let born = page.content.first?.head?.born
                for index in model.calls.indices where model.calls[index].born == born {
                    model.calls[index].isJudgedLate = true
                }
                later(self.dice.below(12)) { completion(verdict) }
            })
        let made = CallbackPaginator(
            dataSource: ModelSource(world: self), validator: validator,
            store: self.trouble.contains(.noStore) ? nil : store, config: config)
        paginator = made
        clock.onUse = { [weak self] in self?.callAsUser() }
        edits = made.edits { $0.id }
        model.hasPage = { [unowned self] place in
            guard let identity = Self.identities.first(where: { ModelPlace($0) == place }) else { return false }
            return self.paginator?.peek(key: identity.key, pageSize: identity.pageSize, scope: identity.scope) != nil
        }
    }

    // MARK: - Time

    /// Does something after some seconds; zero is as soon as there is a turn.
    func later(_ seconds: Int, _ work: @escaping () -> Void) {
        agenda.append((clock.awake + Int64(seconds) * Self.second, work))
    }

    /// Does one piece of what is due, the library's or the world's; says whether there was one.
    func takeTurn() -> Bool {
        let due = agenda.indices.filter { agenda[$0].due <= clock.awake }
        if !due.isEmpty, executor.count == 0 || dice.one(in: 3) {
            model.moment += 1
            agenda.remove(at: dice.of(due)).work()
            return true
        }
        if executor.count > 0 {
            model.moment += 1
            return executor.runOne { self.dice.below($0) }
        }
        return clock.fireOne()
    }

    /// Lets everybody have their turns until nothing is left to do now.
    func settle() {
        while takeTurn() {}
        model.moment += 1
        // The checks read the clock, too; nobody acts in it while they look.
        let wasInUserCode = isInUserCode
        isInUserCode = true
        defer { isInUserCode = wasInUserCode }
        let found = findings.texts.count
        model.checkQuiet(maxCalls: maxCalls) { place in
            let index = model.places.firstIndex(of: place)
            guard let index, case .loading = paginator?.state(of: Self.identities[index]) else { return false }
            return true
        }
        if findings.texts.count > found, let paginator { findings.note(paginator.dump()) }
        checkPages()
    }

    func pass(_ duration: Int64) {
        let end = clock.awake + duration
        settle()
        while let next = ([clock.next].compactMap { $0 } + agenda.map(\.due)).min(), next <= end {
            clock.go(to: next)
            settle()
        }
        clock.go(to: end)
        settle()
    }

    // MARK: - What is seen at any time

    func text(_ page: PaginatorPage<ModelRow>?) -> String {
        guard let page else { return "none" }
        return "\(page.content.first?.head?.born ?? -1): \(page.content.dropFirst().map { "\($0.id)\($0.edits)" })"
    }

    func text(_ state: PaginatorPageResult<ModelRow>?) -> String {
        switch state {
        case nil: "nothing"
        case .loading(let page): "loading, \(text(page))"
        case .success(let page): text(page)
        case .error(let error, let page): "\(error.code), \(text(page))"
        }
    }

    /// Looks at every page in memory, and at what observers were told.
    func checkPages() {
        guard let paginator, !model.isReleased else { return }
        for violation in paginator.engine.driver.withMachine({ $0.invariantViolations() }) {
            findings.report(violation)
        }
        for (identity, place) in zip(Self.identities, model.places) {
            let seen = paginator.peek(key: identity.key, pageSize: identity.pageSize, scope: identity.scope)
            if let seen {
                model.judge(
                    seen.page, at: place, .memory, isStale: seen.isStale, asked: model.moment,
                    floor: model.newest[place] ?? 0, "peek")
            }
            let state = paginator.state(of: identity)
            if text(state?.page) != text(seen?.page) {
                model.fail("the state of \(place) shows \(text(state?.page)), and memory has \(text(seen?.page))")
            }
            for watch in watches where watch.place == place && watch.execution != nil {
                let now = text(state)
                if watch.told != now {
                    model.fail(
                        "an observer of \(place) was last told \(watch.told ?? "nothing at all"), and it is \(now)")
                }
            }
        }
    }

    static let keys = ["a", "b", "caf\u{e9}", "cafe\u{301}"]
    static let identities: [PageIdentity] =
        ["", "u"].flatMap { scope in
            keys.map { PageIdentity(key: $0, pageSize: 2, scope: scope) }
        } + [PageIdentity(key: "a", pageSize: 3)]

    // MARK: - The server

    func page(_ identity: PageIdentity, born: Int, isBad: Bool = false) -> PaginatorPage<ModelRow> {
        let place = ModelPlace(identity)
        let token = Token { [weak self] in self?.callAsUser() }
        tokens.append(WeakObject(object: token))
        var rows = [ModelRow(id: -1, head: ModelHead(born: born, place: place, isBad: isBad, token: token))]
        for id in FetchModel.items(of: place) where !serverDeleted.contains(id) {
            rows.append(ModelRow(id: id, edits: serverEdits[id] ?? []))
        }
        let index = Self.keys.firstIndex { Array($0.utf8) == Array(identity.key.utf8) } ?? 0
        var next: String? = index + 1 < Self.keys.count ? Self.keys[index + 1] : nil
        if trouble.contains(.hostileKeys), dice.one(in: 3) {
            next = dice.of(["", "a\u{0}b", String(repeating: "x", count: 5_000), "!no", identity.key])
        }
        let expires = dice.one(in: 3) ? clock.wallTime.addingTimeInterval(Double(dice.below(60))) : nil
        return PaginatorPage(
            content: rows, key: identity.key, expirationTime: expires,
            prevKey: index > 0 ? Self.keys[index - 1] : nil, nextKey: next)
    }

    struct Outage: Error {}

    typealias Completion = @Sendable (Result<PaginatorPage<ModelRow>, SourceError>) -> Void

    /// The source is asked.
    func asked(_ request: SourceRequest, _ completion: @escaping Completion) -> SourceCancellation {
        let place = ModelPlace(request.identity)
        model.moment += 1
        checkKey(request.key)
        let isLookAhead = request.isPrefetch && model.isOnlyLookAhead(place)
        if isLookAhead || connectivity.conditions.contains(.offline), conditionsSince < model.quiet,
            !connectivity.conditions.isEmpty
        {
            model.fail("the source is asked for \(place) under \(connectivity.conditions.rawValue)")
        }
        if isSuspended, suspendedSince < model.quiet { model.fail("the source is asked for \(place) while suspended") }
        let index = model.calls.count
        model.calls.append(
            FetchModel.Call(
                place: place, born: model.moment, startedAt: clock.nanoseconds, isPrefetch: isLookAhead))
        let isBad = trouble.contains(.badPages) && dice.one(in: 6)
        let page = page(request.identity, born: model.moment, isBad: isBad)
        model.note(
            "source asked for \(place), attempt \(request.attempt), \(request.priority)\(request.isPrefetch ? " prefetch" : "")"
        )
        // The answer lives here, so that the test knows when everything of the library has let go of it.
        let answer: () -> Void = { [unowned self] in
            model.moment += 1
            if model.calls[index].answered == nil {
                model.calls[index].answered = model.moment
                model.calls[index].answeredAt = clock.nanoseconds
            }
            model.note(
                "source answers call \(index) of \(place), born \(model.calls[index].born)\(isBad ? ", bad" : "")")
            if isBad { model.causes.append((model.moment, place, .rejectedByValidation)) }
            completion(.success(page))
        }
        let failure: () -> Void = { [unowned self] in
            model.moment += 1
            if model.calls[index].answered == nil {
                model.calls[index].answered = model.moment
                model.calls[index].answeredAt = clock.nanoseconds
            }
            let kind = dice.below(8)
            model.note("source fails call \(index) of \(place), kind \(kind)")
            model.causes.append((model.moment, place, kind == 0 ? .expiredKey : .sourceFailed))
            switch kind {
            case 0: completion(.failure(.keyExpired(Outage())))
            case 1: completion(.failure(.fatal(Outage())))
            case 2: completion(.failure(.retry(Outage(), after: .seconds(dice.below(5)))))
            default: completion(.failure(.retry(Outage())))
            }
        }
        if isHolding {
            held.append((answer, failure))
        } else if trouble.contains(.sourceFails), dice.one(in: 3) {
            later(dice.below(3), failure)
        } else if trouble.contains(.sourceHangs), dice.one(in: 4) {
            switch dice.below(3) {
            case 0: break
            case 1: later(dice.below(40), answer)
            default:
                later(0, answer)
                later(dice.below(3), answer)
            }
        } else if trouble.contains(.sourceBlocks), dice.one(in: 5), nesting < 3 {
            // The call does not return until this much has happened.
            model.calls[index].isBlocked = true
            model.note("source call \(index) blocks")
            live(dice.of([2, 5, 15]))
            model.calls[index].isBlocked = false
            answer()
        } else {
            switch dice.below(3) {
            case 0: answer()
            case 1: later(0, answer)
            default: later(dice.below(2), answer)
            }
        }
        return SourceCancellation { [unowned self] in
            model.note("source call \(index) is cancelled")
            model.calls[index].isCancelled = true
        }
    }

    private func checkKey(_ key: String) {
        let bytes = Array(key.utf8)
        if bytes.isEmpty || bytes.contains(0) || bytes.count > 4_096 || bytes.first == 33 {
            model.fail("the source is asked for the bad key \(key.prefix(10)) of \(bytes.count) bytes")
        }
    }

    /// A user's action and some turns, several times; also while a call of the source does not return.
    func live(_ steps: Int) {
        nesting += 1
        for _ in 0..<steps where findings.texts.isEmpty {
            act()
            for _ in 0..<dice.below(6) { _ = takeTurn() }
        }
        nesting -= 1
    }
}

/// `@unchecked Sendable`: everything runs on the thread of the history, which the world outlives.
struct ModelSource: PaginatorDataSource, @unchecked Sendable {
    unowned let world: FetchWorld
    let firstKey = "a"

    func fetch(_ request: SourceRequest, completion: @escaping FetchWorld.Completion) -> SourceCancellation {
        world.asked(request, completion)
    }

    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        guard world.findings.seed % 2 == 0 else { return nil }
        guard let index = FetchWorld.keys.firstIndex(where: { Array($0.utf8) == Array(key.utf8) }) else { return nil }
        if world.trouble.contains(.hostileKeys), world.dice.one(in: 3) {
            return NeighborKeys(previous: "a\u{0}", next: "!no")
        }
        return NeighborKeys(
            previous: index > 0 ? FetchWorld.keys[index - 1] : nil,
            next: index < 3 ? FetchWorld.keys[index + 1] : nil)
    }
}

/// A store as a list of pages, which is silent, slow or failing when the world says so.
///
/// `@unchecked Sendable`: everything runs on the thread of the history.
final class ModelStore: PaginatorStore, @unchecked Sendable {
    unowned var world: FetchWorld!
    var pages: [(identity: PageIdentity, stored: StoredPage<ModelRow>)] = []
    /// Answers that a silent store owes.
    var owed: [() -> Void] = []
    var isSilent = false
    var isFailing = false
    let error = PaginatorError(.storeFailed, "told to fail")

    private func answer(_ work: @escaping () -> Void) {
        if isSilent {
            owed.append(work)
        } else if world.trouble.contains(.storeSlow), world.dice.one(in: 2) {
            world.later(world.dice.below(4), work)
        } else {
            world.later(0, work)
        }
    }

    func wake() {
        isSilent = false
        isFailing = false
        for work in owed { world.later(0, work) }
        owed = []
    }

    func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<ModelRow>?, PaginatorError>) -> Void
    ) {
        let found = pages.first { $0.identity == identity }?.stored
        let result: Result<StoredPage<ModelRow>?, PaginatorError> = isFailing ? .failure(error) : .success(found)
        world.model.note(
            "store is asked for \(ModelPlace(identity)), has \(found?.page.content.first?.head?.born ?? 0)")
        answer { [unowned self] in
            world.model.note("store answers \(ModelPlace(identity)) with \(found?.page.content.first?.head?.born ?? 0)")
            completion(result)
        }
    }

    func apply(
        _ changes: [StoreChange<ModelRow>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        if isFailing {
            world.model.isStoreLossy = true
            return answer { [error] in accepted(.failure(error)) }
        }
        // Pages that go may call back; not while the list of pages is being changed.
        let before = pages
        defer { withExtendedLifetime(before) {} }
        for change in changes {
            switch change {
            case .save(let identity, let stored):
                world.model.note("store saves \(ModelPlace(identity)) \(stored.page.content.first?.head?.born ?? 0)")
                if stored.page.content.first?.head?.isBad ?? true {
                    world.model.fail("a page that failed validation is stored")
                }
                pages.removeAll { $0.identity == identity }
                pages.append((identity, stored))
            case .remove(let selection): pages.removeAll { ModelPlace.matches(selection, $0.identity) }
            case .invalidate(let selection):
                for index in pages.indices where ModelPlace.matches(selection, pages[index].identity) {
                    let old = pages[index].stored
                    pages[index].stored = StoredPage(page: old.page, fetchedAt: old.fetchedAt, isInvalidated: true)
                }
            case .invalidateTags(let tags):
                for index in pages.indices where pages[index].stored.page.tags.hasTag(in: tags) {
                    let old = pages[index].stored
                    pages[index].stored = StoredPage(page: old.page, fetchedAt: old.fetchedAt, isInvalidated: true)
                }
            case .edit(let selection, let edit):
                for index in pages.indices where ModelPlace.matches(selection, pages[index].identity) {
                    let old = pages[index].stored
                    guard let page = edit(old.page) else { continue }
                    let isShorter = page.content.count < old.page.content.count && Int(page.nextKey ?? "") != nil
                    pages[index].stored = StoredPage(
                        page: page, fetchedAt: old.fetchedAt, isInvalidated: old.isInvalidated || isShorter)
                }
            }
        }
        answer { accepted(.success(())) }
    }

    func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        answer { completion(.success(())) }
    }
}
