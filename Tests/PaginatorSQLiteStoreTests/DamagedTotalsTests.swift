import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

/// Rows whose sizes damage has made so large that no integer holds their sum.
@Suite("Damaged totals")
struct DamagedTotalsTests {
    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10) }

    @Test(arguments: ["bytes", "items"])
    func `Pages with impossible sizes do not keep a store from saving others`(_ column: String) throws {
        let folder = TemporaryFolder()
        try closing(folder.file) {
            let store = try SQLitePageStore<SampleItem>(path: folder.file)
            for number in 0..<4 { store.applyNow([.save(id("\(number)"), .sample("\(number)"))]) }
            try store.flushNow().get()
        }
        let inspector = try Inspector(folder.file)
        try inspector.execute("UPDATE pages SET \(column) = 9223372036854775807 WHERE key IN ('0', '1')")
        try inspector.execute("UPDATE namespaces SET items = 1, bytes = 1")

        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.attach(to: Reports().environment(.lru(maxPages: 20)))
        for key in ["4", "5"] {
            store.applyNow([.save(id(key), .sample(key))])
            try store.flushNow().get()
            #expect(try store.loadNow(id(key)).get()?.isSample(of: key) == true)
        }
        // The other pages stay, and the totals count the pages that there are.
        #expect(try inspector.number("SELECT count(*) FROM pages WHERE key IN ('2', '3', '4', '5')") == 4)
        #expect(try inspector.number("SELECT pages FROM namespaces") == inspector.number("SELECT count(*) FROM pages"))
    }
}
