// Long because all that a user can do in the driven world stands here, one case after the other.
import Oracles
import PaginatorTesting

@testable import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tells a fetch's callbacks to the world.
///
/// `@unchecked Sendable`: everything runs on the thread of the history.
final class FetchEar: PaginatorFetchListener<ModelRow>, @unchecked Sendable {
    unowned let world: FetchWorld
    var caller = -1

    init(_ world: FetchWorld) { self.world = world }

    override func fetchDidPreview(_ page: FetchedPage<ModelRow>) {
        world.heard { $0.preview(caller, page.page, page.origin, isStale: page.isStale) }
    }

    override func fetchDidEnd(_ result: Result<FetchedPage<ModelRow>, PaginatorError>) {
        world.heard { $0.end(caller, result.map { $0 }) }
    }
}

/// Tells the callbacks of a fetch around a page to the world.
///
/// `@unchecked Sendable`: everything runs on the thread of the history.
final class AroundEar: PaginatorFetchAroundListener<ModelRow>, @unchecked Sendable {
    unowned let world: FetchWorld
    var caller = -1

    init(_ world: FetchWorld) { self.world = world }

    override func fetchAroundDidPreview(_ page: FetchedPage<ModelRow>) {
        world.heard { $0.preview(caller, page.page, page.origin, isStale: page.isStale) }
    }

    override func fetchAroundDidDeliver(_ page: FetchedPage<ModelRow>, at distance: Int) {
        world.heard { $0.deliverAround(caller, page, distance) }
    }

    override func fetchAroundDidFail(_ error: PaginatorError, at distance: Int) {
        world.heard { $0.failAround(caller, distance) }
    }

    override func fetchAroundDidEnd(_ result: Result<AroundSummary, PaginatorError>) {
        world.heard { $0.endAround(caller, result) }
    }
}

extension FetchWorld {
    /// A callback runs.
    func heard(_ tell: (FetchModel) -> Void) {
        model.moment += 1
        if calling > 0 { model.fail("a callback inside a call") }
        tell(model)
        // Any call is allowed from any callback.
        if !model.isReleased, !isHearing, dice.one(in: 12) {
            isHearing = true
            act()
            isHearing = false
        }
    }

    /// Makes one call of the library, inside which no callback may run.
    @discardableResult
    func call<R>(_ body: (CallbackPaginator<ModelRow>) -> R) -> R? {
        guard let paginator else { return nil }
        model.moment += 1
        calling += 1
        defer {
            calling -= 1
            model.moment += 1
        }
        return body(paginator)
    }

    /// The user does something.
    func act() {
        let identity = dice.of(Self.identities)
        switch dice.below(40) {
        case 0..<10: fetch(identity)
        case 10..<12: around(identity)
        case 12..<15: cancelOne()
        case 15..<17: clear(identity)
        case 17: invalidate(identity)
        case 18..<20: refresh(identity)
        case 20: put(identity)
        case 21..<23: prefetch(identity)
        case 23: observe(identity)
        case 24..<28 where trouble.contains(.edits): editSomething()
        case 28 where trouble.contains(.conditions):
            setConditions(PaginatorConditions(rawValue: dice.of([0, 0, 1, 2, 4, 8])))
        case 29 where trouble.contains(.suspends): suspend(!isSuspended)
        case 30 where trouble.contains(.storeSilent): store.isSilent = true
        case 31 where trouble.contains(.storeFails): store.isFailing.toggle()
        case 32 where dice.one(in: 4): store.wake()
        case 33 where trouble.contains(.sleeps):
            clock.sleep(Int64(dice.of([20, 100, 1_000])) * Self.second)
            model.lastSleep = model.moment
            model.note("sleeps until \(clock.nanoseconds / Self.second) s")
            for index in model.callers.indices where model.callers[index].ended == nil {
                model.callers[index].slept = true
            }
        case 34:
            let part = Double(dice.below(3)) / 2
            model.note("trim to \(part)")
            call { $0.trim(toFraction: part) }
        case 35..<38 where nesting < 3 && !isHearing:
            pass(Int64(dice.of([0, 1, 300, 2_500, 15_000])) * Self.second / 1_000)
        case 38 where dice.one(in: 3) && nesting < 3 && !isHearing: pass(Int64(dice.of([30, 70, 200])) * Self.second)
        default: fetch(identity)
        }
    }

    // MARK: - Asking

