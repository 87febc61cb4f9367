import Foundation
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorCore
@testable import PaginatorSQLiteStore

@Suite("One file, several users")
struct SharedFileTests {
    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 3) }

    @Test
    func
        `Two processes write, one is killed, the file is damaged: no lost flush, no split file, no lock seen, limits hold`()
        throws
    {
        let folder = TemporaryFolder()
        let rounds = isLongRun ? 3_000 : 250
        var random = SeededRandom(seed: 5)
        let first = try ChildProcess("share", folder.file, "first", "\(rounds)")
        let second = try ChildProcess("share", folder.file, "second", "\(rounds * 10)")
        for round in 0..<rounds / 4 { if second.nextLine() == nil { Issue.record("it ended in round \(round)") } }
        second.kill()
        let third = try ChildProcess("share", folder.file, "third", "\(rounds)")
        for _ in 0..<rounds / 4 { _ = first.nextLine() }
        // The schema and what follows it: found by whoever reads it next.
        try ChildProcess.flip(folder.file, at: 100, to: (0..<400).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        for child in [first, third] {
            var last = ""
            while let line = child.nextLine() {
                #expect(!line.hasPrefix("failed"), "\(line)")
                last = line
            }
            #expect(last.hasPrefix("done"), "\(last)")
            #expect(child.wait() == 0)
        }
        let inspector = try Inspector(folder.file)
        #expect(try inspector.texts("PRAGMA integrity_check") == ["ok"])
        // Both ended on the same file, and its limits were kept.
        for name in ["first", "third"] {
            let own = try SQLitePageStore<SampleItem>(path: folder.file, namespace: name)
            let found = (0..<10).compactMap { try? own.loadNow(id("\($0)")).get()?.isSample(of: "\($0)") }
            #expect(found == Array(repeating: true, count: 10), "\(name)")
        }
        let shared = try inspector.number(
            "SELECT count(*) FROM pages WHERE namespace = (SELECT id FROM namespaces WHERE name = 'shared')")
        #expect((1...30).contains(shared), "\(shared) pages are left of 30")
    }

    @Test
    func `Two stores of one namespace in one process keep its limit together`() throws {
        let folder = TemporaryFolder()
        let stores = try (0..<2).map { _ in try SQLitePageStore<SampleItem>(path: folder.file, namespace: "n") }
        for store in stores { store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 20))) }
        try stores[0].flushNow().get()
        let inspector = try Inspector(folder.file)
        for index in 0..<200 {
            stores[index % 2].applyNow([.save(id("\(index)"), .sample("\(index)"))])
            try stores[index % 2].flushNow().get()
            #expect(try inspector.number("SELECT count(*) FROM pages") <= 20)
        }
        #expect(try stores[0].loadNow(id("199")).get() != nil)
        #expect(try inspector.number("SELECT pages FROM namespaces") == inspector.number("SELECT count(*) FROM pages"))
    }

    @Test
    func `Pages that another store has saved make room for one's own`() throws {
        let folder = TemporaryFolder()
        let stores = try (0..<2).map { _ in try SQLitePageStore<SampleItem>(path: folder.file, namespace: "n") }
        for store in stores {
            store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 5)))
            try store.flushNow().get()
        }
        for index in 0..<4 { stores[0].applyNow([.save(id("other \(index)"), .sample("other \(index)"))]) }
        try stores[0].flushNow().get()
        for index in 0..<6 {
            stores[1].applyNow([.save(id("own \(index)"), .sample("own \(index)"))])
            try stores[1].flushNow().get()
        }
        let left = try Inspector(folder.file).texts("SELECT key FROM pages ORDER BY key")
        #expect(left == (1...5).map { "own \($0)" })
    }

    @Test
    func `A page of another store that one's own limits never admit leaves the file, and takes no other page along`()
        throws
    {
        let folder = TemporaryFolder()
        let stores = try (0..<2).map { _ in try SQLitePageStore<SampleItem>(path: folder.file, namespace: "n") }
        stores[0].attach(to: StoreEnvironment(evictionStrategy: .lru(maxBytes: 1_000_000)))
        stores[1].attach(to: StoreEnvironment(evictionStrategy: .lru(maxBytes: 10_000)))
        for store in stores { try store.flushNow().get() }
        stores[1].applyNow([.save(id("small"), .sample("small"))])
        try stores[1].flushNow().get()
        stores[0].applyNow([.save(id("large"), .sample("large", length: 20_000))])
        try stores[0].flushNow().get()
        let inspector = try Inspector(folder.file)
        #expect(try inspector.texts("SELECT key FROM pages ORDER BY key") == ["large", "small"])
        stores[1].applyNow([.save(id("next"), .sample("next"))])
        try stores[1].flushNow().get()
        #expect(try inspector.texts("SELECT key FROM pages ORDER BY key") == ["next", "small"])
    }

    @Test
    func `Namespaces and item types share one handle, and do not meet`() throws {
        let folder = TemporaryFolder()
        let items = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "items")
        let numbers = try SQLitePageStore<Int>(path: folder.path + "/./pages.sqlite", namespace: "numbers")
        items.applyNow([.save(id("1"), .sample("1"))])
        numbers.applyNow([.save(id("1"), StoredPage(page: PaginatorPage(content: [7], key: "1"), fetchedAt: Date()))])
        items.flushNow()
        numbers.applyNow([.remove(.key("none"))])
        numbers.flushNow()
        #expect(try numbers.loadNow(id("1")).get()?.page.content == [7])
        #expect(try items.loadNow(id("1")).get()?.isSample(of: "1") == true)
        numbers.applyNow([.remove(.all)])
        numbers.flushNow()
        #expect(try items.loadNow(id("1")).get() != nil)
        // Another codec, or version, is a counted miss.
        let later = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "items", version: 2)
        #expect(try later.loadNow(id("1")).get() == nil)
        #expect(later.statistics.codecMismatches == 1)
    }

    @Test
    func `Order of use and number of uses survive a restart`() throws {
        let folder = TemporaryFolder()
        do {
            let store = try SQLitePageStore<SampleItem>(path: folder.file)
            store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 5)))
            for index in 0..<5 { store.applyNow([.save(id("\(index)"), .sample("\(index)"))]) }
            store.flushNow()
            for index in [3, 0, 1] { _ = store.loadNow(id("\(index)")) }
            store.flushNow()
        }
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 5)))
        for index in 5..<8 { store.applyNow([.save(id("\(index)"), .sample("\(index)"))]) }
        store.flushNow()
        let inspector = try Inspector(folder.file)
        #expect(try inspector.texts("SELECT key FROM pages ORDER BY key") == ["0", "1", "5", "6", "7"])
    }

    @Test
    func `A page that two stores edit at once has both edits or is stale`() throws {
        let folder = TemporaryFolder()
        let stores = try (0..<2).map { _ in try SQLitePageStore<SampleItem>(path: folder.file, namespace: "n") }
        stores[0].applyNow([.save(id("1"), .sample("1"))])
        try stores[0].flushNow().get()
        func edit(_ item: Int, first: @escaping @Sendable () -> Void = {}) -> PageEdit<SampleItem> {
            .items {
                $0.id == item
            } change: {
                first()
                return SampleItem(id: $0.id, text: "edited")
            }
        }
        let isOver = OnceFlag()
        let other = stores[0]
        let editOfOther = edit(1)
        let change = edit(0) {
            // The page has been read, and its edited form is yet to be written.
            guard isOver.take() else { return }
            other.applyNow([.edit(.all, editOfOther)])
            other.flushNow()
        }
        stores[1].applyNow([.edit(.all, change)])
        try stores[1].flushNow().get()
        let found = try #require(try stores[1].loadNow(id("1")).get())
        #expect(found.page.content[1].text == "edited")
        #expect(found.page.content[0].text == "edited" || found.isInvalidated)
    }

    @Test
    func `An item is found on pages that another store has saved or edited meanwhile`() throws {
        let folder = TemporaryFolder()
        let stores = try (0..<2).map { _ in try SQLitePageStore<SampleItem>(path: folder.file, namespace: "n") }
        let identifier = ItemIdentifier<SampleItem, Int> { $0.id }
        func edit(_ id: Int, _ change: @escaping @Sendable (SampleItem) -> SampleItem) -> StoreChange<SampleItem> {
            let target = ItemTarget(identifier: identifier, hash: UInt32(id)) {
                PaginatorPage<SampleItem>.from($0).content.map { UInt32($0.id) }
            }
            return .edit(
                .all,
                PageEdit(of: target) { page in
                    guard page.content.contains(where: { $0.id == id }) else { return nil }
                    return PaginatorPage(content: page.content.map { $0.id == id ? change($0) : $0 }, key: page.key)
                })
        }
        func page(_ key: String, _ ids: [Int]) -> StoreChange<SampleItem> {
            let items = ids.map { SampleItem(id: $0, text: "old") }
            return .save(id(key), StoredPage(page: PaginatorPage(content: items, key: key), fetchedAt: Date()))
        }
        func apply(_ changes: [StoreChange<SampleItem>], to store: SQLitePageStore<SampleItem>) throws {
            store.applyNow(changes)
            try store.flushNow().get()
        }
        func texts(_ key: String) throws -> [String] {
            try #require(try stores[1].loadNow(id(key)).get()).page.content.map(\.text)
        }
        let renamed: @Sendable (SampleItem) -> SampleItem = { SampleItem(id: $0.id, text: "new") }
        try apply([page("1", [1]), page("2", [2]), page("3", [3])], to: stores[0])
        // From here on the second store knows what is where.
        for _ in 0..<3 { try apply([edit(1, renamed)], to: stores[1]) }
        #expect(try texts("1") == ["new"])
        try apply([page("2", [2, 7]), page("4", [7])], to: stores[0])
        // It learns of these pages before the edit.
        try apply([edit(9, renamed)], to: stores[1])
        try apply([edit(3) { SampleItem(id: 7, text: $0.text) }], to: stores[0])
        try apply([edit(7, renamed)], to: stores[1])
        #expect(try texts("2") == ["old", "new"])
        #expect(try texts("3") == ["new"])
        #expect(try texts("4") == ["new"])
    }

    @Test
    func `An item is found on pages of the file that has taken the place of one that was removed`() throws {
        let folder = TemporaryFolder()
        let stores = try (0..<2).map { _ in try SQLitePageStore<SampleItem>(path: folder.file, namespace: "n") }
        let identifier = ItemIdentifier<SampleItem, Int> { $0.id }
        let target = ItemTarget(identifier: identifier, hash: 1) {
            PaginatorPage<SampleItem>.from($0).content.map { UInt32($0.id) }
        }
        let rename = StoreChange<SampleItem>.edit(
            .all,
            PageEdit(of: target) { page in
                guard page.content.contains(where: { $0.id == 1 }) else { return nil }
                return PaginatorPage(content: page.content.map { SampleItem(id: $0.id, text: "new") }, key: page.key)
            })
        func save(_ key: String) -> StoreChange<SampleItem> {
            let page = PaginatorPage(content: [SampleItem(id: 1, text: "old")], key: key)
            return .save(id(key), StoredPage(page: page, fetchedAt: Date()))
        }
        for key in ["1", "2", "3"] {
            stores[0].applyNow([save(key)])
            try stores[0].flushNow().get()
        }
        // From here on the second store knows what is where.
        for _ in 0..<3 {
            stores[1].applyNow([rename])
            try stores[1].flushNow().get()
        }
        for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: folder.file + suffix) }
        stores[0].applyNow([save("4")])
        try stores[0].flushNow().get()
        stores[1].applyNow([rename])
        try stores[1].flushNow().get()
        #expect(try stores[1].loadNow(id("4")).get()?.page.content.map(\.text) == ["new"])
    }

    @Test
    func `What others write is looked for after they have written and not before`() {
        let writers = FileWriters()
        for (store, name) in [(1, "a"), (2, "a"), (3, "b")] { writers.add(UInt64(store), of: name) }
        writers.found(5, generation: 1)
        func isTold(_ store: UInt64) -> Bool { writers.ask(store).isTold }
        #expect([1, 2, 3].map { isTold($0) } == [true, true, true])
        #expect([1, 2, 3].map { isTold($0) } == [false, false, false])
        writers.wrote(1, "a", from: 5, to: 7, generation: 1)
        #expect([1, 2, 3].map { isTold($0) } == [false, true, false])
        #expect(writers.ask(1).sequence == 7)
        // Another process has written in between.
        writers.wrote(1, "a", from: 9, to: 10, generation: 1)
        #expect([1, 2, 3].map { isTold($0) } == [true, true, true])
        // Another file has taken its place.
        writers.wrote(3, "b", from: 0, to: 1, generation: 2)
        #expect([1, 2, 3].map { isTold($0) } == [true, true, true])
        #expect(writers.ask(1).sequence == 1)
    }

    @Test
    func `A page that another process invalidates while an edit of it is made stays stale`() throws {
        let folder = TemporaryFolder()
        try closing(folder.file) {
            let store = try SQLitePageStore<SampleItem>(path: folder.file)
            store.applyNow([.save(id("1"), .sample("1"))])
            try store.flushNow().get()
        }
        try closing(folder.file) {
            let store = try SQLitePageStore<SampleItem>(path: folder.file)
            let isMarked = Guarded(false)
            let edit = PageEdit<SampleItem>.items {
                $0.id == 0
            } change: { item in
                // The page has been read, and its edited form is yet to be written.
                let isFirst = isMarked.withLock { isMarked in
                    defer { isMarked = true }
                    return !isMarked
                }
                if isFirst { try? ChildProcess.sql(folder.file, "UPDATE pages SET stale = 1, checksum = ~checksum") }
                return SampleItem(id: item.id, text: "edited")
            }
            store.applyNow([.edit(.all, edit)])
            try store.flushNow().get()
        }
        #expect(try Inspector(folder.file).number("SELECT stale FROM pages") == 1)
        let found = try SQLitePageStore<SampleItem>(path: folder.file).loadNow(id("1")).get()
        #expect(found?.page.content.first?.text == "edited")
        #expect(found?.isInvalidated == true)
    }

    @Test
    func `A lock that others hold is waited for as long as the patience says`() throws {
        let folder = TemporaryFolder()
        let locks = [100, 300].map { SideLock(path: folder.file + "-lock", patience: $0) }
        try locks[0].take(.exclusive)
        let start = ContinuousClock.now
        #expect(throws: StoreFailure.self) { try locks[1].take(.shared) }
        #expect(start.duration(to: .now) >= .milliseconds(300))
        locks[0].release()
        try locks[1].take(.shared)
    }

    @Test
    func `A connection for reading is used again as long as its file is there`() throws {
        let folder = TemporaryFolder()
        let pages = try MegabytePages(in: folder)
        try pages.save(1, fill: 1)
        let reader = try pages.file.takeReader()
        // Often enough that it is looked for a replacement of the file.
        for _ in 0..<200 {
            pages.file.giveBack(reader)
            #expect(try pages.file.takeReader() === reader)
        }
    }

    @Test
    func `Who only reads finds the pages of each file that takes the place of the one before`() throws {
        let folder = TemporaryFolder()
        let pages = SQLitePageFile(in: folder)
        try pages.save("0")
        for key in ["1", "2", "3"] {
            let other = TemporaryFolder()
            let replacement = SQLitePageFile(in: other)
            try replacement.save(key)
            let inspector = try Inspector(other.file)
            #expect(try inspector.texts("SELECT key FROM pages") == [key])
            // All of it is in one file then.
            try inspector.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.file + suffix) }
            try FileManager.default.copyItem(atPath: other.file, toPath: folder.file)
            // Often enough that it is looked for a replacement of the file.
            var isFound = false
            for _ in 0..<200 where !isFound { isFound = try pages.read(id(key)) != nil }
            #expect(isFound, "file \(key)")
        }
    }

    @Test
    func `A connection for reading is closed when another file takes the place of its own`() throws {
        let folder = TemporaryFolder()
        let pages = try MegabytePages(in: folder)
        try pages.save(1, fill: 1)
        weak var reader: SQLiteConnection?
        do {
            let taken = try pages.file.takeReader()
            reader = taken
            pages.file.giveBack(taken)
        }
        #expect(reader != nil)
        pages.file.discardReaders()
        #expect(reader == nil)
    }
}
