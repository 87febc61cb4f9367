import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import StorageTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

@Suite("The contract of stores")
struct StoreContractTests {
    /// A store together with the folder that it needs.
    private final class Held: PaginatorStore {
        let store: any PaginatorStore<SampleItem>
        let folder: TemporaryFolder

        init(_ store: any PaginatorStore<SampleItem>, _ folder: TemporaryFolder) {
            self.store = store
            self.folder = folder
        }

        func attach(to environment: StoreEnvironment) { store.attach(to: environment) }
        func load(
            _ identity: PageIdentity,
            completion: @escaping @Sendable (Result<StoredPage<SampleItem>?, PaginatorError>) -> Void
        ) { store.load(identity, completion: completion) }
        func apply(
            _ changes: [StoreChange<SampleItem>],
            accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
        ) { store.apply(changes, accepted: accepted) }
        func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
            store.flush(completion: completion)
        }
    }

    private func report(_ message: String, _ file: StaticString, _ line: UInt) {
        Issue.record("\(message) (\(file):\(line))")
    }

    private static func sqlite(_ folder: TemporaryFolder) throws -> Held {
        Held(try SQLitePageStore<SampleItem>(path: folder.file, namespace: "contract"), folder)
    }

    private static func user(_ folder: TemporaryFolder) throws -> Held {
        let file = try FolderPageFile(path: folder.path + "/pages.json")
        return Held(PageFileStore(file: file, codec: JSONPageCodec<SampleItem>()), folder)
    }

    @Test(arguments: Contract.store { ScriptedStore() }.cases)
    func `SQLite`(_ name: String) {
        Contract.store(reopen: { try Self.sqlite(($0 as! Held).folder) }) { try Self.sqlite(TemporaryFolder()) }
            .check(name, report: report)
    }

    @Test(arguments: Contract.store { ScriptedStore() }.cases)
    func `Memory`(_ name: String) {
        Contract.store { ScriptedStore() }.check(name, report: report)
    }

    @Test(arguments: Contract.store { ScriptedStore() }.cases)
    func `Write-behind over a file in memory`(_ name: String) {
        Contract.store { PageFileStore(file: ScriptedPageFile(), codec: CompactPageCodec<SampleItem>()) }
            .check(name, report: report)
    }

    @Test(arguments: Contract.store { ScriptedStore() }.cases)
    func `A user's file`(_ name: String) {
        Contract.store(reopen: { try Self.user(($0 as! Held).folder) }) { try Self.user(TemporaryFolder()) }
            .check(name, report: report)
    }

    @Test func `A file that forgets at a launch which pages it has is found out`() {
        let failures = Guarded<[String]>([])
        func check(_ file: some PageFile, _ report: @escaping FailureReport) {
            let open: @Sendable () -> any PaginatorStore<SampleItem> = {
                PageFileStore(file: file, codec: CompactPageCodec<SampleItem>())
            }
            Contract.store(reopen: { _ in open() }, make: open).check("reopen", report: report)
        }
        check(ScriptedPageFile(), report)
        check(ForgetfulFile()) { message, _, _ in failures.withLock { $0.append(message) } }
        #expect(failures.withLock { $0 }.contains { $0.contains("an edit or a removal misses") })
        #expect(failures.withLock { $0 }.contains { $0.contains("pages are left of 40") })
    }

    /// Reads every record, and recovers none.
    private final class ForgetfulFile: PageFile {
        private let records = ScriptedPageFile()
        func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? { try records.read(identity) }
        func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
            try records.commit(changes, durably: durably)
        }
        func recover() -> [RecordFacts] { [] }
    }

    @Test func `A page that has nothing but items takes nothing over from the one that was saved before it`() throws {
        let folder = TemporaryFolder()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        let fetchedAt = Date(timeIntervalSince1970: 1_767_225_600)
        let items = [SampleItem(id: 1, text: "one")]
        let full = PaginatorPage(
            content: items, key: "full", expirationTime: fetchedAt.addingTimeInterval(60), prevKey: "before",
            nextKey: "after", revision: "7", total: 95, tags: ["user 1"])
        let pages = [full, PaginatorPage(content: items, key: "plain")]
        func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10) }
        store.applyNow(pages.map { .save(id($0.key), StoredPage(page: $0, fetchedAt: fetchedAt)) })
        try store.flushNow().get()
        let found = try #require(try store.loadNow(id("full")).get()).page
        #expect(found.expirationTime == full.expirationTime && found.prevKey == "before" && found.nextKey == "after")
        #expect(found.revision == "7" && found.total == 95 && found.tags == ["user 1"])
        let plain = try #require(try store.loadNow(id("plain")).get()).page
        #expect(plain.content == items)
        #expect(plain.expirationTime == nil && plain.prevKey == nil && plain.nextKey == nil)
        #expect(plain.revision == nil && plain.total == nil && plain.tags == [])
    }

    @Test(arguments: UInt64(2)..<8)
    func `SQLite against a model, by seed`(_ seed: UInt64) {
        Contract.store { try Self.sqlite(TemporaryFolder()) }.check("against a model", seed: seed, report: report)
    }

    @Test(arguments: UInt64(2)..<30)
    func `Write-behind against a model, by seed`(_ seed: UInt64) {
        var config = WriteBehindConfig()
        // Small bounds, so that batches, back-pressure and commits in between all happen.
        config.maxBatchChanges = 1 + Int(seed % 5)
        config.linger = .zero
        Contract.store { [config] in
            PageFileStore(file: ScriptedPageFile(), codec: CompactPageCodec<SampleItem>(), config: config)
        }.check("against a model", seed: seed, report: report)
    }

    @Test(arguments: ["save and load", "replace", "remove", "edit"])
    func `A store that breaks the contract is found out`(_ name: String) {
        let failures = Guarded(0)
        Contract.store { ForgetfulStore() }.check(name) { _, _, _ in failures.withLock { $0 += 1 } }
        #expect(failures.withLock { $0 } > 0)
    }

    /// Keeps the first page of each identity, for ever.
    private final class ForgetfulStore: PaginatorStore {
        let pages = Guarded<[PageIdentity: StoredPage<SampleItem>]>([:])
        func load(
            _ identity: PageIdentity,
            completion: @escaping @Sendable (Result<StoredPage<SampleItem>?, PaginatorError>) -> Void
        ) { completion(.success(identity.key == "1" ? nil : pages.withLock { $0[identity] })) }
        func apply(
            _ changes: [StoreChange<SampleItem>],
            accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
        ) {
            for case .save(let id, let page) in changes { pages.withLock { $0[id] = $0[id] ?? page } }
            accepted(.success(()))
        }
        func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) { completion(.success(())) }
    }
}

@Suite("The contract of page files")
struct PageFileContractTests {
    private func report(_ message: String, _ file: StaticString, _ line: UInt) {
        Issue.record("\(message) (\(file):\(line))")
    }

    @Test(arguments: PageFileContract.cases)
    func `SQLite`(_ name: String) {
        let folder = TemporaryFolder()
        let open: @Sendable () throws -> any PageFile = {
            SQLitePageFile(
                path: folder.file, vfs: nil, busyTimeout: 5_000, namespace: "n", erasesClearedPages: true)
        }
        Contract.pageFile(reopen: { _ in try open() }, make: open).check(name, report: report)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: PageFileContract.cases)
    func `Memory`(_ name: String) {
        Contract.pageFile(reopen: { $0 }, make: { ScriptedPageFile() }).check(name, report: report)
    }

    @Test(arguments: PageFileContract.cases)
    func `A user's`(_ name: String) {
        let folder = TemporaryFolder()
        let open: @Sendable () throws -> any PageFile = { try FolderPageFile(path: folder.path + "/pages") }
        Contract.pageFile(reopen: { _ in try open() }, make: open).check(name, report: report)
        withExtendedLifetime(folder) {}
    }
}
