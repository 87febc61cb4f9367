import Foundation
import PaginatorCore
import PaginatorTesting
import TestFolders
import Testing

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
}
