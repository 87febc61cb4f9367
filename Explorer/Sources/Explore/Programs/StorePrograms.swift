import CExplorer
import Foundation
import StorageTesting

@testable import PaginatorCore
@testable import PaginatorStorage

/// A store of pages of numbers; a load sees every change that was handed over before it. An edit adds a number to all.
struct StoreModel: SequentialModel {
    enum Call: Sendable {
        case save(Int, content: Int)
        case clear
        case edit(Int)
        case load(Int)
        /// The call of the load that began then has returned.
        case called(load: Int64)
        case flush
    }

    private var pages: [Int: [Int]] = [:]

    /// The outcome: what a load found, or what the file holds for good when a flush has ended, by page.
    mutating func accepts(_ call: Call, _ outcome: [Int: [Int]]) -> Bool {
        switch call {
        case .save(let page, let content): pages[page] = [content]
        case .clear: pages = [:]
        case .edit(let number): pages = pages.mapValues { $0 + [number] }
        case .load(let page): return outcome == pages.filter { $0.key == page }
        case .called: break
        case .flush: return outcome == pages
        }
        return true
    }

    /// A load never shows an edit that was handed over after it was called: who keeps edits in order applies it himself.
    static func complaintOfLaterEdits(in history: [Operation<Call, [Int: [Int]]>]) -> String? {
        var ends: [Int64: Int64] = [:]
        for operation in history { if case .called(let load) = operation.call { ends[load] = operation.ended } }
        for load in history {
            guard case .load = load.call, let end = ends[load.began] else { continue }
            for edit in history where edit.began > end {
                guard case .edit(let number) = edit.call, load.outcome.values.contains(where: { $0.contains(number) })
                else { continue }
                return "a load that was called before the edit \(number) shows it: \(load.outcome)"
            }
        }
        return nil
    }
}

/// Complains when it is called with a lock held.
private struct WatchedCodec: PageCodec {
    let complaints: Complaints
    private let codec = CompactPageCodec<Int>()

    init(_ complaints: Complaints) { self.complaints = complaints }

    var tag: PageCodecTag { codec.tag }

    func encode(_ items: [Int]) throws -> [UInt8] {
        complaints.expectNoLock("a codec")
        return try codec.encode(items)
    }

    func decode(_ bytes: [UInt8]) throws -> [Int] {
        complaints.expectNoLock("a codec")
        return try codec.decode(bytes)
    }
}

private final class StoreRig: Sendable {
    let history = History<StoreModel.Call, [Int: [Int]]>()
    let complaints = Complaints()
    let executor = ScheduledExecutor()
    private let clock: ScheduledClock
    private let file = ScriptedPageFile()
    private let store: PageFileStore<Int>
    private let answers = Guarded(0)

    /// Each call but a save and a clear has an answer.
    init(lingers: Bool, maxPages: Int = 10) {
        var config = WriteBehindConfig()
        config.executor = executor
        // The clock stands still, so that what lingers is written by a flush alone.
        if !lingers { config.maxBatchChanges = 1 }
        clock = ScheduledClock(complaints)
        store = PageFileStore(
            file: file, codec: WatchedCodec(complaints), evictionStrategy: .fifo(maxPages: maxPages), config: config)
        store.attach(to: StoreEnvironment(clock: clock))
    }

    private func apply(_ change: StoreChange<Int>) {
        store.apply([change]) { [complaints] in
            complaints.expectNoLock("what a store answers")
            if case .failure(let error) = $0 { complaints.add("a change failed: \(error)", unless: false) }
        }
    }

    func save(_ page: Int, _ content: Int) {
        let stored = StoredPage(
            page: PaginatorPage(content: [content], key: "\(page)"), fetchedAt: Date(timeIntervalSince1970: 0))
        history.record(.save(page, content: content)) {
            apply(.save(.numbered(page), stored))
            return [:]
        }
    }

    func clear() {
        history.record(.clear) {
            apply(.remove(.all))
            return [:]
        }
    }

    func edit(_ number: Int) {
        let edit = PageEdit<Int> { [complaints] page in
            complaints.expectNoLock("an edit")
            return PaginatorPage(content: page.content + [number], key: page.key)
        }
        history.record(.edit(number)) {
            apply(.edit(.all, edit))
            return [:]
        }
    }

