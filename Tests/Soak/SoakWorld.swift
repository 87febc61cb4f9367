import Dispatch
import Foundation
import PaginatorCore
import PaginatorLists
import PaginatorSQLiteStore
import PaginatorTesting

/// Everything that an app does with the library, at random, in real time: it fetches, cancels, scrolls lists, edits,
/// clears, and opens and closes lists and paginators, over a source and a file that fail.
///
/// `@unchecked Sendable`: the mutable properties are used on the one queue that calls ``act()`` and ``finish(_:)``.
final class SoakWorld: @unchecked Sendable {
    typealias List = PaginatorList<SampleItem, Int>

    /// What was begun and what was answered; equal in the end.
    struct Counts {
        var fetches = 0
        var answers = 0
        var updates = 0
        var edits = 0
        var lists = 0
        var paginators = 0
    }

    private var random: SeededRandom
    private let source: any PaginatorDataSource<SampleItem>
    private let store: SQLitePageStore<SampleItem>
    private let scheduler = PaginatorScheduler()
    private var paginator: CallbackPaginator<SampleItem>
    private var lists: [List] = []
    private var openEdits: [PaginatorEdit<SampleItem>] = []
    private var executions: [PaginatorExecution] = []
    private var begun = Counts()
    private let answers = Tally()
    private let updates = Tally()

    init(folder: URL, seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        let pages = SamplePages(count: 20_000)
        var chances = FaultChances()
        chances.loss = 0.002
        chances.failure = 0.03
        chances.duplicate = 0.05
        chances.overtaken = 0.02
        chances.overtakenWithin = .milliseconds(20)
        chances.latency = .zero ... .milliseconds(5)
        let plan = FaultPlan(seed: seed, chances, keepsDecisions: false)
        source = ClosureDataSource<SampleItem>(
            firstKey: pages.firstKey, neighborKeys: { pages.neighborKeys(of: $0, pageSize: $1) },
            fetch: { request, completion in
                completion(pages.answer(to: request))
                return .none
            }
        ).faulty(plan, clock: SystemPaginatorClock())
        store = try SQLitePageStore(path: folder.path + "/pages.sqlite", evictionStrategy: .lru(maxPages: 400))
        paginator = Self.makePaginator(source, store, scheduler)
    }

    private static func makePaginator(
        _ source: any PaginatorDataSource<SampleItem>, _ store: SQLitePageStore<SampleItem>,
        _ scheduler: PaginatorScheduler
    ) -> CallbackPaginator<SampleItem> {
        var config = DefaultPaginatorConfig()
        config.scheduler = scheduler
        config.inMemoryEvictionStrategy = .adaptive(maxPages: 100)
        config.attemptTimeout = .milliseconds(500)
        config.fetchTimeout = .seconds(2)
        config.maxAttempts = 2
        return CallbackPaginator(dataSource: source, store: store, config: config)
    }

    var counts: Counts {
        var counts = begun
        counts.answers = answers.value
        counts.updates = updates.value
        return counts
    }

    /// Does one thing.
    func act() {
        switch random.number(in: 0..<1_000) {
        case 0..<300: fetch()
        case 300..<340: fetchAround()
        case 340..<420: cancelSomething()
        case 420..<700: scroll()
        case 700..<760: edit()
        case 760..<820: settle()
        case 820..<835: insert()
        case 835..<845: list { $0.refresh([.all, .firstPage, .keepingPlace][$1.number(in: 0..<3)]) }
        case 845..<855: paginator.prefetch(keys: [key()], pageSize: 20)
        case 855..<870: paginator.clear(key: key())
        case 870..<875: paginator.invalidate(.key(key()))
        case 875..<885: refresh()
        case 885..<890: paginator.clear(scope: "scope\(random.number(in: 0..<4))")
        case 890..<893: paginator.trim(toFraction: 0.5)
        case 893..<894: paginator.clearAll()
        case 894..<900: paginator.flush { _ in }
        case 900..<910: openList()
        case 910..<912: replacePaginator()
        case 912..<915: leaveAndComeBack()
        default: _ = paginator.peek(key: key(), pageSize: 20)
        }
    }

    /// Ends what is open, and tells when everything was answered and written.
    func finish(_ completion: @escaping @Sendable () -> Void) {
        for edit in openEdits { edit.rollBack() }
        openEdits = []
        lists = []
        paginator.shutdown { _ in completion() }
    }

