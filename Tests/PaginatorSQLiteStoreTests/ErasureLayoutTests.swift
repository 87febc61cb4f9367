import Foundation
import PaginatorCore
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

extension Data {
    /// An empty database of one page whose pages reserve bytes at their end: zeros, as those of Apple's SQLite are, or
    /// others, as checksums would be. See https://www.sqlite.org/fileformat2.html
    static func emptyDatabase(reserving count: Int, fill: UInt8 = 0, hasMap: Bool = true) -> Data {
        var page = Data(count: 4_096)
        page.replaceSubrange(0..<16, with: Data("SQLite format 3\0".utf8))
        // Page size, versions, reserved bytes, fractions of a page.
        page.replaceSubrange(16..<24, with: [0x10, 0x00, 1, 1, UInt8(count), 64, 32, 32])
        // Change counter and the number of pages.
        page.replaceSubrange(24..<32, with: [0, 0, 0, 1, 0, 0, 0, 1])
        page[47] = 4
        page[59] = 1
        page[95] = 1
        // With a map of the pages, space can be given back in steps.
        if hasMap {
            page[55] = 1
            page[67] = 1
        }
        // A table without rows, whose content begins where the reserved bytes do.
        let end = 4_096 - count
        page[100] = 13
        page.replaceSubrange(105..<107, with: [UInt8(end >> 8), UInt8(end & 0xFF)])
        page.replaceSubrange(end..<4_096, with: Data(repeating: fill, count: count))
        return page
    }
}

