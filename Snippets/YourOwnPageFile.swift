// Your own page file: it keeps records in a dictionary, where yours has a database.
import Foundation
import PaginatorCore
import PaginatorStorage

/// `@unchecked Sendable`: `rows` and `changes` are guarded by `lock`.
final class DictionaryFile: PageFile, @unchecked Sendable {
    private struct Row {
        var record: PageRecord
        let savedAt: Date
        let saveOrder: Int
        var uses = 0
        var useOrder = 0
    }

    private let lock = NSLock()
    private var rows: [PageIdentity: Row] = [:]
    private var changes = 0

    func read(_ identity: PageIdentity) -> PageRecord? {
        lock.withLock { rows[identity]?.record }
    }

    func recover() -> [RecordFacts] {
        lock.withLock {
            rows.map { identity, row in
                RecordFacts(
                    identity: identity, bytes: row.record.diskBytes, items: row.record.itemCount, uses: row.uses,
                    savedAt: row.savedAt, saveOrder: row.saveOrder, useOrder: row.useOrder)
            }
        }
    }

    // All changes or none: a database uses a transaction, and syncs its file if `durably` is true.
    func commit(_ changes: [RecordChange], durably: Bool) {
        lock.withLock { for change in changes { apply(change) } }
    }

    private func apply(_ change: RecordChange) {
        changes += 1
        switch change {
        case .save(let record, let savedAt):
            let uses = rows[record.identity]?.uses ?? 0
            rows[record.identity] = Row(record: record, savedAt: savedAt, saveOrder: changes, uses: uses)
        case .rewrite(let record, let replaced):
            guard let known = rows[record.identity]?.record else { return }
            // Otherwise another process has saved the page meanwhile, without the edit.
            let isEdited = known.checksum == replaced || known.checksum == ~replaced
            let kept = isEdited ? record : known
            rows[record.identity]?.record = known.isInvalidated || !isEdited ? kept.invalidated() : kept
        case .remove(let selection):
            rows = rows.filter { !selection.contains($0.key) }
        case .invalidate(let selection):
            for (identity, row) in rows where selection.contains(identity) {
                rows[identity]?.record = row.record.invalidated()
            }
        case .invalidateTags(let tags):
            for (identity, row) in rows where row.record.hasTag(in: tags) {
                rows[identity]?.record = row.record.invalidated()
            }
        case .use(let identity, let times):
            rows[identity]?.uses += times
            rows[identity]?.useOrder = changes
        }
    }
}

let store = PageFileStore(file: DictionaryFile(), codec: JSONPageCodec<String>())
let feed = CallbackPaginator(dataSource: ArrayDataSource(["first", "second"]), store: store)
feed.fetch(key: "0", pageSize: 30) { _ in
    feed.flush { _ in
        print("\(store.statistics.savedPages) page saved")
        exit(0)
    }
}
dispatchMain()