    @discardableResult
    func fetch(
        _ asked: PageIdentity, policy: FetchPolicy? = nil, timeout: Int? = nil, plainly: Bool = false,
        onLane: Bool = false
    ) -> Int {
        var identity = asked
        if !plainly, dice.one(in: 25) {
            identity = PageIdentity(
                key: dice.of(["", "\u{0}", "!no", String(repeating: "k", count: 4_097)]), pageSize: 2)
        }
        let seconds = timeout ?? dice.of([60, 60, 5, 200])
        var request = PageRequest(key: identity.key, pageSize: identity.pageSize, scope: identity.scope)
        request.priority = dice.of(FetchPriority.allCases)
        let policies: [FetchPolicy] = [
            .cacheFirst, .cacheFirst, .cacheFirst, .cacheOnly, .networkOnly, .networkFirst,
            .networkFirst(fallbackAfter: .seconds(1)), .staleWhileRevalidate,
        ]
        let chosen = policy ?? dice.of(policies)
        request.policy = chosen
        request.timeout = seconds == 60 ? nil : .seconds(seconds)
        var caller = FetchModel.Caller(
            kind: .fetch, place: ModelPlace(identity), policy: chosen, timeout: Int64(seconds) * Self.second)
        caller.isRefused =
            !(1...4_096).contains(identity.key.utf8.count) || identity.key.utf8.contains(0)
            || identity.key.utf8.first == 33
        if onLane || !plainly && dice.one(in: 6) {
            request.debounce = DebounceKey("search", delay: .milliseconds(500))
            caller.burst = "search"
            caller.debounce = Self.second / 2
        }
        let seen = paginator?.peek(key: identity.key, pageSize: identity.pageSize, scope: identity.scope)
        let freshHit = seen.flatMap { $0.isStale ? nil : $0.page.content.first?.head?.born }
        caller.hadPage = seen != nil
        let ear = FetchEar(self)
        ears.append(WeakObject(object: ear))
        call { paginator in
            ear.caller = model.begin(caller, freshHit: freshHit)
            executions.append((ear.caller, paginator.fetch(request, listener: ear)))
        }
        return model.callers.count - 1
    }

    func around(_ identity: PageIdentity, depth: Int? = nil, direction: PageFetchDirection? = nil) {
        let page = PageRequest(key: identity.key, pageSize: identity.pageSize, scope: identity.scope)
        let request = AroundRequest(
            page: page, depthLevel: depth ?? dice.below(4),
            direction: direction ?? dice.of([.all, .forward, .backward]))
        let steps = Int64(request.depthLevel + 1)
        var caller = FetchModel.Caller(kind: .around, place: ModelPlace(identity), timeout: steps * 60 * Self.second)
        let middle = Self.keys.firstIndex { Array($0.utf8) == Array(identity.key.utf8) } ?? 0
        for (step, side) in [(1, PageFetchDirection.forward), (-1, .backward)]
        where [.all, side].contains(request.direction) {
            for distance in 1..<request.depthLevel + 1 where Self.keys.indices.contains(middle + step * distance) {
                let beside = PageIdentity(
                    key: Self.keys[middle + step * distance], pageSize: identity.pageSize, scope: identity.scope)
                caller.ahead.append((step * distance, ModelPlace(beside)))
            }
        }
        let ear = AroundEar(self)
        ears.append(WeakObject(object: ear))
        call { paginator in
            ear.caller = model.begin(caller, freshHit: nil)
            executions.append((ear.caller, paginator.fetchAround(request, listener: ear)))
        }
    }

    func refresh(_ identity: PageIdentity) {
        let ear = FetchEar(self)
        ears.append(WeakObject(object: ear))
        call { paginator in
            let caller = FetchModel.Caller(kind: .refresh, place: ModelPlace(identity), timeout: 60 * Self.second)
            ear.caller = model.begin(caller, freshHit: nil)
            let request = PageRequest(key: identity.key, pageSize: identity.pageSize, scope: identity.scope)
            executions.append((ear.caller, paginator.refresh(request, listener: ear)))
        }
    }

    func prefetch(_ identity: PageIdentity) {
        let bad = trouble.contains(.hostileKeys) ? ["", "!no", "a\u{0}"] : []
        call { paginator in
            let keys = [identity.key, dice.of(Self.keys)] + bad
            executions.append((nil, paginator.prefetch(keys: keys, pageSize: 2, scope: identity.scope)))
        }
    }

    func cancelOne() {
        guard !executions.isEmpty else { return }
        let (index, execution) = executions[dice.below(executions.count)]
        call { _ in
            if execution.cancel(), let index {
                if model.callers[index].ended != nil { model.fail("cancel() ended caller \(index), which had ended") }
                model.callers[index].wasEndedByCancel = true
            }
            model.note("cancels \(index ?? -1)")
            if let index, model.callers[index].cancelled == nil { model.callers[index].cancelled = model.moment }
        }
    }