@Suite struct ErasureLayoutTests {
    /// The files of the folder that hold a text.
    private func names(in folder: TemporaryFolder, with text: String) throws -> [String] {
        try folder.contents.filter { name in
            try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name)).range(of: Data(text.utf8)) != nil
        }
    }

    @Test(arguments: [(8, 0), (12, 0), (8, 7)] as [(Int, UInt8)])
    func `A cleared scope leaves no trace in a file whose pages reserve bytes, and the file stays sound`(
        _ count: Int, _ fill: UInt8
    ) throws {
        let folder = TemporaryFolder()
        try Data.emptyDatabase(reserving: count, fill: fill).write(to: URL(fileURLWithPath: folder.file))
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        let secret = "secret-of-alice"
        var random = SeededRandom(seed: 5)
        for _ in 0..<300 {
            let (key, count) = ("\(random.number(in: 0..<60))", random.number(in: 1..<8))
            let items = (0..<count).map { SampleItem(id: $0, text: secret + String(repeating: "y", count: 40 * count)) }
            let page = StoredPage(page: PaginatorPage(content: items, key: key), fetchedAt: Date())
            store.applyNow([.save(PageIdentity(key: key, pageSize: 10, scope: "alice"), page)])
            store.applyNow([.save(PageIdentity(key: key, pageSize: 10, scope: "bob"), .sample(key, length: 200))])
        }
        try store.flushNow().get()
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file))[20] == UInt8(count))
        #expect(try names(in: folder, with: secret) != [])
        store.applyNow([.remove(.scope("alice"))])
        try store.flushNow().get()
        #expect(try names(in: folder, with: secret) == [])
        #expect(try Inspector(folder.file).texts("PRAGMA integrity_check") == ["ok"])
        #expect(try Inspector(folder.file).number("SELECT count(*) FROM pages WHERE scope = 'bob'") > 0)
    }

    @Test func `A large file whose pages reserve bytes is sound, and has the other pages, when a scope was cleared`()
        throws
    {
        let folder = TemporaryFolder()
        try Data.emptyDatabase(reserving: 8).write(to: URL(fileURLWithPath: folder.file))
        var config = SQLiteStoreConfig()
        config.vfs = TestVFS.unsynced
        let store = try SQLitePageStore<SampleItem>(path: folder.file, config: config)
        func id(_ number: Int) -> PageIdentity {
            PageIdentity(key: "\(number)", pageSize: 10, scope: number.isMultiple(of: 3) ? "alice" : "bob")
        }
        // So many that the map of the pages has several.
        for round in 0..<50 {
            store.applyNow((round * 100..<round * 100 + 100).map { .save(id($0), .sample("\($0)", length: 400)) })
        }
        try store.flushNow().get()
        let inspector = try Inspector(folder.file)
        #expect(try inspector.number("PRAGMA page_count") > 1_700)
        store.applyNow([.remove(.scope("alice"))])
        try store.flushNow().get()
        #expect(try inspector.texts("PRAGMA integrity_check") == ["ok"])
        for number in 0..<5_000 where !number.isMultiple(of: 3) {
            #expect(try store.loadNow(id(number)).get()?.isSample(of: "\(number)") == true)
        }
    }

    @Test func `A cleared scope leaves no trace in a file of a gigabyte, of which one page is reserved for locks`()
        throws
    {
        let folder = TemporaryFolder()
        // All but the first page is a hole, which takes no space. What is written comes behind it.
        var page = Data.emptyDatabase(reserving: 0, hasMap: false)
        page.replaceSubrange(28..<32, with: [0, 4, 0, 0])
        try page.write(to: URL(fileURLWithPath: folder.file))
        let hole = try #require(FileHandle(forUpdatingAtPath: folder.file))
        try hole.truncate(atOffset: 1 << 30)
        try hole.close()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        let secret = "secret-of-alice"
        func id(_ number: Int, _ scope: String) -> PageIdentity {
            PageIdentity(key: "\(number)", pageSize: 10, scope: scope)
        }
        for round in 0..<300 {
            let items = (0..<1 + round % 7).map { SampleItem(id: $0, text: secret + String(repeating: "y", count: 90)) }
            let page = StoredPage(page: PaginatorPage(content: items, key: "\(round % 60)"), fetchedAt: Date())
            store.applyNow([.save(id(round % 60, "alice"), page)])
            store.applyNow([.save(id(round % 60, "bob"), .sample("\(round % 60)", length: 200))])
        }
        try store.flushNow().get()
        #expect(try folder.megabytes() >= 1_073)
        store.applyNow([.remove(.scope("alice"))])
        try store.flushNow().get()
        // The file was written anew, without the hole, and can be read at once.
        try #require(try folder.megabytes() < 10)
        #expect(try names(in: folder, with: secret) == [])
        #expect(try Inspector(folder.file).texts("PRAGMA integrity_check") == ["ok"])
        for number in 0..<60 {
            #expect(try store.loadNow(id(number, "bob")).get()?.isSample(of: "\(number)") == true)
        }
    }

    @Test func `The map of the pages stays whole when all pages of a large file were cleared`() throws {
        let folder = TemporaryFolder()
        let pages = try MegabytePages(in: folder)
        for number in 0..<7 { try pages.save(number, fill: number) }
        // Nobody else is at the file when it is erased.
        pages.file.maintenance.sync {}
        try pages.pages.commit([.remove(.all)], durably: true)
        let inspector = try Inspector(folder.file)
        // So many that the map of the pages has several.
        #expect(try inspector.number("PRAGMA page_count") > 1_700)
        #expect(try inspector.texts("PRAGMA integrity_check") == ["ok"])
    }

    /// Where the unused part of a page of a kind begins, with rows or without, if it has at least a hundred bytes.
    private func unusedPart(ofKind kind: UInt8, isEmpty: Bool, in file: [UInt8]) -> Int? {
        for page in stride(from: 4_096, to: file.count, by: 4_096) where file[page] == kind {
            func number(_ offset: Int) -> Int { Int(file[page + offset]) << 8 | Int(file[page + offset + 1]) }
            let start = (kind < 8 ? 12 : 8) + 2 * number(3)
            if isEmpty == (number(3) == 0), start + 100 <= number(5) { return page + start }
        }
        return nil
    }

    @Test(arguments: [true, false])
    func `Copies of moved rows go from every kind of page, and from one without rows`(hasMap: Bool) throws {
        let folder = TemporaryFolder()
        try Data.emptyDatabase(reserving: 0, hasMap: hasMap).write(to: URL(fileURLWithPath: folder.file))
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        func clear() throws {
            store.applyNow([.remove(.scope("alice"))])
            try store.flushNow().get()
        }
        // So many that there are pages above those with the rows, in tables and in indexes.
        store.applyNow(
            (0..<600).map {
                .save(PageIdentity(key: "\($0)", pageSize: 10, scope: "bob"), .sample("\($0)", length: 400))
            })
        try clear()
        // Another process writes, so that the next clear cannot know that nothing is left.
        try ChildProcess.sql(folder.file, "UPDATE store SET flushes = flushes + 1")
        let secret = "secret-of-alice"
        let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file)))
        // In indexes and tables, above the rows and with them. See https://www.sqlite.org/fileformat2.html
        let places: [(kind: UInt8, isEmpty: Bool)] = [(2, false), (5, false), (10, false), (13, false), (10, true)]
        var marked: [Int] = []
        for (kind, isEmpty) in places {
            let place = try #require(
                unusedPart(ofKind: kind, isEmpty: isEmpty, in: file), "no page of the kind \(kind), empty: \(isEmpty)")
            try ChildProcess.flip(folder.file, at: place, to: Array(secret.utf8))
            marked.append(place)
        }
        #expect(try names(in: folder, with: secret) != [])
        try clear()
        #expect(try names(in: folder, with: secret) == [])
        let erased = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file)))
        for place in marked { #expect(erased[place..<place + secret.utf8.count].allSatisfy { $0 == 0 }) }
        #expect(try Inspector(folder.file).texts("PRAGMA integrity_check") == ["ok"])
        #expect(try Inspector(folder.file).number("PRAGMA auto_vacuum") == (hasMap ? 2 : 0))
    }
}