    func show() { _ = (store.state, store.statistics) }

    func load(_ page: Int) {
        let begun = history.begin(.load(page))
        store.load(.numbered(page)) { [self] result in
            complaints.expectNoLock("what a store answers")
            answers.withLock { $0 += 1 }
            switch result {
            case .success(let stored): history.end(begun, stored.map { [page: $0.page.content] } ?? [:])
            case .failure(let error): complaints.add("a load failed: \(error)", unless: false)
            }
        }
        history.end(.init(call: .called(load: begun.began), began: explorer_tick()), [:])
    }

    func flush() {
        let begun = history.begin(.flush)
        store.flush { [self] result in
            complaints.expectNoLock("what a store answers")
            answers.withLock { $0 += 1 }
            if case .failure(let error) = result { complaints.add("a flush failed: \(error)", unless: false) }
            history.end(begun, durable)
        }
    }

    private var durable: [Int: [Int]] {
        var pages: [Int: [Int]] = [:]
        let coder = PageRecordCoder(codec: CompactPageCodec<Int>())
        for page in 1...2 {
            guard let record = file.durableRecord(.numbered(page)),
                case .page(let stored) = coder.decode(record, of: .numbered(page))
            else { continue }
            pages[page] = stored.page.content
        }
        return pages
    }

    func complaint(answers count: Int) -> String? {
        if let complaint = complaints.first { return complaint }
        let answers = answers.withLock { $0 }
        guard answers == count else { return "\(answers) of \(count) calls were answered" }
        let violations = store.writeBehind.invariantViolations()
        guard violations.isEmpty else { return violations.joined(separator: "\n") }
        return StoreModel.complaintOfLaterEdits(in: history.operations) ?? StoreModel().complaint(about: history)
    }

    var count: Int { file.count }
}

let storePrograms = [
    Program("write-behind", "save, load | clear | flush | an executor that reads and writes") {
        let rig = StoreRig(lingers: true)
        rig.save(1, 10)
        return Run(threads: [
            {
                rig.save(1, 11)
                rig.load(1)
            }, { rig.clear() }, { rig.flush() }, { rig.executor.serve() },
        ]) { rig.complaint(answers: 2) }
    },
    Program("write-behind-busy", "save, save | load, load | an executor; each change is written at once") {
        let rig = StoreRig(lingers: false)
        return Run(threads: [
            {
                rig.save(1, 10)
                rig.save(1, 11)
            },
            {
                rig.load(1)
                rig.load(1)
            }, { rig.executor.serve() },
        ]) { rig.complaint(answers: 2) }
    },
    Program("write-behind-limit", "save, flush | save | an executor; the file keeps one page") {
        let rig = StoreRig(lingers: true, maxPages: 1)
        return Run(threads: [
            {
                rig.save(1, 10)
                rig.flush()
            },
            { rig.save(2, 20) }, { rig.executor.serve() },
        ]) { rig.count <= 1 ? nil : "\(rig.count) pages are in a file that keeps one" }
    },
    Program("write-behind-edits", "edit | load, load | an executor; the page is in the file") {
        let rig = StoreRig(lingers: false)
        rig.save(1, 10)
        rig.flush()
        rig.executor.serve()
        return Run(threads: [
            { rig.edit(1) },
            {
                rig.load(1)
                rig.load(1)
            }, { rig.executor.serve() },
        ]) { rig.complaint(answers: 3) }
    },
    Program("write-behind-edits-two", "edit, load | edit | an executor; the page is in the file") {
        let rig = StoreRig(lingers: false)
        rig.save(1, 10)
        rig.flush()
        rig.executor.serve()
        return Run(threads: [
            {
                rig.edit(1)
                rig.load(1)
            }, { rig.edit(2) }, { rig.executor.serve() },
        ]) { rig.complaint(answers: 2) }
    },
    Program("write-behind-shown", "save, save | show the state | an executor; the user's code is called without a lock")
    {
        let rig = StoreRig(lingers: false)
        return Run(threads: [
            {
                rig.save(1, 10)
                rig.save(2, 20)
            }, { rig.show() }, { rig.executor.serve() },
        ]) { rig.complaint(answers: 0) }
    },
]
