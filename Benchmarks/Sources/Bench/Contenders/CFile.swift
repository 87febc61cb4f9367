import CBaseline
import Foundation
import PaginatorSQLiteStore

/// The store's tables by SQLite's C API alone.
final class CFile {
    private let handle: OpaquePointer
    private let namespace: Int64

    /// Opens a file that the store has made.
    init(path: String, namespace: String) throws {
        let texts = [
            SQLiteQuery.begin, .commit, .read, .save, .usage, .sequence, .setSequence, .removePage,
        ].map { strdup($0.sql) }
        defer { for text in texts { free(text) } }
        var statements = baseline_statements(
            begin: texts[0], commit: texts[1], read: texts[2], save: texts[3], usage: texts[4], sequence: texts[5],
            set_sequence: texts[6], drop: texts[7])
        guard let handle = baseline_open(path, &statements) else {
            throw Command.Failure(description: "\(path) could not be opened")
        }
        self.handle = handle
        self.namespace = baseline_namespace(handle, namespace)
    }

    deinit {
        baseline_close(handle)
    }

    func read(_ key: UnsafePointer<CChar>?, sums: Bool) -> Int {
        Int(baseline_read(handle, namespace, key, 30, sums ? 1 : 0))
    }

    /// Reads a page's content into a buffer, and nothing else; returns its length.
    func content(_ key: UnsafePointer<CChar>?, into buffer: inout [UInt8]) -> Int {
        let capacity = buffer.count
        return buffer.withUnsafeMutableBufferPointer {
            Int(baseline_content(handle, namespace, key, 30, $0.baseAddress, capacity))
        }
    }

    func remove(_ keys: [UnsafePointer<CChar>?]) throws {
        let code = baseline_remove(handle, namespace, keys, Int32(keys.count), 30)
        guard code == 0 else { throw Command.Failure(description: "SQLite answered \(code)") }
    }

    func save(_ keys: [UnsafePointer<CChar>?], _ content: [UInt8], sums: Bool) throws {
        let code = baseline_save(
            handle, namespace, keys, Int32(keys.count), 30, content, content.count, sums ? 1 : 0)
        guard code == 0 else { throw Command.Failure(description: "SQLite answered \(code)") }
    }

    func synchronize(fully: Bool) { baseline_synchronize(handle, fully ? 1 : 0) }

    /// Sets whether a commit copies the WAL back when it has 1,000 frames.
    func checkpointByDefault(_ isDefault: Bool) { baseline_checkpoint_by_default(handle, isDefault ? 1 : 0) }

    func checkpoint() { _ = baseline_checkpoint(handle) }
}

/// Texts as C has them.
final class CKeys {
    let pointers: [UnsafePointer<CChar>?]

    init(_ keys: [String]) {
        pointers = keys.map { UnsafePointer(strdup($0)) }
    }

    deinit {
        for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) }
    }
}
