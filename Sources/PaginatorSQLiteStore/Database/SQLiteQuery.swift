/// The statements that each connection prepares once.
package enum SQLiteQuery: Int, CaseIterable {
    case begin, commit, rollback, version
    case findNamespace, addNamespace, usage, sequence, setSequence
    case read, save, rewrite, use
    case removePage, removeKey, removeScope, removeAll
    case invalidatePage, invalidateKey, invalidateScope, invalidateAll, invalidateTag
    case facts, newcomers, changed, recount, noteFlush, noteErasure

    /// The statement's name in errors.
    package var name: String { "\(self)" }

    private static let identity = "namespace = ?1 AND scope = ?2 AND key = ?3 AND page_size = ?4"
    // The checksum of a stale page is the complement of a fresh one's, so marking it need not read the row.
    private static let markStale = "SET stale = 1, checksum = ~checksum WHERE stale = 0 AND"
    private static let stale = "UPDATE pages \(markStale)"
    // The number of the last save is NULL, which is read without the content before it, unless the page was edited. The
    // id is that of the first save.
    private static let factColumns =
        "scope, key, page_size, bytes, items, uses, saved, coalesce(save_order, inserted), used, id"

    package var sql: String {
        switch self {
        // A write transaction from the start: one that has only read cannot wait for another writer, and fails.
        case .begin: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .version: "PRAGMA user_version"
        case .findNamespace: "SELECT id FROM namespaces WHERE name = ?1"
        case .addNamespace: "INSERT INTO namespaces (name) VALUES (?1)"
        case .usage: "SELECT pages, items, bytes FROM namespaces WHERE id = ?1"
        case .sequence: "SELECT sequence FROM store"
        case .setSequence: "UPDATE store SET sequence = ?1"
        case .read:
            """
            SELECT prev_key, next_key, expires, fetched, items, memory, codec, version, stale, checksum, content,
              revision, tags, total
            FROM pages WHERE \(Self.identity)
            """
        case .save:
            """
            INSERT INTO pages (namespace, scope, key, page_size, prev_key, next_key, expires, fetched, items, memory,
              codec, version, stale, checksum, content, bytes, saved, id, inserted, used, uses, revision,
              tags, total)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?18, 0, 0, ?19,
              ?20, ?21)
            ON CONFLICT (namespace, scope, key, page_size) DO UPDATE SET
              prev_key = ?5, next_key = ?6, expires = ?7, fetched = ?8, items = ?9, memory = ?10,
              codec = ?11, version = ?12, stale = ?13, checksum = ?14, content = ?15, bytes = ?16, saved = ?17,
              inserted = ?18, used = 0, revision = ?19, tags = ?20, total = ?21, save_order = NULL
            """
        // Only the edited page, because another process may have saved a newer one, or marked this one stale.
        case .rewrite:
            """
            UPDATE pages SET prev_key = ?5, next_key = ?6, expires = ?7, fetched = ?8, items = ?9, memory = ?10,
              codec = ?11, version = ?12, stale = max(stale, ?13), content = ?15, bytes = ?16, revision = ?19,
              tags = ?20, total = ?21, checksum = CASE WHEN stale > ?13 THEN ~?14 ELSE ?14 END,
              save_order = coalesce(save_order, inserted), inserted = ?18
            WHERE \(Self.identity) AND checksum IN (?17, ~?17)
            """
        case .use: "UPDATE pages SET uses = uses + ?5, used = ?6 WHERE \(Self.identity)"
        case .removePage: "DELETE FROM pages WHERE \(Self.identity)"
        case .removeKey: "DELETE FROM pages WHERE namespace = ?1 AND key = ?2"
        case .removeScope: "DELETE FROM pages WHERE namespace = ?1 AND scope = ?2"
        case .removeAll: "DELETE FROM pages WHERE namespace = ?1"
        case .invalidatePage: "\(Self.stale) \(Self.identity)"
        case .invalidateKey: "\(Self.stale) namespace = ?1 AND key = ?2"
        case .invalidateScope: "\(Self.stale) namespace = ?1 AND scope = ?2"
        case .invalidateAll: "\(Self.stale) namespace = ?1"
        // By the index, which contains the tags, so that rows of other pages are not read. Like the indexes of keys and
        // scopes it has no checksum, so damage in it may hide a page, whereas damage in rows is detected.
        case .invalidateTag:
            """
            UPDATE pages INDEXED BY pages_tags \(Self.markStale) namespace = ?1 AND tags IS NOT NULL
              AND instr(tags, ?2)
            """
        // In file order; with an index each row would be looked up separately.
        case .facts:
            """
            SELECT \(Self.factColumns) FROM pages NOT INDEXED
            WHERE namespace = ?1
            """
        // The plus sign prevents the use of the index on namespaces: few rows follow an id.
        case .newcomers:
            """
            SELECT \(Self.factColumns) FROM pages
            WHERE id > ?2 AND id <= ?3 AND +namespace = ?1
            """
        // In file order, like the facts.
        case .changed:
            """
            SELECT \(Self.factColumns) FROM pages NOT INDEXED
            WHERE namespace = ?1 AND inserted > ?2
            """
        // Not `sum`, which fails if damaged rows add up to more than an integer holds. Limited to less than that, so
        // that pages can be added.
        case .recount:
            """
            UPDATE namespaces SET (pages, items, bytes) =
              (SELECT count(*), CAST(min(total(max(items, 0)), 9e18) AS INTEGER),
                CAST(min(total(max(bytes, 0)), 9e18) AS INTEGER)
               FROM pages WHERE namespace = ?1)
            WHERE id = ?1
            """
        case .noteFlush: "UPDATE store SET flushes = flushes + 1"
        case .noteErasure: "UPDATE store SET erasure = 1"
        }
    }
}
