import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

/// What another program may do to the file while nobody looks.
@Suite("Meddling")
struct MeddlingTests {
    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10) }

    @Test(arguments: ["pages = 99, items = -5, bytes = bytes + 1000000", "pages = 0", "items = 0", "bytes = 0"])
    func `Totals that are wrong are counted anew with the next write`(_ totals: String) throws {
        let folder = TemporaryFolder()
        try closing(folder.file) {
            let store = try SQLitePageStore<SampleItem>(path: folder.file)
            for number in 0..<10 { store.applyNow([.save(id("\(number)"), .sample("\(number)"))]) }
            try store.flushNow().get()
        }
        let inspector = try Inspector(folder.file)
        #expect(try inspector.number("SELECT pages FROM namespaces") == 10)
        let bytes = try inspector.number("SELECT bytes FROM namespaces")
        try inspector.execute("UPDATE namespaces SET \(totals)")

        let reports = Reports()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.attach(to: reports.environment(.lru(maxPages: 20)))
        store.applyNow([.remove(.identity(id("9")))])
        store.applyNow([.save(id("9"), .sample("9"))])
        try store.flushNow().get()
        #expect(try inspector.number("SELECT pages FROM namespaces") == 10)
        #expect(
            try inspector.number("SELECT items FROM namespaces") == inspector.number("SELECT SUM(items) FROM pages"))
        #expect(try inspector.number("SELECT bytes FROM namespaces") == bytes)
        #expect(reports.kinds.isEmpty)
    }

    @Test
    func `Totals that damage made less than nothing while the file is in use do no harm to a store that is full`()
        throws
    {
        let folder = TemporaryFolder()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.attach(to: Reports().environment(.lru(maxPages: 5)))
        for number in 0..<5 { store.applyNow([.save(id("\(number)"), .sample("\(number)"))]) }
        try store.flushNow().get()
        let least = "-9223372036854775807 - 1"
        try Inspector(folder.file).execute("UPDATE namespaces SET items = \(least), bytes = \(least)")
        store.applyNow([.remove(.identity(id("0")))])
        for number in 5..<9 { store.applyNow([.save(id("\(number)"), .sample("\(number)"))]) }
        try store.flushNow().get()
        #expect(try store.loadNow(id("8")).get()?.isSample(of: "8") == true)
        #expect(try Inspector(folder.file).number("SELECT count(*) FROM pages") == 5)
    }

    @Test(
        arguments: ["DROP TABLE pages", "DROP TABLE store", "UPDATE store SET sequence = -1", "DELETE FROM store"],
        [true, false])
    func `Tables that are gone, and a sequence that cannot be: the file is set aside, and a new one started`(
        _ meddling: String, isOpen: Bool
    ) throws {
        let folder = TemporaryFolder()
        let reports = Reports()
        func meddle(with store: SQLitePageStore<SampleItem>) throws {
            store.applyNow([.save(id("a"), .sample("a"))])
            try store.flushNow().get()
            if isOpen { try Inspector(folder.file).execute(meddling) }
        }
        if !isOpen {
            try closing(folder.file) { try meddle(with: SQLitePageStore(path: folder.file)) }
            try Inspector(folder.file).execute(meddling)
        }
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.attach(to: reports.environment())
        if isOpen { try meddle(with: store) }
        store.applyNow([.save(id("b"), .sample("b"))])
        var flushed = store.flushNow()
        if flushed.error?.storeKind == .replaced { flushed = store.flushNow() }
        #expect(flushed.isSuccess, "\(String(describing: flushed.error))")
        #expect(try store.loadNow(id("b")).get()?.isSample(of: "b") == true)
        #expect(reports.kinds.contains("replaced"))
        #expect(folder.contents.contains("pages.sqlite-damaged"))
    }

    @Test
    func `Tables that are gone are found by a read too`() throws {
        let folder = TemporaryFolder()
        let reports = Reports()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.attach(to: reports.environment())
        store.applyNow([.save(id("a"), .sample("a"))])
        try store.flushNow().get()
        try Inspector(folder.file).execute("DROP TABLE pages")
        // The read is a miss, and has replaced the file: otherwise the flush would have to, and tell.
        #expect(store.loadNow(id("a")).isSuccess)
        #expect(try store.loadNow(id("a")).get() == nil)
        store.applyNow([.save(id("b"), .sample("b"))])
        try store.flushNow().get()
        #expect(try store.loadNow(id("b")).get()?.isSample(of: "b") == true)
    }

    @Test(arguments: [false, true])
    func `A file that a later version brings up to date while it is in use is left where it is`(_ isRead: Bool) throws {
        let folder = TemporaryFolder()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.applyNow([.save(id("a"), .sample("a"))])
        try store.flushNow().get()
        try Inspector(folder.file).execute("ALTER TABLE pages RENAME COLUMN total TO count; PRAGMA user_version = 99")
        if isRead {
            #expect(store.loadNow(id("a")).error?.storeKind == .newer)
        } else {
            store.applyNow([.save(id("b"), .sample("b"))])
            #expect(store.flushNow().error?.storeKind == .newer)
        }
        #expect(!folder.contents.contains("pages.sqlite-damaged"))
        #expect(try Inspector(folder.file).number("SELECT count(*) FROM pages WHERE count IS NULL") == 1)
    }

    @Test
    func `A file to which a later version adds something while it is in use is written no more`() throws {
        let folder = TemporaryFolder()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.applyNow([.save(id("a"), .sample("a"))])
        try store.flushNow().get()
        try Inspector(folder.file).execute("ALTER TABLE pages ADD COLUMN later; PRAGMA user_version = 99")
        store.applyNow([.remove(.identity(id("a"))), .save(id("b"), .sample("b"))])
        #expect(store.flushNow().error?.storeKind == .newer)
        #expect(try Inspector(folder.file).texts("SELECT key FROM pages") == ["a"])
    }

    @Test
    func `A read that finds the removed file damaged leaves the one that has taken its place where it is`() throws {
        let folder = TemporaryFolder()
        var config = SQLiteStoreConfig()
        config.busyTimeout = .milliseconds(1)
        config.writeBehind.maxBusyAttempts = 1
        let store = try SQLitePageStore<SampleItem>(path: folder.file, config: config)
        store.applyNow([.save(id("a"), .sample("a"))])
        try store.flushNow().get()
        func replace() throws {
            for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: folder.file + suffix) }
            // The first attempt fails, because another process is at it.
            let other = SideLock(path: folder.file + "-lock", patience: 1)
            try other.take(.exclusive)
            store.applyNow([.save(id("b"), .sample("b"))])
            #expect(store.flushNow().error?.storeKind == .busy)
            other.release()
            try store.flushNow().get()
        }
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 1)
        var isLate = false
        let keys = try file.read { connection throws(SQLiteError) -> [String] in
            if isLate { return try connection.texts("SELECT key FROM pages", "read keys") }
            isLate = true
            #expect(throws: Never.self) { try replace() }
            // SQLITE_CORRUPT
            throw SQLiteError(code: SQLiteCode(raw: 11), message: "test", operation: "test")
        }
        #expect(keys == ["b"])
        #expect(try store.loadNow(id("b")).get()?.isSample(of: "b") == true)
        #expect(!folder.contents.contains("pages.sqlite-damaged"))
    }

    @Test
    func `Nothing beside a file that was removed is touched while another process may be creating the next`() throws {
        let folder = TemporaryFolder()
        var config = SQLiteStoreConfig()
        config.busyTimeout = .milliseconds(1)
        config.writeBehind.maxBusyAttempts = 1
        let store = try SQLitePageStore<SampleItem>(path: folder.file, config: config)
        let reports = Reports()
        store.attach(to: reports.environment())
        store.applyNow([.save(id("a"), .sample("a"))])
        try store.flushNow().get()
        for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: folder.file + suffix) }
        let other = SideLock(path: folder.file + "-lock", patience: 1)
        try other.take(.exclusive)
        try Data([1]).write(to: URL(filePath: folder.file + "-wal"))
        store.applyNow([.save(id("b"), .sample("b"))])
        #expect(store.flushNow().error?.storeKind == .busy)
        #expect(try Data(contentsOf: URL(filePath: folder.file + "-wal")) == Data([1]))
        other.release()
        #expect(store.flushNow().isSuccess)
        #expect(try store.loadNow(id("b")).get()?.isSample(of: "b") == true)
        // The pages that were lost are told by the attempt that succeeded.
        #expect(reports.kinds == ["busy", "replaced"])
    }

    @Test
    func `The file that takes the place of a removed one shares nothing with those who still read that one`() throws {
        let folder = TemporaryFolder()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.applyNow([.save(id("a"), .sample("a"))])
        try store.flushNow().get()
        // As in another process that has the file open.
        let reader = try Inspector(folder.file)
        try reader.execute("BEGIN")
        #expect(try reader.texts("SELECT key FROM pages") == ["a"])
        let index = try #require(FileNumber(path: folder.file + "-shm"))
        try FileManager.default.removeItem(atPath: folder.file)
        store.applyNow([.save(id("b"), .sample("b"))])
        try store.flushNow().get()
        #expect(FileNumber(path: folder.file + "-shm") != index)
        #expect(try reader.texts("SELECT key FROM pages") == ["a"])
        try reader.execute("COMMIT")
        #expect(try store.loadNow(id("b")).get()?.isSample(of: "b") == true)
    }

    @Test
    func `A damaged file that cannot be set aside is left where it is, until it can be`() throws {
        let folder = TemporaryFolder()
        let damaged = Data(repeating: 7, count: 8_192)
        let file = URL(fileURLWithPath: folder.file)
        let target = URL(fileURLWithPath: folder.file + "-damaged")
        try damaged.write(to: file)
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        #expect(store.flushNow().error?.storeKind == .unavailable)
        #expect(try Data(contentsOf: file) == damaged)
        try FileManager.default.removeItem(at: target)
        store.applyNow([.save(id("a"), .sample("a"))])
        _ = store.flushNow()
        #expect(store.flushNow().isSuccess)
        #expect(try Data(contentsOf: target) == damaged)
    }

    @Test
    func `A folder that something else has taken the place of is a failure, until it is gone`() throws {
        let outer = TemporaryFolder()
        let folder = URL(fileURLWithPath: outer.file)
        let store = try SQLitePageStore<SampleItem>(path: folder.appendingPathComponent("pages").path)
        let reports = Reports()
        store.attach(to: reports.environment())
        store.applyNow([.save(id("a"), .sample("a"))])
        try store.flushNow().get()
        try FileManager.default.removeItem(at: folder)
        try Data([1]).write(to: folder)
        store.applyNow([.save(id("b"), .sample("b"))])
        #expect(store.flushNow().error?.storeKind == .unavailable)
        try FileManager.default.removeItem(at: folder)
        var flushed = store.flushNow()
        if flushed.error != nil { flushed = store.flushNow() }
        #expect(flushed.isSuccess, "\(String(describing: flushed.error))")
        #expect(try store.loadNow(id("b")).get()?.isSample(of: "b") == true)
        #expect(reports.kinds == ["unavailable", "replaced"])
    }

    @Test(arguments: ["", "a\0b"])
    func `A path that cannot be one is refused`(_ path: String) {
        let error = #expect(throws: PaginatorError.self) { try SQLitePageStore<SampleItem>(path: path) }
        #expect(error?.code == .storeFailed)
    }
}
