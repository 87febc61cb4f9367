import Foundation
import StorageTesting

@testable import PaginatorCore
@testable import PaginatorStorage

/// A store of pages with one number each; a load sees every change that was handed over before it.
struct StoreModel: SequentialModel {
    enum Call: Sendable {
        case save(Int, content: Int)
        case clear
        case load(Int)
        case flush
    }

    private var pages: [Int: Int] = [:]

    /// The outcome: what a load found, or what the file holds for good when a flush has ended, by page.
    mutating func accepts(_ call: Call, _ outcome: [Int: Int]) -> Bool {
        switch call {
        case .save(let page, let content): pages[page] = content
        case .clear: pages = [:]
        case .load(let page): return outcome == pages.filter { $0.key == page }
        case .flush: return outcome == pages
        }
        return true
    }
}

private final class StoreRig: Sendable {
    let history = History<StoreModel.Call, [Int: Int]>()
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
        if !lingers { config.linger = .zero }
        clock = ScheduledClock(complaints)
        store = PageFileStore(
            file: file, codec: CompactPageCodec(), evictionStrategy: .fifo(maxPages: maxPages), config: config)
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

    func load(_ page: Int) {
        let begun = history.begin(.load(page))
        store.load(.numbered(page)) { [self] result in
            complaints.expectNoLock("what a store answers")
            answers.withLock { $0 += 1 }
            switch result {
            case .success(let stored): history.end(begun, stored?.page.content.first.map { [page: $0] } ?? [:])
            case .failure(let error): complaints.add("a load failed: \(error)", unless: false)
            }
        }
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

    private var durable: [Int: Int] {
        var pages: [Int: Int] = [:]
        let coder = PageRecordCoder(codec: CompactPageCodec<Int>())
        for page in 1...2 {
            guard let record = file.durableRecord(.numbered(page)), case .page(let stored) = coder.decode(record) else {
                continue
            }
            pages[page] = stored.page.content.first
        }
        return pages
    }

    func complaint(answers count: Int) -> String? {
        if let complaint = complaints.first { return complaint }
        let answers = answers.withLock { $0 }
        guard answers == count else { return "\(answers) of \(count) calls were answered" }
        let violations = store.writeBehind.invariantViolations()
        guard violations.isEmpty else { return violations.joined(separator: "\n") }
        return StoreModel().complaint(about: history)
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
]
