import CTestVFS
import PaginatorCore
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

/// What a read sees while another thread replaces the file.
@Suite("A read during a replacement", .serialized)
struct ReplacementRaceTests {
    private struct Progress: Sendable {
        var isCreating = false
        var mayCreate = false
        var opens = 0
    }

    private static let progress = Handshake(Progress())

    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10) }

    @Test
    func `A read that finds no file waits for the new one`() async throws {
        let folder = TemporaryFolder()
        let reports = Reports()
        var config = SQLiteStoreConfig()
        config.vfs = TestVFS.unsynced
        let store = try SQLitePageStore<SampleItem>(path: folder.file, config: config)
        store.attach(to: reports.environment())
        store.applyNow([.save(id("a"), .sample("a"))])
        try store.flushNow().get()
        try Inspector(folder.file).execute("DROP TABLE pages")

        testvfs_watch_opens(folder.file) { creates, ended in
            let progress = ReplacementRaceTests.progress
            if creates == 1, ended == 0 {
                progress.update { $0.isCreating = true }
                progress.block { $0.mayCreate }
            } else if creates == 0, ended == 1 {
                progress.update { $0.opens += 1 }
            }
        }
        defer { testvfs_watch_opens(nil, nil) }
        store.applyNow([.save(id("b"), .sample("b"))])
        let flushed = Handshake<Result<Void, PaginatorError>?>(nil)
        store.flush { result in flushed.update { $0 = result } }
        try await Self.progress.wait { $0.isCreating }
        let loaded = Handshake<Result<StoredPage<SampleItem>?, PaginatorError>?>(nil)
        store.load(id("c")) { result in loaded.update { $0 = result } }
        // It has looked for the file, and there is none.
        try await Self.progress.wait { $0.opens > 0 }
        Self.progress.update { $0.mayCreate = true }

        try await loaded.wait { $0 != nil }
        #expect(loaded.read { $0?.error } == nil)
        try await flushed.wait { $0 != nil }
        #expect(try store.loadNow(id("c")).get() == nil)
        // The new file was taken for damaged by nobody.
        store.applyNow([.save(id("d"), .sample("d"))])
        try store.flushNow().get()
        #expect(try store.loadNow(id("d")).get()?.isSample(of: "d") == true)
        #expect(reports.kinds == ["replaced"])
    }
}
