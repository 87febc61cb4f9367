import Foundation
import PaginatorCore
import PaginatorSQLiteStore
import PaginatorStorage
import TestFolders
import Testing

/// Files of each release, kept in `Tests/Formats`, and what today's code makes of them; see `docs/formats.md`.
@Suite("Files of earlier releases")
struct FormatTests {
    /// Of everything that the compact codec writes in a way of its own.
    struct Item: Codable, Hashable, Sendable, BinaryPageItem {
        var id: Int
        var text: String
        var weight: Double
        var isRead: Bool
        var note: String?
        var tags: [String]
        var counts: [String: Int]

        init(_ id: Int) {
            self.id = id
            text = "text \(id) \u{1F9ED} e\u{301}"
            weight = Double(id) / 3
            isRead = id.isMultiple(of: 2)
            note = id.isMultiple(of: 3) ? nil : "note"
            tags = (0..<id % 3).map { "tag \($0)" }
            counts = id.isMultiple(of: 2) ? [:] : ["likes": -id]
        }

        init(from reader: inout PageByteReader) throws {
            self.init(try reader.readInt())
            text = try reader.readString()
            weight = try reader.readDouble()
            isRead = try reader.readBool()
            note = try reader.readOptional { try $0.readString() }
            tags = try reader.readAll { try $0.readString() }
        }

        func write(to writer: inout PageByteWriter) {
            writer.write(id)
            writer.write(text)
            writer.write(weight)
            writer.write(isRead)
            writer.write(optional: note) { $0.write($1) }
            writer.write(all: tags) { $0.write($1) }
        }
    }

    struct Raw: RawDecodable {
        let bytes: [UInt8]
        init(rawBytes: [UInt8]) { bytes = rawBytes }
    }

    private static let releases = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Formats")
    private static let names = (try? FileManager.default.contentsOfDirectory(atPath: releases.path))?.sorted() ?? []
    private static let fetchedAt = Date(timeIntervalSinceReferenceDate: 800_000_000.25)
    private static let items = (0..<7).map(Item.init)
    private let folder = TemporaryFolder()

    private func id(_ key: String, scope: String = "") -> PageIdentity {
        PageIdentity(key: key, pageSize: 7, scope: scope)
    }

    private func page<T: Sendable>(_ content: [T], _ key: String) -> StoredPage<T> {
        StoredPage(
            page: PaginatorPage(
                content: content, key: key, expirationTime: Self.fetchedAt.addingTimeInterval(60), prevKey: "before",
                nextKey: "cafe\u{301}", revision: "\"v7\"", total: 95, tags: ["user 1", "post 2"]),
            fetchedAt: Self.fetchedAt)
    }

