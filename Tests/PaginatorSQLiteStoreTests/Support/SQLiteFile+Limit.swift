import PaginatorCore

@testable import PaginatorSQLiteStore

extension SQLiteFile {
    /// Limits the size of the file while its writer is open.
    func limitPages(to count: Int) throws(PaginatorError) {
        writing.lock()
        defer { writing.unlock() }
        let connection = try connect()
        do {
            try connection.execute("PRAGMA max_page_count = \(count)", "limit pages")
        } catch {
            throw mapped(error)
        }
    }
}
