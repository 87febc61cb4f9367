import PaginatorCore
import PaginatorStorage
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

/// How a store learns of what others write into its file.
@Suite("Changes of others")
struct ChangesOfOthersTests {
    @Test func `Each change is learned of once, and one that could not be read is learned of later`() throws {
        let folder = TemporaryFolder()
        let (own, other) = (SQLitePageFile(in: folder), SQLitePageFile(in: folder))
        func learn() throws -> [String] { try own.changesOfOthers().map(\.identity.key).sorted() }
        try own.save("0")
        _ = try own.recover()
        try other.save("1")
        #expect(try learn() == ["1"])
        try other.save("2")
        // The system interrupts a read when it is about to suspend the process.
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)
        let reader = try file.takeReader()
        reader.interrupt()
        file.giveBack(reader)
        #expect(throws: PaginatorError.self) { try own.changesOfOthers() }
        reader.endInterrupt()
        #expect(try learn() == ["2"])
        #expect(try learn() == [])
        withExtendedLifetime(folder) {}
    }
}
