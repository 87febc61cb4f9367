// Long because the whole oracle of the fetch pipeline stands here, to be read in one go beside the contract.
import Oracles

@testable import PaginatorCore

/// An item: who made which edits of it. The first item of each page tells where the page comes from.
struct ModelRow: Sendable {
    var id: Int
    /// The numbers of the edits that it shows.
    var edits: [Int] = []
    var head: ModelHead?
}

/// Where a page comes from. No edit touches it.
struct ModelHead: Sendable {
    /// The moment at which the source was asked for it, or at which it was put.
    var born: Int
    var place: ModelPlace
    /// A validator must refuse it.
    var isBad = false
    /// Counts the pages that somebody still holds.
    var token: any AnyObject & Sendable
}

/// What the contract of the fetch pipeline says of what happened, by searches through lists of it.
///
/// Moments are numbers that only grow: every call, callback and answer has one of its own. `@unchecked Sendable`:
/// everything runs on the thread of the history.
final class FetchModel: @unchecked Sendable {
    /// One call of the source, or one page that was put.
    struct Call {
        var place: ModelPlace
        var born: Int
        var startedAt: Int64 = 0
        /// The moment of the first answer.
        var answered: Int?
        var answeredAt: Int64?
        var isCancelled = false
        /// It has not returned, so that nobody can cancel it.
        var isBlocked = false
        /// The validator took its time.
        var isJudgedLate = false
        var isPrefetch = false
    }

    /// A call of the user after which older pages no longer count.
    struct Change {
        enum Kind { case clear, invalidate, refresh, put }
        var moment: Int
        var at: Int64 = 0
        var kind: Kind
        var concerns: (ModelPlace) -> Bool
    }

    /// An edit of an item.
    struct Edit {
        var number: Int
        var item: Int
        var deletes: Bool
        var begun: Int
        /// When it was committed or rolled back.
        var committed: Int?
        var rolledBack: Int?
    }

    /// A fetch, a refresh or a fetch around a page.
    struct Caller {
        enum Kind { case fetch, refresh, around }
        var kind: Kind
        var place: ModelPlace
        var policy = FetchPolicy.cacheFirst
        var burst: String?
        var debounce: Int64 = 0
        var isRefused = false
        /// How long it may take. Around a page each step has as long.
        var timeout: Int64
        var asked = 0
        var requestedAt: Int64 = 0
        var askedAwake: Int64 = 0
        /// When the load that it joined may have begun at the earliest.
        var since = 0
        /// A fresh page was in memory when it was made.
        var freshHit: Int?
        /// A page was, fresh or stale.
        var hadPage = false
        /// No older pages may come: those that somebody saw before, by place.
        var floors: [ModelPlace: Int] = [:]
        var mustBeSuperseded = false
        var cancelled: Int?
        var wasEndedByCancel = false
        var ended: Int?
        var slept = false
        /// What a fetch around a page delivered.
        var distances: [Int] = []
        var failedAt: [Int] = []
        /// The pages beside it that it may still ask for, or has not got yet, by distance.
        var ahead: [(distance: Int, place: ModelPlace)] = []

        /// It may wait for a page, by a load of whatever epoch.
        func mayWait(for place: ModelPlace) -> Bool {
            guard ended == nil else { return false }
            return self.place == place && distances.isEmpty || ahead.contains { $0.place == place }
        }

        /// Takes note of a page that came: a side goes on only where the page names the next one.
        mutating func came(_ page: PaginatorPage<ModelRow>, at distance: Int) {
            ahead.removeAll { $0.distance == distance }
            for (step, link) in [(1, page.nextKey), (-1, page.prevKey)] where distance * step >= 0 {
                let next = ahead.first { $0.distance == distance + step }?.place
                if next?.key != link.map({ Array($0.utf8) }) { ahead.removeAll { $0.distance * step > 0 } }
            }
        }

        /// A page in memory is the answer, without a wait for the end of a burst.
        var isAnsweredAtOnce: Bool { freshHit != nil || policy == .cacheOnly && hadPage }

