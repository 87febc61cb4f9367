import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

@Suite("Damage")
struct DamageTests {
    /// A file with pages in the database and in the WAL, as a killed process leaves it.
    private final class Template: Sendable {
        let folder = TemporaryFolder()
        let files: [String: Data]
        /// The versions that were ever saved of each page.
        static let versions: Set<Int> = [1, 2]
        static let keys = (0..<60).map { "key-\($0)" }
        static let scopes = ["", "user"]

        init() throws {
            let store = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "damage")
            let other = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "other")
            for version in [1, 2] {
                for (index, key) in Self.keys.enumerated() where version == 1 || index % 3 == 0 {
                    for scope in Self.scopes {
                        let page = StoredPage<SampleItem>.sample(
                            key, version: version, count: index % 8, length: index * 17 % 900)
                        store.applyNow([.save(Self.id(key, scope), page)])
                        // The same identity elsewhere, with another content: it must never show.
                        other.applyNow([.save(Self.id(key, scope), .sample(key, version: 9, count: 2))])
                    }
                }
                try store.flushNow().get()
                try other.flushNow().get()
                // The first round goes into the database, the second one stays in the WAL.
                if version == 1 { try Inspector(folder.file).execute("PRAGMA wal_checkpoint(PASSIVE)") }
            }
            var files: [String: Data] = [:]
            for suffix in ["", "-wal", "-shm"] {
                files[suffix] = try Data(contentsOf: URL(fileURLWithPath: folder.file + suffix))
            }
            self.files = files
            withExtendedLifetime((store, other)) {}
        }

        static func id(_ key: String, _ scope: String) -> PageIdentity {
            PageIdentity(key: key, pageSize: 10, scope: scope)
        }

        func copy() throws -> TemporaryFolder {
            let copy = TemporaryFolder()
            for (suffix, data) in files { try data.write(to: URL(fileURLWithPath: copy.file + suffix)) }
            return copy
        }
    }

    /// Opens the file, reads everything, writes, and reads that again; returns how many pages were found.
    @discardableResult
    private func use(_ folder: TemporaryFolder, _ name: String) throws -> (found: Int, reports: [PaginatorError]) {
        let reports = Reports()
        var config = SQLiteStoreConfig()
        config.vfs = TestVFS.unsynced
        let store = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "damage", config: config)
        store.attach(to: reports.environment())
        // What damage makes of the header may be the mark of another application or of a later version.
        let first = store.loadNow(Template.id("none", "")).error
        if let first, ["newer", "foreign"].contains("\(first.storeKind)") { return (0, [first]) }
        var found = 0
        for key in Template.keys {
            for scope in Template.scopes {
                switch store.loadNow(Template.id(key, scope)) {
                case .success(nil): break
                case .success(let page?):
                    found += 1
                    #expect(page.isSample(of: key), "\(name): wrong page for \(key)")
                    #expect(
                        page.page.content.isEmpty || Template.versions.contains(page.version ?? -1),
                        "\(name): a page of version \(page.version ?? -1) for \(key)")
                case .failure(let error): #expect(error.storeKind == .damagedPage, "\(name): \(error)")
                }
            }
        }
        for key in Template.keys.prefix(5) {
            store.applyNow([.save(Template.id(key, ""), .sample(key, version: 2, count: 4))])
        }
        var flushed = store.flushNow()
        // The damage may only be met by this write, or the next.
        if flushed.error?.storeKind == .replaced { flushed = store.flushNow() }
        // As with the first load.
        if flushed.error?.storeKind == .newer { return (found, reports.all.read { $0 }) }
        #expect(flushed.isSuccess, "\(name): \(String(describing: flushed.error))")
        for key in Template.keys.prefix(5) {
            var loaded = store.loadNow(Template.id(key, ""))
            if loaded.error?.storeKind == .damagedPage { loaded = store.loadNow(Template.id(key, "")) }
            if case .success(let page?) = loaded { #expect(page.isSample(of: key), "\(name)") }
        }
        return (found, reports.all.read { $0 })
    }

    @Test
    func `Bytes flipped anywhere in the file, its WAL or its index: never a wrong page, never a crash`() throws {
        let template = try Template()
        var found = 0
        var replaced = 0
        let cases = isLongRun ? 10_000 : 500
        for seed in 0..<UInt64(cases) {
            var random = SeededRandom(seed: seed)
            let folder = try template.copy()
            let suffix = ["", "", "-wal", "-shm"][random.number(in: 0..<4)]
            var data = template.files[suffix]!
            for _ in 0...random.number(in: 0..<4) {
                let at = random.number(in: 0..<data.count)
                data[data.startIndex + at] =
                    random.chance(0.5)
                    ? data[data.startIndex + at] ^ (1 << UInt8(random.number(in: 0..<8)))
                    : UInt8(truncatingIfNeeded: random.next())
            }
            try data.write(to: URL(fileURLWithPath: folder.file + suffix))
            let (pages, reports) = try use(folder, "seed \(seed), file \(suffix)")
            found += pages
            if reports.contains(where: { $0.storeKind == .replaced }) {
                replaced += 1
                #expect(folder.contents.contains("pages.sqlite-damaged"), "seed \(seed)")
                #expect(reports.contains { $0.message.contains("pages.sqlite-damaged") }, "seed \(seed)")
            }
        }
        // Most damage costs a page or nothing; some of it costs the file.
        #expect(found > cases * 60)
        #expect(replaced > 0)
    }

    @Test
    func `Bytes flipped while the file is open: never a wrong page, never a crash`() throws {
        let template = try Template()
        for seed in 0..<UInt64(isLongRun ? 500 : 25) {
            var random = SeededRandom(seed: seed)
            let folder = try template.copy()
            let store = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "damage")
            for key in Template.keys.prefix(10) { _ = store.loadNow(Template.id(key, "")) }
            let suffix = ["", "-wal", "-shm"][Int(seed % 3)]
            let size = try Data(contentsOf: URL(fileURLWithPath: folder.file)).count
            let count = suffix.isEmpty ? size : template.files[suffix]!.count
            let bytes = (0..<random.number(in: 1..<64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            try ChildProcess.flip(folder.file + suffix, at: random.number(in: 0..<count - 64), to: bytes)
            try use(folder, "seed \(seed), open file \(suffix)")
            withExtendedLifetime(store) {}
        }
    }

    @Test
    func `Damage that a new connection meets first costs the file, and is reported`() throws {
        let folder = TemporaryFolder()
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)
        try file.write(durably: true) { connection, _ throws(SQLiteError) in try connection.run(.noteFlush) }
        try Inspector(folder.file).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.file))
        let schema = try #require(data.firstRange(of: Data("CREATE TABLE".utf8)))
        try ChildProcess.flip(folder.file, at: schema.lowerBound, to: Array("nonsense".utf8))
        func read() throws(PaginatorError) -> Int64 {
            try file.read { connection throws(SQLiteError) in
                try connection.number("SELECT flushes FROM store", "read flushes")
            }
        }
        #expect(#expect(throws: PaginatorError.self) { try read() }?.storeKind == .replaced)
        #expect(try read() == 0)
    }

    @Test
    func `A page whose content is damaged is removed and reported; the others stay`() throws {
        let folder = TemporaryFolder()
        let reports = Reports()
        let store = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "damage")
        store.attach(to: reports.environment())
        for key in ["a", "b"] { store.applyNow([.save(Template.id(key, ""), .sample(key))]) }
        store.flushNow()
        for column in [
            "content = zeroblob(length(content))", "next_key = 'x'", "fetched = fetched + 1", "expires = 5",
            "items = 2",
            "memory = memory + 1", "stale = 1", "prev_key = ''", "checksum = checksum + 1",
        ] {
            try ChildProcess.sql(folder.file, "UPDATE pages SET \(column) WHERE key = 'a'")
            #expect(store.loadNow(Template.id("a", "")).error?.storeKind == .damagedPage, "\(column)")
            #expect(try store.loadNow(Template.id("a", "")).get() == nil, "\(column)")
            #expect(try store.loadNow(Template.id("b", "")).get() != nil, "\(column)")
            store.applyNow([.save(Template.id("a", ""), .sample("a"))])
            store.flushNow()
        }
        // A row that damage moves to another identity, scope or namespace.
        for column in ["key = 'c'", "page_size = 11", "scope = 'c'"] {
            try ChildProcess.sql(folder.file, "UPDATE pages SET \(column) WHERE key = 'a'")
            for id in [Template.id("c", ""), PageIdentity(key: "a", pageSize: 11), Template.id("a", "c")] {
                #expect((try? store.loadNow(id).get()) == nil, "\(column)")
            }
            store.applyNow([.remove(.all), .save(Template.id("a", ""), .sample("a"))])
            store.flushNow()
        }
        #expect(reports.kinds.isEmpty)
        #expect(store.statistics.damagedPages >= 9)
    }

    @Test(arguments: [0, 1, 50, 100, 4_096, 5_000, 8_192, 20_000])
    func `A truncated file, another's text, a lost WAL`(_ size: Int) throws {
        let template = try Template()
        let folder = try template.copy()
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: folder.file + suffix) }
        try template.files[""]!.prefix(size).write(to: URL(fileURLWithPath: folder.file))
        try use(folder, "\(size) bytes")
        #expect(folder.contents.contains("pages.sqlite-damaged") == (size > 1))
        let lost = try template.copy()
        try FileManager.default.removeItem(atPath: lost.file + "-wal")
        #expect(try use(lost, "lost WAL").found > 60)
        let text = TemporaryFolder()
        try Data(String(repeating: "Dear diary. ", count: size).utf8).write(to: URL(fileURLWithPath: text.file))
        let (_, reports) = try use(text, "text")
        if size > 0 {
            #expect(reports.map { "\($0.storeKind)" } == ["replaced"])
            #expect(text.contents.contains("pages.sqlite-damaged"))
        }
    }

    @Test
    func `A file of a later version, or of another application, is left alone`() throws {
        let newer = TemporaryFolder()
        try closing(newer.file) { try SQLitePageStore<SampleItem>(path: newer.file).flushNow().get() }
        try ChildProcess.sql(newer.file, "PRAGMA user_version = 99")
        #expect(try SQLitePageStore<SampleItem>(path: newer.file).flushNow().error?.storeKind == .newer)
        let foreign = TemporaryFolder()
        try ChildProcess.sql(
            foreign.file, "PRAGMA application_id = 7; CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
        #expect(try SQLitePageStore<SampleItem>(path: foreign.file).flushNow().error?.storeKind == .foreign)
        #expect(try Inspector(foreign.file).number("SELECT count(*) FROM theirs") == 1)
        for folder in [newer, foreign] { #expect(!folder.contents.contains("pages.sqlite-damaged")) }
        // Our own tables under another application's mark: the header is damaged.
        let header = TemporaryFolder()
        try closing(header.file) { try SQLitePageStore<SampleItem>(path: header.file).flushNow().get() }
        try ChildProcess.sql(header.file, "PRAGMA application_id = 7")
        try use(header, "header of another application")
        #expect(header.contents.contains("pages.sqlite-damaged"))
    }

    @Test
    func `A folder that is deleted while the file is open: a new file is started, and reported`() throws {
        let folder = TemporaryFolder()
        let reports = Reports()
        let store = try SQLitePageStore<SampleItem>(path: folder.path + "/deep/er/pages.sqlite")
        store.attach(to: reports.environment())
        store.applyNow([.save(Template.id("a", ""), .sample("a"))])
        try store.flushNow().get()
        try FileManager.default.removeItem(atPath: folder.path + "/deep")
        store.applyNow([.save(Template.id("b", ""), .sample("b"))])
        try store.flushNow().get()
        #expect(try store.loadNow(Template.id("b", "")).get()?.isSample(of: "b") == true)
        #expect(try store.loadNow(Template.id("a", "")).get() == nil)
        #expect(reports.kinds == ["replaced"])
        #expect(store.statistics.replacedFiles == 1)
        let again = try SQLitePageStore<SampleItem>(path: folder.path + "/deep/er/pages.sqlite")
        #expect(try again.loadNow(Template.id("b", "")).get()?.isSample(of: "b") == true)
    }

    @Test
    func `A folder that cannot be made is reported, and no call hangs or traps`() throws {
        let folder = TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
        let store = try SQLitePageStore<SampleItem>(path: folder.path + "/file/pages.sqlite")
        let reports = Reports()
        store.attach(to: reports.environment())
        #expect(throws: PaginatorError.self) { try store.loadNow(Template.id("a", "")).get() }
        store.applyNow([.save(Template.id("a", ""), .sample("a"))])
        #expect(throws: PaginatorError.self) { try store.flushNow().get() }
        #expect(reports.kinds == ["unavailable"])
    }

    @Test(arguments: UInt64(0)..<30)
    func `Whoever opens a damaged file first, its replacement is told once`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = TemporaryFolder()
        try Data(repeating: 0x5A, count: 8_192).write(to: URL(fileURLWithPath: folder.file))
        let executor = SimulatedExecutor()
        var config = SQLiteStoreConfig()
        config.writeBehind.executor = executor
        let reports = Reports()
        let store = try SQLitePageStore<SampleItem>(path: folder.file, config: config)
        store.attach(to: reports.environment())
        executor.runAll(using: &random)
        store.load(Template.id("a", "")) { _ in }
        store.apply([.save(Template.id("b", ""), .sample("b"))]) { _ in }
        store.flush { _ in }
        executor.runAll(using: &random)
        #expect(reports.kinds == ["replaced"])
        #expect(store.statistics.replacedFiles == 1)
    }
}
