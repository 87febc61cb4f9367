import PaginatorCore

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

extension SQLiteConnection {
    /// Overwrites the unused parts of the file's pages, where SQLite leaves copies of rows that it moved to another
    /// page. `PRAGMA secure_delete` does not reach these copies when the rows are removed.
    ///
    /// Call it only within a write transaction while the WAL is empty: then all readers see the file itself, and no
    /// other connection writes. The overwritten bytes are never read, so the file stays valid if the process dies.
    /// Complexity: O(bytes of the file), most of them only read. The layout of pages:
    /// https://www.sqlite.org/fileformat2.html#b_tree_pages
    ///
    /// - Returns: whether it was done; `false` if the file has another layout: from 1 GB on, one page is reserved for
    ///   locks and others move, and what is in the reserved bytes of pages belongs to encryption or checksums. Apple's
    ///   SQLite reserves bytes that it leaves zero.
    /// - Throws: an error if the file cannot be read or written, or the connection was interrupted.
    func overwriteUnusedParts() throws(SQLiteError) -> Bool {
        let pageSize = Int(try number("PRAGMA page_size", "read page size"))
        let count = Int(try number("PRAGMA page_count", "count pages"))
        let hasMap = try number("PRAGMA auto_vacuum", "read vacuum mode") != 0
        let file = try DatabaseFile(self)
        guard (512...65_536).contains(pageSize), (1...(1 << 30) / pageSize - 1).contains(count) else { return false }
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * pageSize, alignment: 8)
        defer { chunk.deallocate() }
        // At this interval, from the second page on, a page is a map of the following pages.
        var mapInterval: Int?
        var hasWritten = false
        for first in stride(from: 0, to: count, by: 64) {
            try checkInterrupt()
            let pages = UnsafeMutableRawBufferPointer(rebasing: chunk[..<(min(64, count - first) * pageSize)])
            try file.read(pages, at: first * pageSize)
            if first == 0 {
                let usable = pageSize - Int(pages[20])
                guard pages.starts(with: "SQLite format 3\0".utf8), pages[usable..<pageSize].allSatisfy({ $0 == 0 })
                else { return false }
                if hasMap { mapInterval = usable / 5 + 1 }
            }
            for index in first..<first + pages.count / pageSize {
                if let mapInterval, index % mapInterval == 1 { continue }
                let start = (index - first) * pageSize
                let page = UnsafeMutableRawBufferPointer(rebasing: pages[start..<start + pageSize])
                guard let part = Self.unusedPart(of: UnsafeRawBufferPointer(page), isFirst: index == 0),
                    page[part].contains(where: { $0 != 0 })
                else { continue }
                let unused = UnsafeMutableRawBufferPointer(rebasing: page[part])
                unused.initializeMemory(as: UInt8.self, repeating: 0)
                try file.write(UnsafeRawBufferPointer(unused), at: index * pageSize + part.lowerBound)
                hasWritten = true
            }
        }
        // Not through SQLite, which does not know about these writes.
        if hasWritten { try file.sync() }
        return true
    }

    /// The bytes between a page's cell pointers and its cells; `nil` if it is not a page of a table or an index.
    private static func unusedPart(of page: UnsafeRawBufferPointer, isFirst: Bool) -> Range<Int>? {
        // The file header comes before the first page's.
        let header = isFirst ? 100 : 0
        let size: Int
        switch page[header] {
        // Pages of an index or a table: those above others, and those with the rows.
        case 2, 5: size = 12
        case 10, 13: size = 8
        // All others begin with the upper byte of a page number.
        default: return nil
        }
        func number(at offset: Int) -> Int { Int(page[header + offset]) << 8 | Int(page[header + offset + 1]) }
        let start = header + size + 2 * number(at: 3)
        let end = number(at: 5) == 0 ? 65_536 : number(at: 5)
        return start < end && end <= page.count ? start..<end : nil
    }
}

/// SQLite's own handle of the file: closing another descriptor of it would drop SQLite's locks.
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