    private func key() -> String { String(random.number(in: 0..<random.number(in: 1..<400)) * 20) }

    private func scope() -> String { random.chance(0.3) ? "scope\(random.number(in: 0..<4))" : "" }

    private func list(_ body: (List, inout SeededRandom) -> Void) {
        guard !lists.isEmpty else { return openList() }
        body(lists[random.number(in: 0..<lists.count)], &random)
    }

    private func fetch() {
        begun.fetches += 1
        var request = PageRequest(key: key(), pageSize: 20, scope: scope())
        request.policy = random.chance(0.2) ? .networkOnly : nil
        request.debounce = random.chance(0.05) ? DebounceKey("search", delay: .milliseconds(5)) : nil
        let tally = answers
        let execution = paginator.fetch(request, listener: SoakListener(tally))
        if executions.count > 50 { executions.removeFirst() }
        executions.append(execution)
    }

    private func fetchAround() {
        begun.fetches += 1
        let tally = answers
        paginator.fetchAround(
            key: key(), pageSize: 20, depthLevel: random.number(in: 0..<3), onPage: { _, _ in },
            completion: { _ in tally.add() })
    }

    private func refresh() {
        paginator.refresh(PageRequest(key: key(), pageSize: 20))
    }

    private func cancelSomething() {
        guard !executions.isEmpty else { return }
        _ = executions.remove(at: random.number(in: 0..<executions.count)).cancel()
    }

    private func scroll() {
        list { list, random in
            let count = list.snapshot.count
            let top = random.number(in: 0..<count + 1)
            list.hint(visible: top..<min(count, top + 10) + 1)
            switch random.number(in: 0..<20) {
            case 0..<8: list.loadNext()
            case 8..<10: list.loadPrevious()
            case 10: list.jump(to: String(random.number(in: 0..<300) * 20))
            case 11: list.retry()
            case 12: if let gap = list.snapshot.gaps.first { list.fillGap(at: gap) }
            case 13: list.cancelLoads()
            default: break
            }
        }
    }

    private func someID() -> Int { random.number(in: 0..<2_000) }

    private func edit() {
        begun.edits += 1
        let edits = paginator.edits(id: \.id)
        if random.chance(0.5) {
            openEdits.append(edits.begin(someID()) { SampleItem(id: $0.id, text: String($0.text.prefix(20)) + "!") })
        } else {
            edits.update(someID()) { SampleItem(id: $0.id, text: String($0.text.reversed())) }
        }
        if openEdits.count > 30 { openEdits.removeFirst().rollBack() }
    }

    private func settle() {
        guard !openEdits.isEmpty else { return }
        let edit = openEdits.remove(at: random.number(in: 0..<openEdits.count))
        if random.chance(0.5) { edit.commit() } else { edit.rollBack() }
    }

    private func insert() {
        list { list, random in
            list.insertLive([SampleItem(id: 1_000_000 + random.number(in: 0..<500), text: "live")])
        }
    }

    private func openList() {
        begun.lists += 1
        var config = PaginatorListConfig()
        config.pageSize = 20
        config.addressing = .offset
        config.scope = scope()
        config.windowItems = random.chance(0.7) ? 200 : nil
        let list = List(paginator, id: \.id, config: config)
        let tally = updates
        list.observe { _ in tally.add() }
        lists.append(list)
        if lists.count > 8 { lists.removeFirst() }
    }

    /// The lists and fetches of the old one end with it.
    private func replacePaginator() {
        begun.paginators += 1
        for edit in openEdits { edit.rollBack() }
        openEdits = []
        lists = []
        executions = []
        paginator = Self.makePaginator(source, store, scheduler)
    }

    private func leaveAndComeBack() {
        list { list, _ in
            list.bookmark { [weak list] bookmark in
                // A bookmark of the list's own has its scope and page size, so it is not refused.
                if let bookmark { try? list?.restore(bookmark) }
            }
        }
    }
}

/// A number that threads count up.
final class Tally: Sendable {
    private let number = AtomicWord()

    var value: Int { Int(clamping: number.value) }

    func add() { number.add(1) }
}

/// Counts terminal answers.
///
/// `@unchecked Sendable`: it has no mutable state of its own.
final class SoakListener: PaginatorFetchListener<SampleItem>, @unchecked Sendable {
    private let tally: Tally

    init(_ tally: Tally) { self.tally = tally }

    override func fetchDidEnd(_ result: Result<FetchedPage<SampleItem>, PaginatorError>) { tally.add() }
}
