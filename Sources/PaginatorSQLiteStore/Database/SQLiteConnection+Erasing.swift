import PaginatorCore

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

extension SQLiteConnection {
    /// Overwrites the parts of the file's pages that nothing uses. SQLite leaves copies there of rows that it moved to
    /// another page, which `PRAGMA secure_delete` does not reach when they are removed from that one.
    ///
    /// Only within a writing transaction, while the WAL is empty: then the file is what everybody sees, and nobody writes to
    /// it. What is overwritten is read by nobody, so a process that dies here leaves a sound file. Complexity: O(bytes of the
    /// file), most of them only read. The layout of pages: https://www.sqlite.org/fileformat2.html#b_tree_pages
    ///
    /// - Returns: whether it was done; `false` when the file is not laid out as this expects: from 1 GB on, one page is left
    ///   out for locks and others move, and bytes that pages reserve belong to somebody who encrypts pages or sums them up.
    /// - Throws: an error when the file cannot be read or written.
    func overwriteUnusedParts() throws(SQLiteError) -> Bool {
        let pageSize = Int(try number("PRAGMA page_size", "read page size"))
        let count = Int(try number("PRAGMA page_count", "count pages"))
        let hasMap = try number("PRAGMA auto_vacuum", "read vacuum mode") != 0
        let file = try DatabaseFile(self)
        guard (512...65_536).contains(pageSize), (1...(1 << 30) / pageSize - 1).contains(count) else { return false }
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * pageSize, alignment: 8)
        let zeros = UnsafeMutableRawBufferPointer.allocate(byteCount: pageSize, alignment: 8)
        defer {
            chunk.deallocate()
            zeros.deallocate()
        }
        zeros.initializeMemory(as: UInt8.self, repeating: 0)
        // Every so many pages, from the second on, one is a map of those behind it.
        var mapInterval = 0
        var hasWritten = false
        for first in stride(from: 0, to: count, by: 64) {
            let pages = UnsafeMutableRawBufferPointer(rebasing: chunk[..<(min(64, count - first) * pageSize)])
            try file.read(pages, at: first * pageSize)
            if first == 0 {
                guard pages.starts(with: "SQLite format 3\0".utf8), pages[20] == 0 else { return false }
                if hasMap { mapInterval = pageSize / 5 + 1 }
            }
            for index in first..<first + pages.count / pageSize {
                if mapInterval > 0, index % mapInterval == 1 { continue }
                let start = (index - first) * pageSize
                let page = UnsafeRawBufferPointer(rebasing: pages[start..<start + pageSize])
                guard let part = Self.unusedPart(of: page, isFirst: index == 0), page[part].contains(where: { $0 != 0 })
                else { continue }
                try file.write(
                    UnsafeRawBufferPointer(rebasing: zeros[..<part.count]), at: index * pageSize + part.lowerBound)
                hasWritten = true
            }
        }
        // Past SQLite, which does not know that there is something to sync.
        if hasWritten { try file.sync() }
        return true
    }

    /// What lies between a page's list of rows and the rows; `nil` when it is no page of a table or an index.
    private static func unusedPart(of page: UnsafeRawBufferPointer, isFirst: Bool) -> Range<Int>? {
        // The file's own header comes before the first page's.
        let header = isFirst ? 100 : 0
        let kind = page[header]
        // A page of a table or an index begins with one of these; all others with the upper byte of a page's number.
        guard [2, 5, 10, 13].contains(kind) else { return nil }
        func number(at offset: Int) -> Int { Int(page[header + offset]) << 8 | Int(page[header + offset + 1]) }
        let start = header + (kind < 8 ? 12 : 8) + 2 * number(at: 3)
        let end = number(at: 5) == 0 ? 65_536 : number(at: 5)
        return start < end && end <= page.count ? start..<end : nil
    }
}

/// The database's file as SQLite has it open; another descriptor of it would drop SQLite's locks when it is closed.
private struct DatabaseFile {
    private let connection: SQLiteConnection
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: sqlite3_io_methods

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        guard let file = connection.mainFile, let methods = file.pointee.pMethods?.pointee else {
            throw connection.error(SQLITE_MISUSE, "find file")
        }
        self.connection = connection
        self.file = file
        self.methods = methods
    }

    func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(SQLiteError) {
        try check(methods.xRead?(file, bytes.baseAddress, Int32(bytes.count), sqlite3_int64(offset)))
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SQLiteError) {
        try check(methods.xWrite?(file, bytes.baseAddress, Int32(bytes.count), sqlite3_int64(offset)))
    }

    func sync() throws(SQLiteError) {
        try check(methods.xSync?(file, SQLITE_SYNC_FULL))
    }

    private func check(_ code: Int32?) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw connection.error(code ?? SQLITE_MISUSE, "overwrite unused parts") }
    }
}