        var looksIntoCacheFirst: Bool {
            policy == .cacheFirst || policy == .cacheOnly || policy == .staleWhileRevalidate
        }
    }

    let findings: Findings
    let clock: SleepyClock
    let attemptTimeout: Int64
    /// Where histories happen.
    let places = FetchWorld.identities.map { ModelPlace($0) }
    /// Whether memory has a page now.
    var hasPage: (ModelPlace) -> Bool = { _ in false }
    var moment = 0
    var quiet = 0
    var calls: [Call] = []
    var changes: [Change] = []
    var edits: [Edit] = []
    var callers: [Caller] = []
    /// What went wrong at the source, by the code that callers may see for it.
    var causes: [(moment: Int, place: ModelPlace, code: PaginatorError.Code)] = []
    /// The newest page that was seen, by place.
    var newest: [ModelPlace: Int] = [:]
    /// When nobody asked for a page, and no load of it ran, by place.
    var idle: [ModelPlace: Int] = [:]
    /// Pages of which the store lost a change: of these the store may say anything.
    var isStoreLossy = false
    /// Nothing but the store makes trouble, so that no fetch has a reason to fail.
    var isCalm = false
    var isReleased = false
    var lastOffline = 0
    /// When the device slept for longer than an attempt may take.
    var lastSleep = 0

    init(_ findings: Findings, _ clock: SleepyClock, attemptTimeout: Int64) {
        self.findings = findings
        self.clock = clock
        self.attemptTimeout = attemptTimeout
    }

    func fail(_ text: @autoclosure () -> String) { findings.report("moment \(moment): \(text())") }

    /// Adds a line to what happened, where that is asked for.
    func note(_ text: @autoclosure () -> String) {
        findings.note("\(moment) [\(clock.awake / 1_000_000) ms] \(text())")
    }

    // MARK: - Calls of the user

    func begin(_ caller: Caller, freshHit: Int?) -> Int {
        var caller = caller
        caller.asked = moment
        caller.requestedAt = clock.nanoseconds
        caller.askedAwake = clock.awake
        caller.since = idle[caller.place] ?? 0
        caller.freshHit = caller.kind == .refresh ? nil : freshHit
        caller.floors = newest
        if caller.burst != nil, !caller.isAnsweredAtOnce, !caller.isRefused {
            for index in callers.indices where callers[index].burst == caller.burst && callers[index].ended == nil {
                let other = callers[index]
                let isWaiting = clock.nanoseconds < other.requestedAt + other.debounce
                if isWaiting, !other.isAnsweredAtOnce, !other.isRefused { callers[index].mustBeSuperseded = true }
            }
        }
        if caller.kind == .refresh, !caller.isRefused {
            let place = caller.place
            changes.append(Change(moment: moment, at: clock.nanoseconds, kind: .refresh) { $0 == place })
        }
        callers.append(caller)
        note(
            "caller \(callers.count - 1) \(caller.kind) \(caller.place) \(caller.policy) \(caller.burst ?? "") \(caller.timeout / 1_000_000_000) s, fresh hit \(freshHit ?? 0)"
        )
        return callers.count - 1
    }

    // MARK: - Answers

    func preview(_ index: Int, _ page: PaginatorPage<ModelRow>, _ origin: PageOrigin, isStale: Bool) {
        let caller = callers[index]
        if caller.ended != nil { fail("caller \(index): a preview after the end") }
        if caller.cancelled != nil { fail("caller \(index): a preview after cancel() returned") }
        if !isStale { fail("caller \(index): a preview that is fresh") }
        judge(page, at: caller.place, origin, isStale: isStale, for: caller, "caller \(index)")
    }

