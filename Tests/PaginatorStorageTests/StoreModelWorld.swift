import Oracles
import PaginatorTesting
import StorageTesting

@testable import PaginatorCore
@testable import PaginatorStorage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A store over a ``ModelDisk``, its user and its misfortunes, on one thread in the time of a ``SleepyClock``.
///
/// `@unchecked Sendable`: everything runs on the thread of the history.
final class StoreWorld: @unchecked Sendable {
    typealias Store = PageFileStore<StoreModelItem>
    enum Place { case read, commit, recover }

    struct Load {
        var place: ModelPlace
        /// How many changes were handed over before it.
        var asked: Int
        var moment: Int
        var isAnswered = false
        /// How many pages were read for somebody else while it waited.
        var heldUp = 0
    }

    static let millisecond: Int64 = 1_000_000
    static let second: Int64 = 1_000_000_000
    let findings: Findings
    let clock = SleepyClock()
    let disk = ModelDisk()
    var dice: Dice
    let model = StoreModel()
    var executor = SimulatedExecutor()
    var file: ModelFile?
    var store: Store?
    var moment = 0
    /// Of calls of this process: how often each was answered.
    var answers: [String: Int] = [:]
    var loads: [Load] = []
    var lastBorn = 0
    var blocked: [Place] = []
    var hasDied = false
    /// Whether a commit takes two changes, and one read runs at once.
    let smallBatches: Bool
    var fails = true
    var blocks = true
    /// What the user does when the next page is read for an edit.
    var onEditRead: (() -> Void)?
    /// How many pages may be read for an edit while another read waits.
    let patience = 64

    init(_ findings: Findings, seed: UInt64, smallBatches: Bool = false) {
        self.findings = findings
        findings.seed = seed
        dice = Dice(seed)
        self.smallBatches = smallBatches
        fails = dice.one(in: 2)
        blocks = dice.one(in: 2)
        open()
    }

    func fail(_ text: @autoclosure () -> String) { findings.report("moment \(moment): \(text())") }

    func note(_ text: @autoclosure () -> String) {
        findings.note("\(moment) [\(clock.awake / Self.millisecond) ms] \(text())")
    }

    func open() {
        executor = SimulatedExecutor()
        answers = [:]
        loads = []
        let file = ModelFile(self)
        self.file = file
        var config = WriteBehindConfig()
        if smallBatches { (config.maxBatchChanges, config.maxParallelReads) = (2, 1) }
        config.simulate(on: executor)
        let made = Store(file: file, codec: StoreModelCodec(), config: config)
        made.attach(to: StoreEnvironment(clock: clock))
        store = made
    }

    // MARK: - Time

    func takeTurn() -> Bool {
        moment += 1
        let hasWorked = executor.runOne { self.dice.below($0) } || clock.fireOne()
        for violation in store?.writeBehind.invariantViolations() ?? [] { fail(violation) }
        return hasWorked
    }

    func settle() {
        let process = file
        while process === file, takeTurn() {}
        if process === file { checkQuiet() }
    }

    func pass(_ duration: Int64) {
        let end = clock.awake + duration
        settle()
        while let next = clock.next, next <= end {
            clock.go(to: next)
            settle()
        }
        clock.go(to: end)
        settle()
    }

    /// A call of the file does not return until this much has happened.
    func block(_ place: Place) {
        guard blocks, blocked.count < 2, dice.one(in: 3) else { return }
        note("\(place) blocks")
        blocked.append(place)
        live(1 + dice.below(4))
        blocked.removeLast()
        note("\(place) goes on")
    }

    /// A page is read from the file.
    func willRead(_ identity: PageIdentity) {
        if loads.contains(where: { !$0.isAnswered && $0.place == ModelPlace(identity) }) { return block(.read) }
        let work = onEditRead
        onEditRead = nil
        work?()
        // It is read for an edit. Whoever else waits has turns meanwhile.
        guard blocked.isEmpty, blocks || loads.contains(where: { !$0.isAnswered }) else { return }
        blocked.append(.commit)
        while takeTurn() {}
        for index in loads.indices where !loads[index].isAnswered {
            loads[index].heldUp += 1
            if loads[index].heldUp > patience {
                fail("a read of \(loads[index].place) is held up while \(patience) pages are read for an edit")
                loads[index].heldUp = .min / 2
            }
        }
        blocked.removeLast()
    }

    // MARK: - Calls

    static let identities = ["", "u"].flatMap { scope in
        ["a", "b", "caf\u{e9}", "cafe\u{301}"].map { PageIdentity(key: $0, pageSize: 2, scope: scope) }
    }