    /// What every release's file has: a page of each codec, one in a scope that was marked stale, and one without anything.
    private func write() throws {
        try closing(folder.file) {
            try save(
                [("a", "", page(Self.items, "a")), ("stale", "user", page(Self.items, "stale"))],
                CompactPageCodec<Item>())
            let plain = StoredPage(page: PaginatorPage<Item>(content: [], key: "plain"), fetchedAt: Self.fetchedAt)
            try save([("plain", "", plain)], CompactPageCodec<Item>())
            try save([("a", "", page(Self.items, "a"))], namespace: "binary", BinaryPageCodec<Item>())
            try save([("a", "", page(Self.items, "a"))], namespace: "json", JSONPageCodec<Item>())
            let raw = [RawItem<Raw>([0, 255, 7]), RawItem<Raw>([])]
            try save([("a", "", page(raw, "a"))], namespace: "raw", RawPageCodec<Raw>())
            let store = try SQLitePageStore<Item>(path: folder.file)
            store.applyNow([.invalidate(.scope("user"))])
            try store.flushNow().get()
        }
        try Inspector(folder.file).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private func save<T: Sendable>(
        _ pages: [(String, String, StoredPage<T>)], namespace: String = "pages",
        _ codec: any PageCodec<T>
    ) throws {
        let store = try SQLitePageStore<T>(path: folder.file, namespace: namespace, codec: codec)
        store.applyNow(pages.map { .save(id($0.0, scope: $0.1), $0.2) })
        try store.flushNow().get()
    }

    private func check<T: Sendable>(
        _ key: String, scope: String = "", namespace: String = "pages", isStale: Bool = false,
        _ codec: any PageCodec<T>, is content: ([T]) -> Bool
    ) throws {
        let store = try SQLitePageStore<T>(path: folder.file, namespace: namespace, codec: codec)
        let reports = Reports()
        store.attach(to: reports.environment())
        let stored = try #require(try store.loadNow(id(key, scope: scope)).get(), "\(namespace) \(key)")
        let expected = page(stored.page.content, key)
        #expect(content(stored.page.content))
        #expect(stored.page.nextKey.map { Array($0.utf8) } == expected.page.nextKey.map { Array($0.utf8) })
        #expect(stored.page.prevKey == "before" && stored.page.revision == "\"v7\"" && stored.page.total == 95)
        #expect(stored.page.tags == ["user 1", "post 2"])
        #expect(stored.page.expirationTime == expected.page.expirationTime && stored.fetchedAt == Self.fetchedAt)
        #expect(stored.isInvalidated == isStale)
        #expect(reports.kinds == [])
    }

    @Test(arguments: names)
    func `A file of a release has all its pages, whatever codec wrote them`(_ release: String) throws {
        try FileManager.default.copyItem(
            atPath: Self.releases.appending(path: release + "/pages.sqlite").path, toPath: folder.file)
        try closing(folder.file) {
            try check("a", CompactPageCodec<Item>()) { $0 == Self.items }
            try check("stale", scope: "user", isStale: true, CompactPageCodec<Item>()) { $0 == Self.items }
            try check("a", namespace: "json", JSONPageCodec<Item>()) { $0 == Self.items }
            try check("a", namespace: "binary", BinaryPageCodec<Item>()) { $0.map(\.text) == Self.items.map(\.text) }
            try check("a", namespace: "raw", RawPageCodec<Raw>()) { $0.map(\.bytes) == [[0, 255, 7], []] }
            let store = try SQLitePageStore<Item>(path: folder.file)
            let plain = try #require(try store.loadNow(id("plain")).get())
            #expect(plain.page.content.isEmpty && plain.page.expirationTime == nil && plain.page.nextKey == nil)
            #expect(plain.page.tags.isEmpty && plain.page.total == nil && plain.page.revision == nil)
            // It takes pages, and cleared ones go.
            store.applyNow([.save(id("new"), page(Self.items, "new")), .remove(.key("a"))])
            try store.flushNow().get()
            #expect(try store.loadNow(id("new")).get() != nil)
            #expect(try store.loadNow(id("a")).get() == nil)
        }
        #expect(!folder.contents.contains("pages.sqlite-damaged"))
    }

    @Test(arguments: names)
    func `A record of a release is intact, and written with the same checksum today`(_ release: String) throws {
        let file = Self.releases.appending(path: release + "/record.json")
        let kept = try JSONDecoder().decode(KeptRecord.self, from: Data(contentsOf: file))
        #expect(kept.record.isIntact && kept.record.invalidated().isIntact)
        #expect(kept.record.checksum == KeptRecord.sample.record.checksum)
        // Not by chance: every byte of it counts.
        var other = kept
        other.total += 1
        #expect(!other.record.isIntact)
    }

    @Test func `A later layout of the items is a miss, and the old page is there until a new one takes its place`()
        throws
    {
        try write()
        try closing(folder.file) {
            let store = try SQLitePageStore<Item>(path: folder.file, codec: CompactPageCodec<Item>(version: 2))
            let reports = Reports()
            store.attach(to: reports.environment())
            #expect(try store.loadNow(id("a")).get() == nil)
            #expect(reports.kinds == [] && store.statistics.codecMismatches == 1)
        }
        try closing(folder.file) { try check("a", CompactPageCodec<Item>()) { $0 == Self.items } }
    }

    @Test func `A file of a later release is left as it is, and the error says so`() throws {
        try write()
        try Inspector(folder.file).execute("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
        let before = try Data(contentsOf: URL(filePath: folder.file))
        try closing(folder.file) {
            let store = try SQLitePageStore<Item>(path: folder.file)
            store.applyNow([.save(id("new"), page(Self.items, "new"))])
            let error = try #require(store.flushNow().error)
            #expect(error.storeKind == .newer && "\(error)".contains("later version of the library (99)"))
        }
        #expect(try Data(contentsOf: URL(filePath: folder.file)) == before)
        #expect(!folder.contents.contains("pages.sqlite-damaged"))
    }

    /// Writes the files of a release: `PAGINATOR_WRITE_FORMATS=1.0.0 scripts/test --filter FormatTests`.
    @Test(.enabled(if: ProcessEnvironment.value("PAGINATOR_WRITE_FORMATS") != nil))
    func `writes the files of a release`() throws {
        let release = Self.releases.appending(path: try #require(ProcessEnvironment.value("PAGINATOR_WRITE_FORMATS")))
        try FileManager.default.createDirectory(at: release, withIntermediateDirectories: true)
        let target = release.appending(path: "pages.sqlite")
        try? FileManager.default.removeItem(at: target)
        try write()
        try FileManager.default.copyItem(atPath: folder.file, toPath: target.path)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(KeptRecord.sample).write(to: release.appending(path: "record.json"))
    }
}

/// A page record as an author of a page file might keep it.
private struct KeptRecord: Codable {
    var scope = "user", key = "a", codec = "compact", revision = "\"v7\""
    var pageSize = 7, version = 1, itemCount = 2, memoryBytes = 300, total = 95
    var expirationTime = 800_000_060.25, fetchedAt = 800_000_000.25
    var tags = ["user 1", "post 2"]
    var content: [UInt8] = [0, 255, 7]
    var checksum: UInt64 = 0

    static var sample: KeptRecord {
        var kept = KeptRecord()
        kept.checksum =
            PageRecord(
                identity: kept.record.identity, prevKey: nil, nextKey: "next",
                expirationTime: kept.record.expirationTime,
                fetchedAt: kept.record.fetchedAt, itemCount: kept.itemCount, memoryBytes: kept.memoryBytes,
                codec: kept.record.codec, content: kept.content, revision: kept.revision, tags: kept.tags,
                total: kept.total
            ).checksum
        return kept
    }

    var record: PageRecord {
        PageRecord(
            identity: PageIdentity(key: key, pageSize: pageSize, scope: scope), prevKey: nil, nextKey: "next",
            expirationTime: Date(timeIntervalSinceReferenceDate: expirationTime),
            fetchedAt: Date(timeIntervalSinceReferenceDate: fetchedAt), itemCount: itemCount, memoryBytes: memoryBytes,
            codec: PageCodecTag(name: codec, version: version), content: content, revision: revision, tags: tags,
            total: total, isInvalidated: false, checksum: checksum)
    }
}