    func observe(_ identity: PageIdentity) {
        if let watch = watches.first(where: { $0.place == ModelPlace(identity) }) {
            call { _ in watch.execution?.cancel() }
            watch.execution = nil
            watches.removeAll { $0 === watch }
            return
        }
        let watch = Watch(identity)
        watches.append(watch)
        call { paginator in
            let heard: (PaginatorPageResult<ModelRow>?) -> Void = { [unowned self, unowned watch] state in
                if watch.execution == nil { model.fail("an observer is told after it was cancelled") }
                watch.told = text(state)
                self.heard { _ in }
            }
            nonisolated(unsafe) let onChange = heard
            watch.execution = paginator.observe(key: identity.key, pageSize: identity.pageSize, scope: identity.scope) {
                onChange($0)
            }
        }
    }

    // MARK: - Changing

    func clear(_ identity: PageIdentity) {
        let place = ModelPlace(identity)
        call { paginator in
            switch dice.below(4) {
            case 0:
                paginator.clear(scope: identity.scope)
                note(.clear) { $0.scope == place.scope }
            case 1:
                paginator.clearAll()
                note(.clear) { _ in true }
                for edit in pending { model.edits[edit.number - 1].rolledBack = model.moment }
                pending = []
            default:
                paginator.clear(key: identity.key)
                note(.clear) { $0.key == place.key }
            }
        }
    }

    func invalidate(_ identity: PageIdentity) {
        let place = ModelPlace(identity)
        call { paginator in
            switch dice.below(3) {
            case 0:
                paginator.invalidate(.identity(identity))
                note(.invalidate) { $0 == place }
            case 1:
                paginator.invalidate(.scope(identity.scope))
                note(.invalidate) { $0.scope == place.scope }
            default:
                paginator.invalidate(.all)
                note(.invalidate) { _ in true }
            }
        }
    }

    private func note(_ kind: FetchModel.Change.Kind, _ concerns: @escaping (ModelPlace) -> Bool) {
        model.changes.append(
            FetchModel.Change(moment: model.moment, at: clock.nanoseconds, kind: kind, concerns: concerns))
        model.note("\(kind) of \(Self.identities.filter { concerns(ModelPlace($0)) }.map { ModelPlace($0) })")
    }

    func put(_ identity: PageIdentity) {
        model.moment += 1
        let born = model.moment
        let isBad = trouble.contains(.badPages) && dice.one(in: 4)
        let page = page(identity, born: born, isBad: isBad)
        call { paginator in
            // What it throws is the point: a bad page.
            let isTaken = (try? paginator.prime(page, pageSize: identity.pageSize, scope: identity.scope)) != nil
            guard isTaken else { return }
            let place = ModelPlace(identity)
            model.calls.append(FetchModel.Call(place: place, born: born, answered: born, answeredAt: clock.nanoseconds))
            model.changes.append(FetchModel.Change(moment: born, at: clock.nanoseconds, kind: .put) { $0 == place })
            model.note("put \(born) of \(place)")
        }
    }

    func setConditions(_ conditions: PaginatorConditions) {
        call { _ in connectivity.set(conditions) }
        if conditions.contains(.offline) || model.lastOffline == .max {
            model.lastOffline = conditions.contains(.offline) ? .max : model.moment
        }
        conditionsSince = model.moment
        model.note("conditions \(conditions.rawValue)")
    }

    func suspend(_ suspends: Bool) {
        isSuspended = suspends
        call { suspends ? $0.suspend() : $0.resume() }
        suspendedSince = model.moment
        model.note(suspends ? "suspends" : "resumes")
    }

    func editSomething() {
        if !pending.isEmpty, dice.one(in: 2) { return settleEdit(dice.below(pending.count), commits: !dice.one(in: 3)) }
        let item = FetchModel.items(of: ModelPlace(dice.of(Self.identities)))[dice.below(3)]
        edit(item, deletes: dice.one(in: 5), isPending: !dice.one(in: 3))
    }

    func edit(_ item: Int, deletes: Bool, isPending: Bool) {
        guard let edits else { return }
        let number = model.edits.count + 1
        let change: @Sendable (ModelRow) -> ModelRow? = { row in
            var row = row
            row.edits.append(number)
            return deletes ? nil : row
        }
        call { _ in
            model.edits.append(
                FetchModel.Edit(number: number, item: item, deletes: deletes, begun: model.moment))
            model.note("edit \(number) of item \(item)\(deletes ? " deletes" : "")\(isPending ? "" : " commits")")
            if isPending {
                pending.append((number, edits.begin(item, change), serverEdits[item] ?? []))
            } else {
                edits.update(item, change)
                take(number)
            }
        }
    }

