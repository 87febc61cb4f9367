import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

#if canImport(Glibc)
    import Glibc
#endif

@Suite("A full disk")
struct FullDiskTests {
    private func id(_ index: Int) -> PageIdentity { PageIdentity(key: "\(index)", pageSize: 10) }

    /// Fills the store until a flush fails, then makes room and goes on.
    private func fill(_ path: String, limit: (Bool) throws -> Void) throws {
        let reports = Reports()
        let store = try SQLitePageStore<SampleItem>(path: path)
        store.attach(to: reports.environment())
        store.applyNow([.save(id(0), .sample("0"))])
        try store.flushNow().get()
        try limit(true)
        var failed: PaginatorError?
        var index = 1
        while failed == nil, index < 2_000 {
            store.applyNow([.save(id(index), .sample("\(index)", count: 5, length: 2_000))])
            failed = store.flushNow().error
            index += 1
        }
        #expect(failed?.storeKind == .full, "\(String(describing: failed))")
        // It goes on failing, and is told once; reads go on, those of what waits too.
        for _ in 0..<5 { #expect(store.flushNow().error?.storeKind == .full) }
        #expect(reports.kinds == ["full"])
        #expect(try store.loadNow(id(0)).get() != nil)
        #expect(try store.loadNow(id(index - 1)).get()?.isSample(of: "\(index - 1)") == true)
        try limit(false)
        try store.flushNow().get()
        #expect(try store.loadNow(id(index - 1)).get()?.isSample(of: "\(index - 1)") == true)
        store.applyNow([.save(id(5_000), .sample("5000"))])
        try store.flushNow().get()
        #expect(try Inspector(path).number("SELECT count(*) FROM pages") == index + 1)
        #expect(reports.kinds == ["full"])
    }

    @Test
    func `With a page limit on the database`() throws {
        let folder = TemporaryFolder()
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)
        try fill(folder.file) { isLimited in try file.limitPages(to: isLimited ? 60 : 1_000_000) }
    }

    #if os(Linux)
        private static let canMount: Bool = {
            let folder = TemporaryFolder()
            guard mount("tmpfs", folder.path, "tmpfs", 0, "size=1m") == 0 else { return false }
            return umount(folder.path) == 0
        }()

        @Test(.enabled(if: canMount, "file systems cannot be mounted here"))
        func `On a tiny file system`() throws {
            let folder = TemporaryFolder()
            try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=700k") == 0)
            defer { umount2(folder.path, Int32(MNT_DETACH)) }
            try fill(folder.file) { isLimited in
                if !isLimited {
                    try #require(mount("tmpfs", folder.path, "tmpfs", UInt(MS_REMOUNT), "size=30m") == 0)
                }
            }
        }

        @Test(.enabled(if: canMount, "file systems cannot be mounted here"), arguments: [false, true])
        func `A clear and a lowered limit find their space on a nearly full file system`(isClear: Bool) throws {
            let folder = TemporaryFolder()
            try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=60m") == 0)
            defer { umount2(folder.path, Int32(MNT_DETACH)) }
            try closing(folder.file) {
                let store = try SQLitePageStore<SampleItem>(path: folder.file)
                for number in 0..<300 {
                    store.applyNow([.save(id(number), .sample("\(number)", count: 10, length: 4_000))])
                }
                try store.flushNow().get()
            }
            let inspector = try Inspector(folder.file)
            while try folder.megabytes("-wal") > 0 { try inspector.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
            // The system may count space for a moment longer that the WAL has given back.
            let size = (try folder.megabytes() + 3..<60).first {
                mount("tmpfs", folder.path, "tmpfs", UInt(MS_REMOUNT), "size=\($0)m") == 0
            }
            try #require(size != nil)
            let store = try SQLitePageStore<SampleItem>(path: folder.file)
            if isClear {
                store.applyNow([.remove(.all)])
            } else {
                store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 5)))
            }
            try store.flushNow().get()
            #expect(try inspector.number("SELECT count(*) FROM pages") == (isClear ? 0 : 5))
            #expect(try inspector.texts("PRAGMA integrity_check") == ["ok"])
        }

        @Test(.enabled(if: canMount, "file systems cannot be mounted here"))
        func `On a file system that becomes read-only`() throws {
            let folder = TemporaryFolder()
            try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=10m") == 0)
            defer { umount2(folder.path, Int32(MNT_DETACH)) }
            // A file system with a file that is open for writing cannot become read-only.
            try closing(folder.file) {
                let store = try SQLitePageStore<SampleItem>(path: folder.file)
                store.applyNow([.save(id(1), .sample("1"))])
                try store.flushNow().get()
            }
            // The object goes before the files that it closes.
            var attempts = 0
            while mount("tmpfs", folder.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "size=10m") != 0 {
                attempts += 1
                try #require(errno == EBUSY && attempts < 1_000_000)
                sched_yield()
            }
            let store = try SQLitePageStore<SampleItem>(path: folder.file)
            #expect(store.flushNow().error?.code == .storeFailed)
            try #require(mount("tmpfs", folder.path, "tmpfs", UInt(MS_REMOUNT), "size=10m") == 0)
            #expect(try store.loadNow(id(1)).get() != nil)
        }
    #endif
}
