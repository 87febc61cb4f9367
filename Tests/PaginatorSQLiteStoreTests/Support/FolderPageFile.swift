import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting

/// A page file as a user might write one: a file of JSON that is written anew with each commit. A property
/// list would not do: it keeps one of two texts that are equal but for their bytes.
final class FolderPageFile: PageFile {
    struct Row: Codable, Sendable {
        var scope, key: String
        var pageSize: Int
        var prevKey, nextKey, revision: String?
        var tags: [String]
        var total: Int?
        var expires: UInt64?
        var fetched, checksum: UInt64
        var items, memory, version: Int
        var codec: String
        var isInvalidated: Bool
        var content: Data
        var savedAt: Date
        var inserted: Int
        var uses = 0
        var lastUse = 0
    }

    fileprivate struct Contents: Codable, Sendable {
        var rows: [Row] = []
        var sequence = 0
    }

    let path: String
    private let contents: Guarded<Contents>

    init(path: String) throws {
        self.path = path
        let data = FileManager.default.contents(atPath: path)
        contents = Guarded(try data.map { try JSONDecoder().decode(Contents.self, from: $0) } ?? Contents())
    }

    func read(_ identity: PageIdentity) -> PageRecord? {
        contents.withLock { $0.rows.first { $0.identity == identity }?.record }
    }

    func recover() -> [RecordFacts] {
        contents.withLock { contents in
            contents.rows.map {
                RecordFacts(
                    identity: $0.identity, bytes: $0.record.diskBytes, items: $0.items, uses: $0.uses,
                    savedAt: $0.savedAt, saveOrder: $0.inserted, useOrder: $0.lastUse)
            }
        }
    }

    func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
        try contents.withLock { contents throws(PaginatorError) in
            var next = contents
            for change in changes { next.apply(change) }
            do {
                try JSONEncoder().encode(next).write(to: URL(fileURLWithPath: path), options: .atomic)
            } catch {
                throw PaginatorError(.storeFailed, "not written", underlying: error)
            }
            contents = next
        }
    }
}

extension FolderPageFile.Row {
    init(_ record: PageRecord, savedAt: Date, inserted: Int) {
        self.init(
            scope: record.identity.scope, key: record.identity.key, pageSize: record.identity.pageSize,
            prevKey: record.prevKey, nextKey: record.nextKey, revision: record.revision, tags: record.tags,
            total: record.total,
            expires: record.expirationTime?.timeIntervalSinceReferenceDate.bitPattern,
            fetched: record.fetchedAt.timeIntervalSinceReferenceDate.bitPattern, checksum: record.checksum,
            items: record.itemCount, memory: record.memoryBytes, version: record.codec.version,
            codec: record.codec.name, isInvalidated: record.isInvalidated, content: Data(record.content),
            savedAt: savedAt, inserted: inserted)
    }

    var identity: PageIdentity { PageIdentity(key: key, pageSize: pageSize, scope: scope) }

    var record: PageRecord {
        PageRecord(
            identity: identity, prevKey: prevKey, nextKey: nextKey,
            expirationTime: expires.map { Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)) },
            fetchedAt: Date(timeIntervalSinceReferenceDate: Double(bitPattern: fetched)), itemCount: items,
            memoryBytes: memory, codec: PageCodecTag(name: codec, version: version), content: Array(content),
            revision: revision, tags: tags, total: total, isInvalidated: isInvalidated, checksum: checksum)
    }
}

extension FolderPageFile.Contents {
    fileprivate mutating func apply(_ change: RecordChange) {
        sequence += 1
        switch change {
        case .save(let record, let savedAt):
            var row = FolderPageFile.Row(record, savedAt: savedAt, inserted: sequence)
            row.uses = rows.first { $0.identity == record.identity }?.uses ?? 0
            rows.removeAll { $0.identity == record.identity }
            rows.append(row)
        case .rewrite(let record, let replaced):
            guard let index = rows.firstIndex(where: { $0.identity == record.identity }) else { return }
            guard [replaced, ~replaced].contains(rows[index].checksum) else {
                return invalidate { $0.identity == record.identity }
            }
            let record = rows[index].isInvalidated ? record.invalidated() : record
            var row = FolderPageFile.Row(record, savedAt: rows[index].savedAt, inserted: rows[index].inserted)
            (row.uses, row.lastUse) = (rows[index].uses, rows[index].lastUse)
            rows[index] = row
        case .remove(let selection): rows.removeAll { selection.contains($0.identity) }
        case .invalidate(let selection):
            invalidate { selection.contains($0.identity) }
        case .invalidateTags(let tags):
            invalidate { $0.record.hasTag(in: tags) }
        case .use(let identity, let times):
            for index in rows.indices where rows[index].identity == identity {
                rows[index].uses += times
                rows[index].lastUse = sequence
            }
        }
    }

    private mutating func invalidate(where isConcerned: (FolderPageFile.Row) -> Bool) {
        for index in rows.indices where isConcerned(rows[index]) {
            let marked = rows[index].record.invalidated()
            (rows[index].isInvalidated, rows[index].checksum) = (true, marked.checksum)
        }
    }
}
