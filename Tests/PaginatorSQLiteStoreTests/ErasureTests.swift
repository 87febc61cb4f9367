import Foundation
import PaginatorCore
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

@Suite("Erasure")
struct ErasureTests {
    private func id(_ key: String, _ scope: String) -> PageIdentity {
        PageIdentity(key: key, pageSize: 10, scope: scope)
    }

    /// The files of the folder that hold `marker`.
    private func files(in folder: TemporaryFolder, with marker: String) throws -> [String] {
        try folder.contents.filter { name in
            try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name)).range(of: Data(marker.utf8)) != nil
        }
    }

    @Test(arguments: [false, true])
    func `A cleared scope or namespace leaves none of its bytes in the file, its free pages or its WAL`(
        clearsAll: Bool
    ) throws {
        let folder = TemporaryFolder()
        let store = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "feed")
        let other = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "other")
        let secret = "secret-of-alice"
        store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 60)))
        var random = SeededRandom(seed: 11)
        // Replaced, evicted and removed along the way, so that old copies lie everywhere.
        for round in 0..<400 {
            let key = "\(random.number(in: 0..<80))"
            let count = random.number(in: 1..<8)
            let items = (0..<count).map {
                SampleItem(id: $0, text: "\(secret) " + String(repeating: "y", count: 40 * count))
            }
            let page = StoredPage(page: PaginatorPage(content: items, key: key, nextKey: secret), fetchedAt: Date())
            store.applyNow([.save(id(key, "alice"), page)])
            store.applyNow([.save(id("bob-\(key)", "bob"), .sample("bob-\(key)", length: 300))])
            other.applyNow([.save(id(key, "alice"), .sample(key))])
            if round % 50 == 49 {
                store.applyNow([.remove(.key("\(round / 50)"))])
                store.flushNow()
                other.flushNow()
            }
        }
        try store.flushNow().get()
        #expect(!(try files(in: folder, with: secret)).isEmpty)
        store.applyNow([.remove(clearsAll ? .all : .scope("alice"))])
        try store.flushNow().get()
        #expect(try files(in: folder, with: secret) == [])
        #expect(try other.loadNow(id("1", "alice")).get() != nil)
        #expect(try Inspector(folder.file).number("SELECT count(*) FROM pages WHERE scope = 'bob'") > 0 || clearsAll)
        #expect(try Inspector(folder.file).texts("PRAGMA integrity_check") == ["ok"])
        withExtendedLifetime(other) {}
    }

    @Test(arguments: [StoreSelection.scope, .all])
    func `What left page by page is erased by a clear that finds nothing more`(_ selection: StoreSelection) throws {
        let folder = TemporaryFolder()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        let secret = "secret-of-alice"
        func clear() throws {
            store.applyNow([.remove(selection == .all ? .all : .scope("alice"))])
            try store.flushNow().get()
        }
        for _ in 0..<2 {
            for number in 0..<20 {
                let items = [SampleItem(id: number, text: secret + String(repeating: "y", count: 2_000))]
                let page = StoredPage(page: PaginatorPage(content: items, key: "\(number)"), fetchedAt: Date())
                store.applyNow([.save(id("\(number)", "alice"), page)])
            }
            try store.flushNow().get()
            for number in 0..<20 { store.applyNow([.remove(.identity(id("\(number)", "alice")))]) }
            try store.flushNow().get()
            #expect(!(try files(in: folder, with: secret)).isEmpty)
            try clear()
            #expect(try files(in: folder, with: secret) == [])
        }
    }

    enum StoreSelection { case scope, all }

    @Test func `What another process has removed is erased by a clear that finds nothing more`() throws {
        let folder = TemporaryFolder()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        let secret = "secret-of-alice"
        for number in 0..<20 {
            let items = [SampleItem(id: number, text: secret + String(repeating: "y", count: 2_000))]
            let page = StoredPage(page: PaginatorPage(content: items, key: "\(number)"), fetchedAt: Date())
            store.applyNow([.save(id("\(number)", "alice"), page)])
        }
        // From here on this process knows that it has left no copies.
        store.applyNow([.remove(.scope("nobody"))])
        try store.flushNow().get()
        try ChildProcess.sql(folder.file, "PRAGMA secure_delete = ON; DELETE FROM pages WHERE scope = 'alice'")
        #expect(!(try files(in: folder, with: secret)).isEmpty)
        store.applyNow([.remove(.scope("alice"))])
        try store.flushNow().get()
        #expect(try files(in: folder, with: secret) == [])
    }

    @Test func `A damaged file that was moved aside goes with a clear that finds nothing`() throws {
        let folder = TemporaryFolder()
        let secret = "secret-of-alice"
        try Data(String(repeating: secret, count: 1_000).utf8).write(to: URL(fileURLWithPath: folder.file))
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        _ = store.loadNow(id("1", "alice"))
        #expect(try files(in: folder, with: secret) == ["pages.sqlite-damaged"])
        store.applyNow([.remove(.all)])
        try store.flushNow().get()
        #expect(try files(in: folder, with: secret) == [])
    }

    @Test func `What is erased is noted as such, so that the file is not erased again when it is opened next`() throws {
        let folder = TemporaryFolder()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.applyNow([.save(id("1", "alice"), .sample("1"))])
        try store.flushNow().get()
        store.applyNow([.remove(.scope("alice"))])
        try store.flushNow().get()
        #expect(try Inspector(folder.file).number("SELECT erasure FROM store") == 0)
    }

    @Test func `What a process has cleared before it was killed is erased with the next one's first flush`() throws {
        let folder = TemporaryFolder()
        let secret = "secret-of-alice"
        try closing(folder.file) {
            let store = try SQLitePageStore<SampleItem>(path: folder.file)
            let page = PaginatorPage(content: [SampleItem(id: 1, text: secret)], key: "1")
            store.applyNow([.save(id("1", "alice"), StoredPage(page: page, fetchedAt: Date()))])
            store.applyNow([.save(id("2", "bob"), .sample("2"))])
            try store.flushNow().get()
        }
        // It has committed the clear with the note that an erasure is due, and has left a damaged file from before.
        try ChildProcess.sql(
            folder.file,
            "PRAGMA secure_delete = ON; DELETE FROM pages WHERE scope = 'alice'; UPDATE store SET erasure = 1")
        try Data(secret.utf8).write(to: URL(fileURLWithPath: folder.file + "-damaged"))
        #expect(try Inspector(folder.file).number("SELECT erasure FROM store") == 1)
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        try store.flushNow().get()
        #expect(try files(in: folder, with: secret) == [])
        #expect(try Inspector(folder.file).number("SELECT erasure FROM store") == 0)
        #expect(try store.loadNow(id("2", "bob")).get()?.isSample(of: "2") == true)
    }

    @Test func `An erasure that waits leaves a file alone that a later version has brought up to date`() throws {
        let folder = TemporaryFolder()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.applyNow([.save(id("1", "alice"), .sample("1"))])
        try store.flushNow().get()
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)
        try file.write(durably: false) { connection, _ throws(SQLiteError) in try file.noteErasure(connection) }
        try Inspector(folder.file).execute("PRAGMA user_version = 99")
        file.maintenance.sync { file.maintain() }
        let damaged = URL(fileURLWithPath: folder.file + "-damaged")
        try Data([1]).write(to: damaged)
        file.maintenance.sync { file.maintain() }
        #expect(try Data(contentsOf: damaged) == Data([1]))
        #expect(!file.writing.withLock { file.isMaintenanceDue }, "it polls")
        withExtendedLifetime(store) {}
    }

    @Test(arguments: UInt64(1)...12)
    func `Copies of rows that the database moved go too, with the names of scopes, and the others' pages stay`(
        _ seed: UInt64
    ) throws {
        let folder = TemporaryFolder()
        let name = "scope-of-alice"
        var config = SQLiteStoreConfig()
        config.vfs = TestVFS.unsynced
        let store = try SQLitePageStore<SampleItem>(path: folder.file, config: config)
        store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 10_000)))
        var random = SeededRandom(seed: seed)
        for round in 0..<20 {
            var changes: [StoreChange<SampleItem>] = []
            for _ in 0..<120 {
                let (key, count) = ("\(random.number(in: 0..<80))", random.number(in: 1..<8))
                let items = (0..<count).map {
                    SampleItem(id: $0, text: name + String(repeating: "y", count: 40 * count))
                }
                let page = StoredPage(page: PaginatorPage(content: items, key: key, nextKey: name), fetchedAt: Date())
                changes.append(.save(id(key, name), page))
                let bob = "\(random.number(in: 0..<200))"
                changes.append(.save(id(bob, "bob"), .sample(bob, length: random.number(in: 0..<900))))
            }
            changes.append(.remove(.key("\(round)")))
            store.applyNow(changes)
            try store.flushNow().get()
        }
        #expect(!(try files(in: folder, with: name)).isEmpty)
        store.applyNow([.remove(.scope(name))])
        try store.flushNow().get()
        #expect(try files(in: folder, with: name) == [])
        // What is written next does not bring it back.
        for key in 0..<200 { store.applyNow([.save(id("\(key)", "bob"), .sample("\(key)", length: 300))]) }
        try store.flushNow().get()
        #expect(try files(in: folder, with: name) == [])
        for key in 0..<200 {
            #expect(try store.loadNow(id("\(key)", "bob")).get()?.isSample(of: "\(key)") == true)
        }
        #expect(try Inspector(folder.file).texts("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `What a store clears is erased if any store on the file wants that`() throws {
        let folder = TemporaryFolder()
        let secret = "secret-of-alice"
        var config = SQLiteStoreConfig()
        config.erasesClearedPages = false
        let wanting = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "wanting")
        let other = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "other", config: config)
        try wanting.flushNow().get()
        for number in 0..<20 {
            let items = [SampleItem(id: number, text: secret + String(repeating: "y", count: 2_000))]
            let page = StoredPage(page: PaginatorPage(content: items, key: "\(number)"), fetchedAt: Date())
            other.applyNow([.save(id("\(number)", "alice"), page)])
        }
        try other.flushNow().get()
        #expect(!(try files(in: folder, with: secret)).isEmpty)
        other.applyNow([.remove(.all)])
        try other.flushNow().get()
        #expect(try files(in: folder, with: secret) == [])
        withExtendedLifetime(wanting) {}
    }
}
