import PaginatorCore
import PaginatorStorage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes the changes of one commit, within its transaction.
struct SQLiteBatch {
    let connection: SQLiteConnection
    let namespace: Int64
    let salt: UInt64
    private(set) var sequence: Int64
    /// Whether a whole scope, or everything, was to be removed.
    private(set) var hasCleared = false
    /// Whether any page was removed.
    private(set) var hasRemoved = false

    mutating func apply(_ change: RecordChange) throws(SQLiteError) {
        switch change {
        case .save(let record, let savedAt):
            sequence += 1
            try write(.save, record) { [sequence] statement throws(SQLiteError) in
                try statement.bind(17, bits: savedAt)
                try statement.bind(18, sequence)
            }
        case .rewrite(let record, let replaced):
            // Only over the row that was edited, because another process may have saved a newer page meanwhile. With a
            // new number, so that others learn that the page has changed.
            sequence += 1
            try write(.rewrite, record) { [sequence] statement throws(SQLiteError) in
                try statement.bind(17, Int64(bitPattern: replaced ^ salt))
                try statement.bind(18, sequence)
            }
            // The row lacks the edit, and the edited record lacks the new content of the row.
            if connection.changes == 0 { try invalidate(.identity(record.identity)) }
        case .remove(let selection):
            try run(selection, .removePage, .removeKey, .removeScope, .removeAll)
            if connection.changes > 0 { hasRemoved = true }
            switch selection {
            // Log-outs clear this way. Single pages and keys are removed all the time.
            case .scope, .all: hasCleared = true
            case .identity, .key: break
            }
        case .invalidate(let selection):
            try invalidate(selection)
        case .invalidateTags(let tags):
            for tag in tags where !tag.isEmpty {
                try connection.run(.invalidateTag) { statement throws(SQLiteError) in
                    try statement.bind(1, namespace)
                    try statement.bind(2, copy: [tag].packedTags)
                }
            }
        case .use(let identity, let times):
            // A number, not a time, so that two uses within a clock tick are ordered.
            sequence += 1
            try connection.run(.use) { statement throws(SQLiteError) in
                try statement.bind(namespace, identity)
                // Bounded, so that the row's sum cannot overflow.
                try statement.bind(5, max(0, min(times, 1_000_000)))
                try statement.bind(6, sequence)
            }
        }
    }

    func writeSequence() throws(SQLiteError) {
        try connection.run(.setSequence) { statement throws(SQLiteError) in try statement.bind(1, sequence) }
    }

    private func invalidate(_ selection: PageSelection) throws(SQLiteError) {
        try run(selection, .invalidatePage, .invalidateKey, .invalidateScope, .invalidateAll)
    }

    private func run(
        _ selection: PageSelection,
        _ page: SQLiteQuery,
        _ key: SQLiteQuery,
        _ scope: SQLiteQuery,
        _ all: SQLiteQuery
    ) throws(SQLiteError) {
        switch selection {
        case .identity(let identity):
            try connection.run(page) { statement throws(SQLiteError) in try statement.bind(namespace, identity) }
        case .key(let name): try run(key, name)
        case .scope(let name): try run(scope, name)
        case .all: try run(all, nil)
        }
    }

    private func run(_ query: SQLiteQuery, _ name: String?) throws(SQLiteError) {
        try connection.run(query) { statement throws(SQLiteError) in
            try statement.bind(1, namespace)
            if let name { try statement.bind(2, copy: name) }
        }
    }

    private func write(
        _ query: SQLiteQuery,
        _ record: PageRecord,
        _ bindRest: (SQLiteStatement) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        let statement = try connection.prepared(query)
        // A statement that is not reset keeps its transaction open and prevents checkpoints.
        defer { statement.reset() }
        try statement.bind(namespace, record.identity)
        try statement.bind(5, copy: record.prevKey)
        try statement.bind(6, copy: record.nextKey)
        if let expires = record.expirationTime {
            try statement.bind(7, bits: expires)
        } else {
            try statement.bindNull(7)
        }
        try statement.bind(8, bits: record.fetchedAt)
        try statement.bind(9, record.itemCount)
        try statement.bind(10, record.memoryBytes)
        try statement.bind(11, copy: record.codec.name)
        try statement.bind(12, record.codec.version)
        try statement.bind(13, record.isInvalidated ? 1 : 0)
        try statement.bind(14, Int64(bitPattern: record.checksum ^ salt))
        try statement.bind(16, record.diskBytes)
        try statement.bind(19, copy: record.revision)
        try statement.bind(20, copy: record.tags.packedTags)
        if let total = record.total { try statement.bind(21, total) } else { try statement.bindNull(21) }
        try bindRest(statement)
        // The content, which may be large, is bound without a copy, so the statement must run inside. A `Result`,
        // because this call does not rethrow typed errors.
        let result = record.content.withUnsafeBytes { bytes -> Result<Void, SQLiteError> in
            do throws(SQLiteError) {
                try statement.bind(15, borrowed: bytes)
                _ = try statement.step()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}

extension SQLiteStatement {
    /// Binds a page's identity to the first four parameters.
    func bind(_ namespace: Int64, _ identity: PageIdentity) throws(SQLiteError) {
        try bind(1, namespace)
        try bind(2, copy: identity.scope)
        try bind(3, copy: identity.key)
        try bind(4, identity.pageSize)
    }

    /// Binds the bits of a time's seconds since 2001.
    func bind(_ index: Int32, bits date: Date) throws(SQLiteError) {
        try bind(index, Int64(bitPattern: date.timeIntervalSinceReferenceDate.bitPattern))
    }
}

extension [String] {
    /// The bytes of tags with a zero byte around each; empty for no tags.
    fileprivate var packedTags: [UInt8] { isEmpty ? [] : reduce(into: [0]) { $0 += [UInt8]($1.utf8) + [0] } }
}
