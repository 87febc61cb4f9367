import Dispatch
import Foundation
import PaginatorCore
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

/// What becomes of the space of pages that went.
@Suite("Free space")
struct FreeSpaceTests {
    private let folder = TemporaryFolder()

    /// Waits until the file has become shorter, which it does in steps.
    private func shrinks(_ file: SQLiteFile, below megabytes: Int) throws {
        while try folder.megabytes() >= megabytes { file.maintenance.sync {} }
    }

    /// Leaves a closed file in which some of 30 pages of a megabyte are still there.
    private func leave(_ kept: Int) throws {
        try closing(folder.file) {
            let pages = try MegabytePages(in: folder)
            for number in 0..<30 { try pages.save(number, fill: number) }
        }
        try Inspector(folder.file).execute("DELETE FROM pages WHERE CAST(key AS INTEGER) >= \(kept)")
        #expect(try folder.megabytes() > 28)
    }

    @Test
    func `Opening a file of which most is free gives the space back, and keeps the pages`() throws {
        try leave(5)
        let pages = try MegabytePages(in: folder)
        #expect(try pages.pages.read(MegabytePages.id(0)) != nil)
        try shrinks(pages.file, below: 7)
        for number in 0..<30 {
            #expect(try pages.pages.read(MegabytePages.id(number))?.content.first == (number < 5 ? UInt8(number) : nil))
        }
        #expect(try Inspector(folder.file).texts("PRAGMA integrity_check") == ["ok"])
    }

    @Test
    func `A file that is half full stays as it is: new pages will need the space`() throws {
        try leave(16)
        let inspector = try Inspector(folder.file)
        let free = try inspector.number("PRAGMA freelist_count")
        #expect(free > 3_000)
        let pages = try MegabytePages(in: folder)
        #expect(try pages.pages.read(MegabytePages.id(0)) != nil)
        let file = pages.file
        file.maintenance.sync { file.maintain() }
        #expect(try inspector.number("PRAGMA freelist_count") == free)
        #expect(try folder.megabytes() > 28)
    }

    @Test
    func `A file without a map of its pages keeps its free space, and nobody goes on trying to give it back`() throws {
        try Data.emptyDatabase(reserving: 0, hasMap: false).write(to: URL(fileURLWithPath: folder.file))
        try leave(5)
        let inspector = try Inspector(folder.file)
        #expect(try inspector.number("PRAGMA auto_vacuum") == 0)
        let free = try inspector.number("PRAGMA freelist_count")
        let pages = try MegabytePages(in: folder)
        #expect(try pages.pages.read(MegabytePages.id(0)) != nil)
        let file = pages.file
        // Whether a step is to be followed by another: after the first one that frees nothing, none is.
        let goesOn = file.maintenance.sync {
            (0..<4).map { _ in
                file.maintain()
                return file.freeBefore != nil
            }
        }
        #expect(Set(goesOn) == [true, false])
        #expect(try inspector.number("PRAGMA freelist_count") == free)
        #expect(try pages.pages.read(MegabytePages.id(4)) != nil)
    }

    @Test
    func `A small file stays as it is, however much of it is free`() throws {
        try closing(folder.file) {
            let pages = try MegabytePages(in: folder)
            for number in 0..<7 { try pages.save(number, fill: number) }
        }
        try Inspector(folder.file).execute("DELETE FROM pages")
        let pages = try MegabytePages(in: folder)
        try pages.save(0, fill: 0)
        let file = pages.file
        let given = file.maintenance.sync {
            file.maintain()
            return file.freeBefore
        }
        #expect(given == nil)
        #expect(try folder.megabytes() > 6)
    }

    @Test
    func `A store that goes on being used gives the space back too`() throws {
        let pages = try MegabytePages(in: folder)
        for number in 0..<30 { try pages.save(number, fill: number) }
        try pages.pages.commit((5..<30).map { .remove(.identity(MegabytePages.id($0))) }, durably: false)
        // Enough for the WAL to be copied back.
        for version in 1...2 { for number in 0..<5 { try pages.save(number, fill: number + version) } }
        try shrinks(pages.file, below: 10)
    }
}