    func end(_ index: Int, _ result: Result<FetchedPage<ModelRow>?, PaginatorError>) {
        let caller = callers[index]
        switch result {
        case .success(let fetched):
            note(
                "caller \(index) gets \(fetched?.page.content.first?.head?.born ?? 0) from \(fetched.map { "\($0.origin)" } ?? "around")"
            )
        case .failure(let error): note("caller \(index) gets \(error)")
        }
        if caller.ended != nil { fail("caller \(index): a second end") }
        callers[index].ended = moment
        if caller.mustBeSuperseded {
            let code: PaginatorError.Code? = if case .failure(let error) = result { error.code } else { nil }
            let allowed: [PaginatorError.Code?] = [.superseded, .cancelled, .timedOut, .released]
            if !allowed.contains(code) { fail("caller \(index): not superseded but \(code?.rawValue ?? "a page")") }
        }
        switch result {
        case .success(let fetched):
            if caller.isRefused { fail("caller \(index): answered though the request was bad") }
            if caller.cancelled != nil { fail("caller \(index): a page after cancel() returned") }
            if let fetched { deliver(fetched, to: index) }
        case .failure(let error):
            if !isAllowed(error, for: caller) { fail("caller \(index): no reason for \(error)") }
        }
    }

    private func deliver(_ fetched: FetchedPage<ModelRow>, to index: Int) {
        let caller = callers[index]
        let who = "caller \(index)"
        if caller.freshHit != nil, fetched.origin != .memory, caller.kind == .fetch, caller.looksIntoCacheFirst {
            fail("\(who): a fresh page was in memory, and one came from \(fetched.origin)")
        }
        if caller.policy == .cacheOnly, fetched.origin == .source { fail("\(who): cache only came from the source") }
        if caller.policy == .networkOnly, fetched.origin != .source {
            fail("\(who): network only came from \(fetched.origin)")
        }
        if caller.policy == .cacheFirst, caller.kind == .fetch, fetched.isStale, fetched.origin != .source,
            fetched.refreshError == nil
        {
            fail("\(who): a stale page though the source did not fail")
        }
        judge(fetched.page, at: caller.place, fetched.origin, isStale: fetched.isStale, for: caller, who)
    }

    /// Whether a fetch may end with an error.
    private func isAllowed(_ error: PaginatorError, for caller: Caller) -> Bool {
        if caller.isRefused { return [.invalidKey, .invalidPageSize, .invalidDepth, .cancelled].contains(error.code) }
        switch error.code {
        case .cancelled: return caller.wasEndedByCancel
        case .superseded:
            return caller.burst != nil && callers.contains { $0.asked > caller.asked && $0.burst == caller.burst }
        case .released: return isReleased
        case .notInCache: return caller.policy == .cacheOnly && caller.freshHit == nil
        default: break
        }
        let codes: [PaginatorError.Code] = caller.policy == .networkFirst(fallbackAfter: .seconds(1)) ? [.timedOut] : []
        if caller.hadPage, !caller.slept, hasPage(caller.place), caller.kind == .fetch, caller.policy != .networkOnly,
            (codes + [.sourceFailed, .offline, .throttled]).contains(error.code),
            !changes.contains(where: { $0.kind == .clear && $0.moment > caller.asked && $0.concerns(caller.place) })
        {
            return false
        }
        if caller.freshHit != nil, caller.kind == .fetch, caller.looksIntoCacheFirst { return false }
        let limit = caller.kind == .around ? min(caller.timeout, 60_000_000_000) : caller.timeout
        let isLate = clock.nanoseconds >= caller.requestedAt + limit
        if isCalm, !caller.slept, !(isLate && caller.timeout < 20_000_000_000) { return false }
        switch error.code {
        case .timedOut:
            // An attempt's time goes on while the device sleeps, also when its call of the source waits for its turn.
            return isLate || lastSleep > caller.since
                || calls.contains { $0.place == caller.place && isTimedOut($0) }
        case .offline: return lastOffline >= caller.since
        case .throttled: return causes.count > 2
        default:
            return causes.contains {
                $0.place == caller.place && $0.code == error.code && $0.moment >= caller.since
            }
        }
    }

    /// Whether nobody asked for a page itself since its load may have begun.
    func isOnlyLookAhead(_ place: ModelPlace) -> Bool {
        !callers.contains { $0.place == place && $0.asked > idle[place] ?? 0 }
    }

