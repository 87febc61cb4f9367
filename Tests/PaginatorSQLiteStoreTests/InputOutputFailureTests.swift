import CTestVFS
import Foundation
import PaginatorCore
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

/// The test VFS belongs to one test at a time.
@Suite("The test VFS", .serialized)
struct TestVFSTests {
    @Suite("Every I/O call fails once")
    struct InputOutputFailureTests {
        private func id(_ key: String, _ scope: String = "") -> PageIdentity {
            PageIdentity(key: key, pageSize: 10, scope: scope)
        }

        private func open(
            _ folder: TemporaryFolder, busyTimeout: Duration = .milliseconds(50)
        ) throws -> SQLitePageStore<SampleItem> {
            var config = SQLiteStoreConfig()
            config.vfs = String(cString: testvfs_name)
            config.busyTimeout = busyTimeout
            return try SQLitePageStore(path: folder.file, namespace: "io", config: config)
        }

        /// Saves, flushes, reads, marks, edits, removes, clears, and opens again; returns what was flushed at the end.
        private func script(_ folder: TemporaryFolder, _ name: String) -> [String: Int] {
            var flushed: [String: Int] = [:]
            for version in 1...2 {
                guard let store = (try? open(folder)) ?? (try? open(folder)) else { return flushed }
                store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 100)))
                var pending: [String: Int] = [:]
                func flush() {
                    for _ in 0..<3 {
                        if store.flushNow().isSuccess {
                            for (key, version) in pending { flushed[key] = version }
                            pending = [:]
                            return
                        }
                    }
                }
                for key in ["a", "b", "c", "d"] {
                    store.applyNow([.save(id(key), .sample(key, version: version, count: 3, length: 2_000))])
                    pending[key] = version
                }
                flush()
                for key in ["a", "b", "none"] {
                    if case .success(let page?) = store.loadNow(id(key)) {
                        #expect(page.isSample(of: key) && page.version == version, "\(name): \(key)")
                    }
                }
                store.applyNow([
                    .invalidate(.key("b")), .remove(.key("d")), .save(id("e", "user"), .sample("e", version: version)),
                    .edit(.key("c"), .items(where: { $0.id == 2 }) { _ in nil }),
                ])
                pending["d"] = 0
                flush()
                store.applyNow([.remove(.scope("user"))])
                flush()
            }
            return flushed
        }

        @Test
        func `Each failure is survived: no wrong page, nothing flushed is lost, the file is sound`() throws {
            #expect(TestVFS.isRegistered)
            var number = 1
            var survived = 0
            while true {
                let folder = TemporaryFolder()
                testvfs_fail_at(number)
                let flushed = script(folder, "call \(number)")
                let hasFailed = testvfs_has_failed() != 0
                testvfs_fail_at(0)
                let name = "call \(number)"
                // The released stores of the script may still be closing the file.
                let store = try open(folder, busyTimeout: .seconds(60))
                for (key, version) in flushed {
                    let found = try store.loadNow(id(key)).get()
                    if version == 0 {
                        #expect(found == nil, "\(name): the removed page \(key) came back")
                    } else {
                        #expect(found?.isSample(of: key) == true, "\(name): the page \(key) is lost or wrong")
                        #expect(
                            found?.version == version, "\(name): the page \(key) is of version \(found?.version ?? -1)")
                        if key == "c" {
                            #expect(found?.page.content.count == 2, "\(name): the edit is lost or doubled")
                        }
                        if key == "b" { #expect(found?.isInvalidated == true, "\(name): the mark is lost") }
                    }
                }
                #expect(try store.loadNow(id("e", "user")).get() == nil || flushed["d"] != 0, "\(name)")
                #expect(!folder.contents.contains("pages.sqlite-damaged"), "\(name): a sound file was set aside")
                #expect(try Inspector(folder.file).texts("PRAGMA integrity_check") == ["ok"], "\(name)")
                if !hasFailed {
                    #expect(flushed == ["a": 2, "b": 2, "c": 2, "d": 0])
                    break
                }
                survived += 1
                number += isLongRun || number < 150 ? 1 : 3
            }
            #expect(survived > 100)
        }
    }
}
