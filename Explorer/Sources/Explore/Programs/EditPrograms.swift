@testable import PaginatorCore

/// What a page shows: the committed edits in their order, and after them the pending one.
struct EditModel: SequentialModel {
    enum Call: Sendable {
        case begin(Int)
        case commit(Int)
        case shown
        case current
    }

    private var committed: [Int] = []
    private var pending: Int?

    mutating func accepts(_ call: Call, _ outcome: [Int]) -> Bool {
        switch call {
        case .begin(let edit): pending = edit
        case .commit(let edit):
            committed.append(edit)
            pending = nil
        case .shown: return outcome == committed + (pending.map { [$0] } ?? [])
        case .current: return outcome == committed
        }
        return true
    }
}

private final class Row: Sendable {
    let edits: [Int]

    init(_ edits: [Int]) {
        self.edits = edits
    }
}

private final class EditRig: Sendable {
    let history = History<EditModel.Call, [Int]>()
    let complaints = Complaints()
    let log = EditLog()

    func page() -> LoadedPage {
        var page = LoadedPage.numbered(0)
        page.object = Row([])
        return page
    }

    private func change(_ edit: Int) -> EditLog.Change {
        { [complaints] object in
            complaints.expectNoLock("an edit")
            return (object as? Row).map { Row($0.edits + [edit]) }
        }
    }

    private func edits(_ page: LoadedPage) -> [Int] { (page.object as? Row)?.edits ?? [] }

    func begin(_ edit: Int) {
        history.record(.begin(edit)) {
            log.setPending(change(edit))
            return []
        }
    }

    func commit(_ edit: Int) {
        history.record(.commit(edit)) {
            _ = log.append(change(edit), at: .zero)
            return []
        }
    }

    func show(_ page: LoadedPage) { history.record(.shown) { edits(log.shown(page)) } }

    /// As when an answer is put into memory; the page as it is there.
    func admit(_ page: LoadedPage) -> LoadedPage {
        let begun = history.begin(.current)
        let current = log.current(page)
        history.end(begun, edits(current))
        return current
    }

    var complaint: String? {
        show(page())
        return complaints.first ?? EditModel().complaint(about: history)
    }
}

/// Memory has the page that was put there last. It shows the edits that were committed after it was asked for.
struct MemoryEditModel: SequentialModel {
    enum Call: Sendable {
        /// Whoever answers from now on has the edits that were committed before.
        case ask
        case admit(Int, asked: Int)
        case commit(Int)
        case read
        /// A page that was read is delivered.
        case show(Int)
    }

    private var committed: [Int] = []
    private var asked: [Int: Int] = [:]
    private var page: Int?

    /// The outcome: how many edits the answer has, the page that is found, or its edits.
    mutating func accepts(_ call: Call, _ outcome: [Int]) -> Bool {
        switch call {
        case .ask: return outcome == [committed.count]
        case .admit(let page, let asked): (self.page, self.asked[page]) = (page, asked)
        case .commit(let edit): committed.append(edit)
        case .read: return outcome == page.map { [$0] }
        case .show(let page): return outcome == asked[page].map { Array(committed[$0...]) }
        }
        return true
    }
}

/// A paginator's engine, of which memory and the log of edits are used. The page in memory has the item that is edited.
private final class MemoryEditRig: Sendable {
    let history = History<MemoryEditModel.Call, [Int]>()
    let complaints = Complaints()
    private let executor = ScheduledExecutor()
    private let engine: FetchEngine
    private let page = PageIdentity.numbered(0)
    private let target = ItemTarget(identifier: Row([]), hash: 1) { _ in [1] }

    init() {
        let clock = ScheduledClock(complaints)
        var config = DefaultPaginatorConfig()
        config.executor = executor
        config.callbackExecutor = executor
        config.mainExecutor = executor
        config.clock = clock
        config.randomSeed = 1
        config.inMemoryEvictionStrategy = .fifo(maxPages: 2)
        engine = FetchEngine(
            operations: PageOperations(
                source: ArrayDataSource<Int>([]), validator: .acceptAll, store: nil, clock: clock),
            config: config)
        // From the second edit on it is known which pages have the item.
        admit(1)
        commit(1)
        commit(2)
        executor.serve()
    }

    deinit { engine.release() }

    func admit(_ number: Int) {
        var answer = LoadedPage.numbered(0)
        // First of all is which page it is.
        answer.object = Row([number])
        history.record(.ask) {
            answer.editCount = engine.edits.count
            return [Int(answer.editCount)]
        }
        history.record(.admit(number, asked: Int(answer.editCount))) {
            engine.feed(.prime(page, answer))
            return []
        }
    }

    func commit(_ edit: Int) {
        history.record(.commit(edit)) {
            _ = engine.commit(
                { [complaints] object in
                    complaints.expectNoLock("an edit")
                    return (object as? Row).map { Row($0.edits + [edit]) }
                }, of: target, pending: nil)
            return []
        }
    }

    func read() {
        func row(_ page: LoadedPage?) -> [Int] { (page?.object as? Row)?.edits ?? [] }
        let begun = history.begin(.read)
        guard let found = engine.memory.read(page, at: .zero, touching: true), let number = row(found).first else {
            return history.end(begun, [])
        }
        history.end(begun, [number])
        history.record(.show(number)) { Array(row(engine.edits.shown(found)).dropFirst()) }
    }

    var complaint: String? {
        read()
        return complaints.first ?? MemoryEditModel().complaint(about: history)
    }
}

let editPrograms = [
    Program("edits", "begin, commit an edit | a page is read twice | a page is admitted, then read") {
        let rig = EditRig()
        return Run(threads: [
            {
                rig.begin(1)
                rig.commit(1)
            },
            { for _ in 0..<2 { rig.show(rig.page()) } },
            { rig.show(rig.admit(rig.page())) },
        ]) { rig.complaint }
    },
    Program("edits-two", "commit | commit | a page is admitted, admitted again, and read") {
        let rig = EditRig()
        return Run(threads: [
            { rig.commit(1) }, { rig.commit(2) },
            {
                let page = rig.admit(rig.page())
                rig.show(rig.admit(page))
            },
        ]) { rig.complaint }
    },
    Program("edits-memory", "commit | a page is asked for, and put into memory in place of another | it is read twice")
    {
        let rig = MemoryEditRig()
        return Run(threads: [
            { rig.commit(3) }, { rig.admit(2) },
            {
                rig.read()
                rig.read()
            },
        ]) { rig.complaint }
    },
    Program("edits-memory-two", "commit, commit | a page is asked for, and put into memory | it is read") {
        let rig = MemoryEditRig()
        return Run(threads: [
            {
                rig.commit(3)
                rig.commit(4)
            }, { rig.admit(2) }, { rig.read() },
        ]) { rig.complaint }
    },
]