    private func isTimedOut(_ call: Call) -> Bool {
        (call.answeredAt ?? clock.nanoseconds) >= call.startedAt + attemptTimeout || call.isBlocked || call.isJudgedLate
    }

    // MARK: - Around a page

    func deliverAround(_ index: Int, _ fetched: FetchedPage<ModelRow>, _ distance: Int) {
        let caller = callers[index]
        let who = "caller \(index) at \(distance)"
        if caller.ended != nil { fail("\(who): a page after the end") }
        if caller.cancelled != nil { fail("\(who): a page after cancel() returned") }
        let inner = distance > 0 ? distance - 1 : distance + 1
        if distance == 0 ? !caller.distances.isEmpty : !caller.distances.contains(inner) {
            fail("\(who): out of order after \(caller.distances)")
        }
        if caller.distances.contains(distance) { fail("\(who): a second time") }
        if caller.failedAt.contains(where: { $0 * distance > 0 }) { fail("\(who): after its direction failed") }
        callers[index].distances.append(distance)
        callers[index].came(fetched.page, at: distance)
        let place = ModelPlace(String(decoding: caller.place.scope, as: UTF8.self), fetched.page.key, caller.place.size)
        judge(fetched.page, at: place, fetched.origin, isStale: fetched.isStale, for: caller, who)
    }

    func failAround(_ index: Int, _ distance: Int) {
        if callers[index].ended != nil { fail("caller \(index): a failure after the end") }
        callers[index].failedAt.append(distance)
        callers[index].ahead.removeAll { $0.distance * distance > 0 }
    }

    func endAround(_ index: Int, _ result: Result<AroundSummary, PaginatorError>) {
        switch result {
        case .success(let summary):
            if summary.delivered != callers[index].distances {
                fail("caller \(index): told of \(summary.delivered), delivered \(callers[index].distances)")
            }
            if summary.delivered.first != 0 { fail("caller \(index): success without the asked page") }
            end(index, .success(nil))
        case .failure(let error):
            end(index, .failure(error))
        }
    }

    // MARK: - Pages

    private func judge(
        _ page: PaginatorPage<ModelRow>, at place: ModelPlace, _ origin: PageOrigin, isStale: Bool,
        for caller: Caller, _ who: String
    ) {
        // A fetch with a debounce key begins its load when nobody came after it: what was cleared until then is gone.
        var asked = caller.asked
        if caller.burst != nil, !caller.isAnsweredAtOnce, origin != .source {
            let waiting = changes.last { $0.kind == .clear && $0.at < caller.requestedAt + caller.debounce }
            asked = max(asked, waiting?.moment ?? 0)
        }
        judge(page, at: place, origin, isStale: isStale, asked: asked, floor: caller.floors[place] ?? 0, who)
    }

    /// Whether a page may be shown to somebody who asked at a moment.
    func judge(
        _ page: PaginatorPage<ModelRow>, at place: ModelPlace, _ origin: PageOrigin, isStale: Bool, asked: Int,
        floor: Int, _ who: String
    ) {
        guard let head = page.content.first?.head else { return fail("\(who): a page without its head") }
        if head.place != place { return fail("\(who): the page of \(head.place), not of \(place)") }
        if head.isBad { fail("\(who): a page that failed validation") }
        let call = calls.first { $0.born == head.born }
        let answered = call?.answered ?? head.born
        if origin == .source, moment > answered {
            for change in changes where change.moment <= asked && change.concerns(place) && change.moment > head.born {
                fail("\(who): joined a load that a \(change.kind) at \(change.moment) had ended, page \(head.born)")
            }
        }
        if isStoreLossy, origin != .source { return }
        for change in changes where change.moment <= asked && change.concerns(place) && change.moment > head.born {
            switch change.kind {
            case .clear:
                fail("\(who): page \(head.born) of \(place) was cleared at \(change.moment), asked at \(asked)")
            case .invalidate where !isStale:
                fail("\(who): page \(head.born) of \(place) is fresh, but was invalidated at \(change.moment)")
            default: break
            }
            if answered > change.moment {
                fail("\(who): page \(head.born) answered late at \(answered), after a \(change.kind), was cached")
            }
        }
        if head.born < floor {
            fail("\(who): page \(head.born) of \(place) is older than \(floor), which was seen before")
        }
        // What only those get who asked before a change is not cached, so that others may see an older page later.
        if origin != .source { newest[place] = max(newest[place] ?? 0, head.born) }
        // What is delivered was decided after the last moment at which nothing was left to do.
        judgeEdits(page, shownFrom: max(asked, quiet, origin == .source ? answered : 0), place, who)
    }

