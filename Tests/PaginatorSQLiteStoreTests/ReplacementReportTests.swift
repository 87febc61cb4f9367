import CTestVFS
import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

extension TestVFSTests {
    /// No file is lost without a report.
    @Suite("The report of a replacement")
    struct ReplacementReportTests {
        @Test func `A damaged file is reported, whichever I/O call of its replacement fails`() throws {
            #expect(TestVFS.isRegistered)
            var (number, hasFailed) = (0, true)
            while hasFailed {
                number += 1
                let folder = TemporaryFolder()
                try Data(repeating: 7, count: 8_192).write(to: URL(fileURLWithPath: folder.file))
                var config = SQLiteStoreConfig()
                config.vfs = String(cString: testvfs_name)
                let reports = Reports()
                let store = try SQLitePageStore<SampleItem>(path: folder.file, config: config)
                store.attach(to: reports.environment())
                testvfs_fail_at(number)
                let identity = PageIdentity(key: "a", pageSize: 10)
                store.applyNow([.save(identity, .sample("a"))])
                var flushed = store.flushNow()
                for _ in 0..<4 where !flushed.isSuccess { flushed = store.flushNow() }
                hasFailed = testvfs_has_failed() != 0
                testvfs_fail_at(0)
                #expect(flushed.isSuccess, "call \(number): \(String(describing: flushed.error))")
                #expect(try store.loadNow(identity).get()?.isSample(of: "a") == true, "call \(number)")
                #expect(reports.kinds.contains("replaced"), "call \(number): \(reports.kinds)")
                #expect(folder.contents.contains("pages.sqlite-damaged"), "call \(number)")
            }
            #expect(number > 20)
        }
    }
}
