import Foundation
import PaginatorCore
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

@Suite struct ErasureLayoutTests {
    /// An empty database of one page whose pages reserve eight bytes at their end, as those with checksums do.
    /// See https://www.sqlite.org/fileformat2.html
    private var emptyFile: Data {
        var page = Data(count: 4_096)
        page.replaceSubrange(0..<16, with: Data("SQLite format 3\0".utf8))
        // Page size, versions, reserved bytes, fractions of a page.
        page.replaceSubrange(16..<24, with: [0x10, 0x00, 1, 1, 8, 64, 32, 32])
        // Change counter and the number of pages.
        page.replaceSubrange(24..<32, with: [0, 0, 0, 1, 0, 0, 0, 1])
        page[47] = 4
        page[59] = 1
        page[95] = 1
        // A table without rows, whose content begins where the reserved bytes do.
        page[100] = 13
        page.replaceSubrange(105..<107, with: [0x0F, 0xF8])
        return page
    }

    /// The files of the folder that hold a text.
    private func names(in folder: TemporaryFolder, with text: String) throws -> [String] {
        try folder.contents.filter { name in
            try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name)).range(of: Data(text.utf8)) != nil
        }
    }

    @Test func `A cleared scope leaves no trace in a file whose pages reserve bytes, and the file stays sound`() throws
    {
        let folder = TemporaryFolder()
        try emptyFile.write(to: URL(fileURLWithPath: folder.file))
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
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file))[20] == 8)
        #expect(try names(in: folder, with: secret) != [])
        store.applyNow([.remove(.scope("alice"))])
        try store.flushNow().get()
        #expect(try names(in: folder, with: secret) == [])
        #expect(try Inspector(folder.file).texts("PRAGMA integrity_check") == ["ok"])
        #expect(try Inspector(folder.file).number("SELECT count(*) FROM pages WHERE scope = 'bob'") > 0)
    }
}