    /// Whether a page shows the edits that it must, and no others.
    private func judgeEdits(_ page: PaginatorPage<ModelRow>, shownFrom: Int, _ place: ModelPlace, _ who: String) {
        for row in page.content {
            for number in row.edits where row.edits.filter({ $0 == number }).count > 1 {
                fail("\(who): edit \(number) was applied twice to item \(row.id) of \(place)")
            }
        }
        let items = Self.items(of: place)
        for edit in edits where items.contains(edit.item) {
            let row = page.content.first { $0.id == edit.item }
            let must = edit.begun < shownFrom && edit.rolledBack == nil
            let mustNot = edit.rolledBack.map { $0 < shownFrom } ?? false
            if edit.deletes {
                if must, row != nil {
                    fail("\(who): item \(edit.item) of \(place) is shown, deleted by edit \(edit.number)")
                }
            } else if must, let row, !row.edits.contains(edit.number) {
                fail(
                    "\(who): item \(edit.item) of \(place) shows \(row.edits), without edit \(edit.number) of \(edit.begun)"
                )
            }
            if mustNot, !edit.deletes, row?.edits.contains(edit.number) ?? false {
                fail(
                    "\(who): item \(edit.item) of \(place) shows edit \(edit.number), rolled back at \(edit.rolledBack ?? 0)"
                )
            }
        }
        for item in items where !page.content.contains(where: { $0.id == item }) {
            let mayBeGone = edits.contains { edit in
                edit.deletes && edit.item == item && (edit.rolledBack.map { $0 >= shownFrom } ?? true)
            }
            if !mayBeGone { fail("\(who): item \(item) of \(place) is missing") }
        }
    }

    /// The items of a page, deleted ones included.
    static func items(of place: ModelPlace) -> [Int] {
        let start = place.key.reduce(0) { ($0 * 31 + Int($1)) % 1_000 } * 10
        return [start, start + 1, start + 2]
    }

    // MARK: - When nothing is left to do

    /// What must hold whenever everybody had their turn.
    func checkQuiet(maxCalls: Int, isLoading: (ModelPlace) -> Bool) {
        for (index, caller) in callers.enumerated() where caller.ended == nil {
            if clock.awake - caller.askedAwake >= caller.timeout {
                fail("caller \(index) still waits, \((clock.awake - caller.askedAwake) / 1_000_000) ms after the call")
                callers[index].ended = moment
            }
        }
        let active = calls.filter { call in
            call.answered == nil && !call.isCancelled && !call.isBlocked
                && clock.nanoseconds < call.startedAt + attemptTimeout
        }
        for place in places {
            // One load for each epoch that somebody may still wait for an answer from.
            let count = active.count { $0.place == place }
            if count == 0, !isLoading(place), !callers.contains(where: { $0.mayWait(for: place) }) {
                idle[place] = moment
            }
            let epochs = 1 + changes.count { $0.moment > idle[place] ?? 0 && $0.concerns(place) }
            if count > epochs { fail("\(count) calls of the source for \(place) in \(epochs) epochs") }
        }
        if active.count > maxCalls { fail("\(active.count) calls of the source at once, of \(maxCalls)") }
        if maxCalls > 1, active.count(where: \.isPrefetch) >= maxCalls { fail("prefetches took every slot") }
        quiet = moment
    }
}