    /// Notes a call that must be answered once, and returns what notes its answer.
    private func expectAnswer(_ call: String) -> () -> Void {
        let name = "\(call) of \(moment)"
        answers[name] = 0
        let process = file
        return { [unowned self] in
            guard process === file else { return }
            moment += 1
            answers[name, default: 0] += 1
            if answers[name] != 1 { fail("\(name) is answered again") }
        }
    }

    func load(_ identity: PageIdentity) {
        moment += 1
        let index = loads.count
        let place = ModelPlace(identity)
        loads.append(Load(place: place, asked: model.changes.count, moment: moment))
        let answered = expectAnswer("load")
        let process = file
        let take: (Result<StoredPage<StoreModelItem>?, PaginatorError>) -> Void = { [unowned self] result in
            guard process === file else { return }
            answered()
            loads[index].isAnswered = true
            switch result {
            case .success(let stored):
                let page = stored.map {
                    StoreModelPage(
                        born: $0.page.content[0].born, edits: $0.page.content[0].edits, isStale: $0.isInvalidated)
                }
                note("load of \(place): \(page.map { "\($0)" } ?? "none")")
                if !model.mayRead(page, at: place, after: loads[index].asked) {
                    let expected = model.pages(after: loads[index].asked)[place]
                    fail(
                        "\(place) is read as \(page.map { "\($0)" } ?? "none"), not \(expected.map { "\($0)" } ?? "none")"
                    )
                }
            case .failure(let error):
                if !disk.tellFailedRead(of: place) { fail("a load fails without a reason: \(error)") }
            }
        }
        nonisolated(unsafe) let completion = take
        store?.load(identity) { completion($0) }
    }

    func change(_ change: StoreChange<StoreModelItem>, _ modelled: StoreModel.Change) {
        moment += 1
        note("change \(model.changes.count): \(modelled)")
        let answered = expectAnswer("apply")
        let take: (Result<Void, PaginatorError>) -> Void = { [unowned self] result in
            answered()
            if case .failure(let error) = result { fail("a change is lost: \(error)") }
        }
        nonisolated(unsafe) let accepted = take
        model.changes.append((modelled, clock.awake))
        store?.apply([change]) { accepted($0) }
    }

    func save(_ identity: PageIdentity) {
        lastBorn += 1
        let page = PaginatorPage(content: [StoreModelItem(lastBorn, [])], key: identity.key)
        change(
            .save(identity, StoredPage(page: page, fetchedAt: clock.wallTime)),
            .save(ModelPlace(identity), born: lastBorn))
    }

    func selection(_ identity: PageIdentity) -> (PageSelection, (ModelPlace) -> Bool) {
        let place = ModelPlace(identity)
        switch dice.below(4) {
        case 0: return (.all, { _ in true })
        case 1: return (.scope(identity.scope), { $0.scope == place.scope })
        case 2: return (.key(identity.key), { $0.key == place.key })
        default: return (.identity(identity), { $0 == place })
        }
    }

    func edit(_ selection: PageSelection, _ concerns: @escaping (ModelPlace) -> Bool) {
        lastBorn += 1
        let number = lastBorn
        let edit = PageEdit<StoreModelItem> { page in
            let item = page.content[0]
            return PaginatorPage(content: [StoreModelItem(item.born, item.edits + [number])], key: page.key)
        }
        change(.edit(selection, edit), .edit(concerns, number: number))
    }

    private final class Identifier: Sendable {}

    /// Ways to tell items apart, more of them than are kept: each edit gives its item another identity under the even ones.
    private let identifiers = (0..<6).map { _ in Identifier() }

    private static func identity(_ way: Int, born: Int, edits: Int) -> Int {
        way % 2 == 0 ? (born + edits) % 5 : born % 3
    }

    /// Edits an item wherever it is, with what tells which pages have it.
    func editItem() {
        lastBorn += 1
        let (number, item) = (lastBorn, dice.below(5))
        let way = dice.one(in: 2) ? 0 : dice.below(identifiers.count)
        // Two items have one hash.
        let target = ItemTarget(identifier: identifiers[way], hash: UInt32(item / 2)) { page in
            PaginatorPage<StoreModelItem>.from(page).content.map {
                UInt32(Self.identity(way, born: $0.born, edits: $0.edits.count) / 2)
            }
        }
        let edit = PageEdit<StoreModelItem>(of: target) { page in
            let old = page.content[0]
            guard Self.identity(way, born: old.born, edits: old.edits.count) == item else { return nil }
            return PaginatorPage(content: [StoreModelItem(old.born, old.edits + [number])], key: page.key)
        }
        change(
            .edit(.all, edit),
            .editItem({ Self.identity(way, born: $0.born, edits: $0.edits.count) == item }, number: number))
    }

