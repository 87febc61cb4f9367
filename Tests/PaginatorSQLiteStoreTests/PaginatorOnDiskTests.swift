import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

/// A paginator with the store under it, and nothing between.
@Suite("A paginator on disk")
struct PaginatorOnDiskTests {
    private func fetch(
        _ paginator: CallbackPaginator<SampleItem>,
        _ key: String,
        _ policy: FetchPolicy = .cacheFirst
    ) -> Result<FetchedPage<SampleItem>, PaginatorError> {
        let listener = RecordingListener<SampleItem>()
        var request = PageRequest(key: key, pageSize: 10)
        request.policy = policy
        _ = paginator.fetch(request, listener: listener)
        return listener.blockUntilEnd()
    }

    private func items() -> [SampleItem] { (0..<100).map { SampleItem(id: $0, text: "item \($0)") } }

    @Test
    func `Pages are there after a restart, offline`() throws {
        let folder = TemporaryFolder()
        do {
            let store = try SQLitePageStore<SampleItem>(path: folder.file)
            let paginator = CallbackPaginator(dataSource: ArrayDataSource(items()), store: store)
            for key in ["0", "10", "20"] { #expect(try fetch(paginator, key).get().origin == .source) }
            try store.flushNow().get()
        }
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        let paginator = CallbackPaginator(dataSource: ArrayDataSource([SampleItem]()), store: store)
        for key in ["0", "10", "20"] {
            let fetched = try fetch(paginator, key, .cacheOnly).get()
            #expect(fetched.origin == .store)
            #expect(fetched.page.content == Array(items()[Int(key)!..<Int(key)! + 10]))
        }
        #expect(fetch(paginator, "30", .cacheOnly).error?.code == .notInCache)
    }

    @Test
    func `Tags are there after a restart, and so is what was invalidated by them`() throws {
        let folder = TemporaryFolder()
        func paginator() throws -> CallbackPaginator<SampleItem> {
            CallbackPaginator(
                dataSource: ClosureDataSource<SampleItem>(firstKey: "a") { request, completion in
                    completion(.success(PaginatorPage(content: [], key: request.key, tags: [request.key, "all"])))
                    return SourceCancellation {}
                }, store: try SQLitePageStore<SampleItem>(path: folder.file))
        }
        func flush(_ paginator: CallbackPaginator<SampleItem>) {
            let isFlushed = Handshake(false)
            paginator.flush { _ in isFlushed.update { $0 = true } }
            isFlushed.block { $0 }
        }
        do {
            let first = try paginator()
            for key in ["a", "b", "c"] { _ = try fetch(first, key).get() }
            first.invalidate(tags: ["a"])
            flush(first)
        }
        let second = try paginator()
        // Of pages that nobody has read since the start.
        second.invalidate(tags: ["b"])
        for key in ["a", "b", "c"] {
            let fetched = try fetch(second, key, .cacheOnly).get()
            #expect(fetched.origin == .store)
            #expect(fetched.isStale == (key != "c"))
            #expect(fetched.page.tags == [key, "all"])
        }
        #expect(try fetch(second, "b").get().origin == .source)
    }

    @Test(arguments: [1, 2, 3, 4, 5])
    func
        `A file of an earlier version is brought up to date; pages with other checksums are no damage and go`(
            version: Int64
        ) throws
    {
        let folder = TemporaryFolder()
        try closing(folder.file) {
            let store = try SQLitePageStore<SampleItem>(path: folder.file)
            let pages: [StoreChange<SampleItem>] = ["a", "b"].map {
                .save(PageIdentity(key: $0, pageSize: 10), .sample($0))
            }
            store.applyNow(pages)
            try store.flushNow().get()
        }
        // What a file was before there were orders of saves, before totals, tags, these checksums and revisions.
        try Inspector(folder.file).execute(
            "ALTER TABLE pages DROP COLUMN save_order; PRAGMA user_version = \(version)")
        if version < 5 { try Inspector(folder.file).execute("ALTER TABLE pages DROP COLUMN total") }
        if version < 4 {
            try Inspector(folder.file).execute("DROP INDEX pages_tags; ALTER TABLE pages DROP COLUMN tags")
        }
        if version < 3 { try Inspector(folder.file).execute("UPDATE pages SET checksum = 1") }
        if version == 1 { try Inspector(folder.file).execute("ALTER TABLE pages DROP COLUMN revision") }

        try closing(folder.file) {
            let store = try SQLitePageStore<SampleItem>(path: folder.file)
            let reports = Reports()
            store.attach(to: reports.environment())
            let isKept = try store.loadNow(PageIdentity(key: "a", pageSize: 10)).get() != nil
            #expect(isKept == (version >= 3))
            let page = PaginatorPage(
                content: [SampleItem(id: 1, text: "new")], key: "b", revision: "r7", total: 9, tags: ["t"])
            let stored = StoredPage(page: page, fetchedAt: Date(timeIntervalSince1970: 1_767_225_600))
            store.applyNow([.save(PageIdentity(key: "b", pageSize: 10), stored)])
            try store.flushNow().get()
            #expect(reports.kinds == [])
        }
        #expect(try Inspector(folder.file).number("PRAGMA user_version") == 6)
        #expect(try Inspector(folder.file).number("SELECT pages FROM namespaces") == (version >= 3 ? 2 : 1))
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.applyNow([.invalidateTags(["t"])])
        #expect(try store.loadNow(PageIdentity(key: "b", pageSize: 10)).get()?.isInvalidated == true)
        #expect(try store.loadNow(PageIdentity(key: "b", pageSize: 10)).get()?.page.revision == "r7")
        #expect(try store.loadNow(PageIdentity(key: "b", pageSize: 10)).get()?.page.total == 9)
    }

    @Test
    func `With a full disk fetches still succeed from the source, and the failure is reported once`() throws {
        let folder = TemporaryFolder()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        let observer = RecordingObserver()
        var config = DefaultPaginatorConfig()
        config.observer = observer
        let large = (0..<1_000).map { SampleItem(id: $0, text: String(repeating: "x", count: 2_000)) }
        let paginator = CallbackPaginator(dataSource: ArrayDataSource(large), store: store, config: config)
        // Held, since the store opens it when it has to, and the limit is one of the file while it is open.
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)
        try file.limitPages(to: 40)
        for key in stride(from: 0, to: 1_000, by: 10) {
            #expect(try fetch(paginator, "\(key)").get().page.content.count == 10)
            // It fails from the moment the file is full on.
            _ = store.flushNow()
        }
        _ = observer.blockUntilEvents(1, of: .storeFailed)
        let reported = observer.events(of: .storeFailed).filter { $0.error?.storeKind == .full }
        #expect(reported.count == 1)
        try file.limitPages(to: 1_000_000)
        try store.flushNow().get()
    }
}