    /// The server learns of a committed edit.
    private func take(_ number: Int) {
        let edit = model.edits[number - 1]
        model.edits[number - 1].committed = model.moment
        if edit.deletes { serverDeleted.insert(edit.item) } else { serverEdits[edit.item, default: []].append(number) }
    }

    func settleEdit(_ index: Int, commits: Bool) {
        let (number, edit, base) = pending.remove(at: index)
        let item = model.edits[number - 1].item
        model.note("\(commits ? "commits" : "rolls back") edit \(number)")
        call { _ in
            if !commits {
                edit.rollBack()
                model.edits[number - 1].rolledBack = model.moment
            } else {
                let isPlain = model.edits.contains { $0.item == item && $0.deletes }
                if isPlain || dice.one(in: 2) {
                    edit.commit()
                } else {
                    edit.commit(with: ModelRow(id: item, edits: base + [number]))
                }
                take(number)
            }
        }
    }

    // MARK: - The end

    /// Ends every trouble, and asks whether everything comes back and nothing is left.
    func finish() {
        heal()
        pass(400 * Self.second)
        for identity in Self.identities where findings.texts.isEmpty { recover(identity) }
        for watch in watches { watch.execution?.cancel() }
        watches = []
        settle()
        if findings.texts.isEmpty { checkNothingIsLeft() }
        release()
    }

    private func checkNothingIsLeft() {
        guard let paginator else { return }
        executions = []
        settle()
        for index in model.callers.indices where model.callers[index].ended == nil {
            model.fail("caller \(index) was never answered")
        }
        let counters = paginator.counters
        for (begun, ended) in [
            (PaginatorEvent.Kind.fetchStarted, PaginatorEvent.Kind.fetchEnded), (.loadStarted, .loadEnded),
            (.attemptStarted, .attemptEnded),
        ] where counters[begun] != counters[ended] {
            model.fail("\(counters[begun]) \(begun), \(counters[ended]) \(ended)")
        }
        let lines = paginator.dump().split(separator: "\n")
        for line in lines
        where ["loads:", "debouncing:"].contains(where: line.hasPrefix) || line.contains("arounds=") {
            model.fail("left: \(line)")
        }
        if !lines.contains(where: { $0.contains("waiting=0") }) { model.fail("left: \(lines)") }
        if ears.contains(where: { $0.object != nil }) { model.fail("a listener is kept after its end") }
    }

    func heal() {
        trouble = trouble.intersection([.noStore, .smallMemory])
        setConditions([])
        if isSuspended { suspend(false) }
        store.wake()
        while !pending.isEmpty { settleEdit(0, commits: dice.one(in: 2)) }
    }

    private func recover(_ identity: PageIdentity) {
        for _ in 0..<20 {
            let index = model.callers.count
            let seen = FetchModel.items(of: ModelPlace(identity))
            fetch(identity, policy: .cacheFirst, timeout: 60, plainly: true)
            pass(30 * Self.second)
            let page = paginator?.peek(key: identity.key, pageSize: identity.pageSize, scope: identity.scope)
            if model.callers[index].ended != nil, page != nil, !seen.isEmpty { return }
        }
        model.fail("\(ModelPlace(identity)) never comes back")
    }

    /// Lets go of something when the world no longer refers to it, since what goes may call back.
    private func letGo<T>(_ what: (FetchWorld) -> T, by forgetting: (FetchWorld) -> Void) {
        let last = what(self)
        forgetting(self)
        withExtendedLifetime(last) {}
    }

    /// Lets go of the paginator in the middle of fetches, and asks whether everybody is answered and nothing kept.
    func release() {
        trouble = [.sourceHangs]
        for identity in Self.identities { fetch(identity, policy: .networkOnly, timeout: 200, plainly: true) }
        for _ in 0..<dice.below(30) { _ = takeTurn() }
        model.isReleased = true
        if dice.one(in: 2) { call { $0.shutdown() } }
        weak let released = paginator
        letGo { world in
            (world.edits, world.executions, world.pending, world.paginator)
        } by: { world in
            (world.edits, world.executions, world.pending, world.paginator) = (nil, [], [], nil)
        }
        pass(60 * Self.second)
        for index in model.callers.indices where model.callers[index].ended == nil {
            model.fail("caller \(index) has no answer after the release")
        }
        letGo { world in
            (world.agenda, world.held, world.store.pages, world.store.owed)
        } by: { world in
            (world.agenda, world.held, world.store.pages, world.store.owed) = ([], [], [], [])
        }
        settle()
        if released != nil { model.fail("the paginator is kept") }
        if ears.contains(where: { $0.object != nil }) { model.fail("a listener is kept after the release") }
        if tokens.contains(where: { $0.object != nil }) { model.fail("a page is kept after the release") }
    }
}
