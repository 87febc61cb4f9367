import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

/// Making a store is one line on the main thread of an app: it waits for nobody.
@Suite("Opening a store")
struct OpeningTests {
    private let folder = TemporaryFolder()

    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10) }

    /// A process that holds the lock beside the file until it is killed.
    private func holder(_ how: String) throws -> ChildProcess {
        let child = try ChildProcess("hold", folder.file, how)
        #expect(child.nextLine() == "held")
        return child
    }

    @Test(arguments: ["shared", "exclusive"])
    func `While another process holds the file's lock, stores are made, and what they are given is kept`(
        _ how: String
    ) throws {
        try closing(folder.file) {
            let store = try SQLitePageStore<SampleItem>(path: folder.file)
            store.applyNow([.save(id("a"), .sample("a"))])
            try store.flushNow().get()
        }
        let child = try holder(how)
        var config = SQLiteStoreConfig()
        config.busyTimeout = .milliseconds(20)
        let stores = try ["one", "two", "three"].map {
            try SQLitePageStore<SampleItem>(path: folder.file, namespace: $0, config: config)
        }
        let first = try SQLitePageStore<SampleItem>(path: folder.file, config: config)
        for store in stores { store.applyNow([.save(id("b"), .sample("b"))]) }
        // A read ends too, with the page or without; the lock is still held.
        let loaded = first.loadNow(id("a"))
        #expect(loaded.error == nil || loaded.error?.storeKind == .busy)
        child.kill()
        for store in stores {
            try store.flushNow().get()
            #expect(try store.loadNow(id("b")).get()?.isSample(of: "b") == true)
        }
        #expect(try first.loadNow(id("a")).get()?.isSample(of: "a") == true)
    }

    @Test func `A file that cannot be used is told by the first calls, and by the observer`() throws {
        try closing(folder.file) {
            let store = try SQLitePageStore<SampleItem>(path: folder.file)
            try store.flushNow().get()
        }
        try ChildProcess.sql(folder.file, "PRAGMA user_version = 99")
        let reports = Reports()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.attach(to: reports.environment())
        #expect(store.flushNow().error?.storeKind == .newer)
        #expect(reports.kinds == ["newer"])
        // The store is off: every fetch goes on without it.
        #expect(store.loadNow(id("a")).isSuccess)
    }

    @Test func `A damaged file is set aside by whoever comes first, a read too, and is reported once`() throws {
        try Data(repeating: 7, count: 8_192).write(to: URL(fileURLWithPath: folder.file))
        let reports = Reports()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.attach(to: reports.environment())
        #expect(try store.loadNow(id("a")).get() == nil)
        store.applyNow([.save(id("b"), .sample("b"))])
        try store.flushNow().get()
        #expect(reports.kinds == ["replaced"])
        #expect(folder.contents.contains("pages.sqlite-damaged"))
        #expect(reports.all.read { $0.first?.message.contains("/pages.sqlite-damaged,") } == true, "where it is now")
        #expect(store.statistics.replacedFiles == 1)
    }

    @Test func `Reads one after the other use one connection, which prepares each query once`() throws {
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)
        var uses: [Int] = []
        for _ in 0..<200 {
            let (number, isKept) = try file.read { connection throws(SQLiteError) in
                let statement = try connection.prepared(.findNamespace)
                return (connection.uses, try connection.prepared(.findNamespace) === statement)
            }
            uses.append(number)
            #expect(isKept)
        }
        #expect(uses == Array(0..<200))
    }

    #if os(Linux)
        @Test func `Names that only look the same are two files, and their pages do not meet`() throws {
            let names = ["caf\u{e9}", "cafe\u{301}"]
            // There are file systems that take both for one name.
            try Data().write(to: URL(fileURLWithPath: folder.path + "/" + names[0]))
            try #require(!FileManager.default.fileExists(atPath: folder.path + "/" + names[1]))
            let stores = try names.map { try SQLitePageStore<SampleItem>(path: folder.path + "/\($0).sqlite") }
            stores[0].applyNow([.save(id("a"), .sample("a"))])
            for store in stores { try store.flushNow().get() }
            #expect(try stores[0].loadNow(id("a")).get() != nil)
            #expect(try stores[1].loadNow(id("a")).get() == nil)
        }

        @Test func `A connection that cannot be opened leaves no memory behind`() throws {
            let path = folder.path + "/no/such/folder/pages.sqlite"
            func fail(_ times: Int) {
                for _ in 0..<times {
                    #expect(throws: SQLiteError.self) {
                        try SQLiteConnection(path: path, role: .writer, vfs: nil, busyTimeout: 1, generation: 0)
                    }
                }
            }
            func residentBytes() throws -> Int {
                let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
                return (Int(text.split(separator: " ")[1]) ?? 0) * 4_096
            }
            fail(1_000)
            let before = try residentBytes()
            fail(20_000)
            let grown = try residentBytes() - before
            #expect(grown < 8_000_000, "20,000 failures left \(grown) bytes")
        }
    #endif
}