    func flush() {
        moment += 1
        let count = model.changes.count
        let failures = disk.failedCommits
        let started = moment
        note("flush")
        let answered = expectAnswer("flush")
        let process = file
        let take: (Result<Void, PaginatorError>) -> Void = { [unowned self] result in
            guard process === file else { return }
            answered()
            switch result {
            case .success:
                note("flush of \(started) succeeds")
                model.durable = max(model.durable, count)
                if model.changesIn(disk.pages, atLeast: count) == nil {
                    fail("a flush succeeds, and \(disk.pages) is on disk")
                }
            case .failure(let error):
                if !fails && failures == 0 { fail("a flush fails without a reason: \(error)") }
            }
        }
        nonisolated(unsafe) let completion = take
        store?.flush { completion($0) }
    }

    /// The process dies, and perhaps the power with it; what the disk has must be what was handed over, up to some change.
    func die(losesPower: Bool) {
        note(losesPower ? "the power is lost" : "the process is killed")
        file?.isDead = true
        hasDied = true
        // The next process knows of no failure.
        (disk.failedReads, disk.failedCommits) = ([], 0)
        if losesPower { disk.rows = disk.durableRows }
        let least = losesPower ? model.durable : max(model.durable, model.committed)
        if let kept = model.changesIn(disk.pages, atLeast: least)?.upperBound {
            model.changes.removeLast(model.changes.count - kept)
            model.committed = kept
        } else {
            fail(
                "after a death the disk has \(disk.pages); \(least) of \(model.changes.count) changes were written for good"
            )
        }
        let old = store
        store = nil
        open()
        withExtendedLifetime(old) {}
    }

    /// The user does something.
    func act() {
        let identity = dice.of(Self.identities)
        let (selection, concerns) = selection(identity)
        switch dice.below(24) {
        case 0..<6: load(identity)
        case 6..<11: save(identity)
        case 11: change(.remove(selection), .remove(concerns))
        case 12: change(.invalidate(selection), .invalidate(concerns))
        case 13..<16: dice.one(in: 2) ? editItem() : edit(selection, concerns)
        case 16: flush()
        case 17 where dice.one(in: 3): die(losesPower: dice.one(in: 2))
        case 18 where fails:
            disk.failure = dice.one(in: 2) ? nil : dice.of([.full, .inputOutput, .busy, .unavailable, .readOnly])
        case 19 where blocked.isEmpty: pass(Int64(dice.of([1, 10, 60, 400])) * Self.millisecond)
        case 20 where blocked.isEmpty: pass(Int64(dice.of([1, 5, 30, 100])) * Self.second)
        case 21 where dice.one(in: 4): clock.sleep(100 * Self.second)
        default: break
        }
    }

    func live(_ steps: Int) {
        let process = file
        for _ in 0..<steps where findings.texts.isEmpty {
            act()
            for _ in 0..<dice.below(5) where process === file { _ = takeTurn() }
        }
    }

    // MARK: - Questions

    func checkQuiet() {
        // A file that does not return has an excuse; reads beside a commit have none.
        if !blocked.contains(.read), !blocked.contains(.recover), blocked.isEmpty {
            for load in loads where !load.isAnswered {
                fail("a read of \(load.place) waits though nothing is left to do")
            }
        }
        guard blocked.isEmpty else { return }
        disk.settleFailedReads()
        let held = model.changesIn(disk.pages, atLeast: model.committed)
        if let held {
            model.committed = held.lowerBound
        } else {
            fail("the disk has \(disk.pages), which no order of the changes gives")
        }
        // A failure is followed by a pause of a second, and each further one by a pause twice as long, up to a minute.
        let pause = min(60, 1 << min(Int64(disk.failedCommits) - 1, 6)) * Self.second
        let allowed = disk.failedCommits > 0 ? disk.failedAt + pause : 0
        for (index, change) in model.changes.enumerated().dropFirst(held?.upperBound ?? 0) {
            if clock.awake > max(change.at + 51 * Self.millisecond, allowed) {
                fail(
                    "change \(index), handed over \((clock.awake - change.at) / Self.millisecond) ms ago, is not on disk"
                )
                model.committed = model.changes.count
                return
            }
        }
    }

    func finish() {
        fails = false
        blocks = false
        disk.failure = nil
        pass(200 * Self.second)
        for identity in Self.identities { load(identity) }
        flush()
        settle()
        if disk.pages != model.pages(after: model.changes.count) { fail("in the end the disk has \(disk.pages)") }
        if store?.pendingChanges != 0 { fail("\(store?.pendingChanges ?? 0) changes still wait") }
        for (call, count) in answers where count != 1 { fail("the \(call) was answered \(count) times") }
        weak let released = store
        store = nil
        settle()
        if released != nil { fail("the store is kept") }
        // Work that a dead process left undone keeps its items.
        if !hasDied, StoreModelItem.living != 0 { fail("\(StoreModelItem.living) items are kept") }
    }
}
