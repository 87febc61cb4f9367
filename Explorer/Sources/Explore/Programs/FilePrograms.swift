@testable import PaginatorCore
@testable import PaginatorSQLiteStore

/// Whoever looks finds all that others have written since he looked before.
struct WritersModel: SequentialModel {
    enum Call: Sendable {
        case write(Int, by: Int)
        case look(Int)
    }

    private var written: [(page: Int, store: Int)] = []
    private var looked: [Int: Int] = [:]

    /// The outcome: the pages that were found, with those of others.
    mutating func accepts(_ call: Call, _ outcome: [Int]) -> Bool {
        switch call {
        case .write(let page, let store): written.append((page, store))
        case .look(let store):
            let new = written[looked[store, default: 0]...]
            looked[store] = written.count
            return outcome == new.filter { $0.store != store }.map(\.page)
        }
        return true
    }
}

/// A file with a sequence, which stores of this process and of another one write, as `SQLitePageFile` does.
private final class WritersRig: Sendable {
    private struct File {
        var pages: [(page: Int, store: Int)] = []
        var watched: [Int: Int] = [:]
    }

    /// The store of another process, which tells nobody here what it writes.
    static let foreign = 9

    let history = History<WritersModel.Call, [Int]>()
    private let writers = FileWriters()
    private let file = Guarded(File())

    init(stores: Int) {
        for store in 0..<stores {
            writers.add(UInt64(store), of: "pages")
            _ = writers.ask(UInt64(store))
        }
        writers.found(0, generation: 1)
        for store in 0..<stores { look(store) }
    }

    func write(_ page: Int, by store: Int) {
        history.record(.write(page, by: store)) {
            let start = file.withLock { file in
                file.pages.append((page, store))
                return file.pages.count - 1
            }
            if store != Self.foreign {
                writers.wrote(UInt64(store), "pages", from: Int64(start), to: Int64(start + 1), generation: 1)
            }
            return []
        }
    }

    func look(_ store: Int) {
        history.record(.look(store)) {
            let asked = writers.ask(UInt64(store))
            return file.withLock { file in
                let watched = file.watched.updateValue(file.pages.count, forKey: store) ?? 0
                guard asked.isTold || asked.sequence != file.pages.count else { return [] }
                return file.pages[watched...].filter { $0.store != store }.map(\.page)
            }
        }
    }

    var complaint: String? {
        for store in 0..<2 { look(store) }
        return WritersModel().complaint(about: history)
    }
}

let filePrograms = [
    Program("file-writers", "write, look | write by another store, look | write by another process") {
        let rig = WritersRig(stores: 2)
        return Run(threads: [
            {
                rig.write(1, by: 0)
                rig.look(0)
            },
            {
                rig.write(2, by: 1)
                rig.look(1)
            }, { rig.write(3, by: WritersRig.foreign) },
        ]) { rig.complaint }
    }
]
