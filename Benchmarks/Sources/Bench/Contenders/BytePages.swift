import Foundation
import GRDB
import PaginatorCore
import PaginatorSQLiteStore
import PaginatorStorage

/// A way to keep a page's bytes on disk. The keys are those of ``Workloads/key(_:)``, the page size 30.
protocol BytePages: AnyObject {
    /// Saves pages in one transaction, where there is such a thing.
    func save(_ numbers: ArraySlice<Int>, _ content: [UInt8]) throws
    /// Returns how many bytes were read; `nil` when there is no such page.
    func load(_ number: Int) throws -> Int?
    /// Removes pages in one transaction, where there is such a thing.
    func remove(_ numbers: ArraySlice<Int>) throws
    /// Copies what was written to its place, where that is put off.
    func settle() throws
}

/// The store's file, checksums included.
final class StoreBytes: BytePages {
    let file: SQLitePageFile
    private let path: String
    private let identities: [PageIdentity]

    /// - Parameter identities: those of the first pages, where they are made beforehand, as C's keys are.
    init(path: String, identities: [PageIdentity] = []) throws {
        self.path = path
        self.identities = identities
        file = SQLitePageFile(
            path: path, vfs: nil, busyTimeout: 1_000, namespace: "stories", erasesClearedPages: true)
        _ = try file.recover()
    }

    static func identity(_ number: Int) -> PageIdentity { PageIdentity(key: Workloads.key(number), pageSize: 30) }

    private func identity(_ number: Int) -> PageIdentity {
        number < identities.count ? identities[number] : Self.identity(number)
    }

    static func record(_ number: Int, _ content: [UInt8], items: Int = 30) -> PageRecord {
        record(identity(number), content, items: items)
    }

    private static func record(_ identity: PageIdentity, _ content: [UInt8], items: Int) -> PageRecord {
        PageRecord(
            identity: identity, prevKey: "previous", nextKey: "next", expirationTime: nil,
            fetchedAt: Date(timeIntervalSinceReferenceDate: 800_000_000), itemCount: items, memoryBytes: 4_000,
            codec: BinaryPageCodec<Story>().tag, content: content)
    }

    func save(_ numbers: ArraySlice<Int>, _ content: [UInt8]) throws { try save(numbers, content, items: 30) }

    func save(_ numbers: ArraySlice<Int>, _ content: [UInt8], items: Int) throws {
        let savedAt = Date(timeIntervalSinceReferenceDate: 800_000_001)
        try file.commit(
            numbers.map { .save(Self.record(identity($0), content, items: items), savedAt: savedAt) }, durably: false)
    }

    func load(_ number: Int) throws -> Int? {
        guard let record = try file.read(identity(number)) else { return nil }
        guard record.isIntact else { throw Command.Failure(description: "page \(number) is not intact") }
        return record.content.count
    }

    func remove(_ numbers: ArraySlice<Int>) throws {
        try file.commit(numbers.map { .remove(.identity(Self.identity($0))) }, durably: false)
    }

    /// The store copies its WAL back on a thread of its own; for a comparison it is done here, by another connection.
    func settle() throws { try CFile(path: path, namespace: "stories").checkpoint() }
}

/// The same tables by SQLite's C API.
final class CBytes: BytePages {
    let file: CFile
    private let keys: CKeys

    /// Opens a file that the store has made.
    init(path: String, keys: CKeys) throws {
        file = try CFile(path: path, namespace: "stories")
        self.keys = keys
    }

    func save(_ numbers: ArraySlice<Int>, _ content: [UInt8]) throws {
        try file.save(numbers.map { keys.pointers[$0] }, content, sums: false)
    }

    func load(_ number: Int) throws -> Int? {
        let length = file.read(keys.pointers[number], sums: false)
        return length < 0 ? nil : length
    }

    func remove(_ numbers: ArraySlice<Int>) throws { try file.remove(numbers.map { keys.pointers[$0] }) }

    func settle() throws { file.checkpoint() }
}

/// Bytes in one column, through GRDB's pool.
final class PoolBytes: BytePages {
    private let pool: DatabasePool

    init(path: String) throws {
        // A pool of before may still be closing.
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { db in
            try db.execute(
                sql: "CREATE TABLE IF NOT EXISTS page (key TEXT PRIMARY KEY NOT NULL, content BLOB NOT NULL)")
        }
    }

    func save(_ numbers: ArraySlice<Int>, _ content: [UInt8]) throws {
        let data = Data(content)
        try pool.write { db in
            let statement = try db.cachedStatement(sql: "INSERT OR REPLACE INTO page VALUES (?, ?)")
            for number in numbers { try statement.execute(arguments: [Workloads.key(number), data]) }
        }
    }

    func load(_ number: Int) throws -> Int? {
        try pool.read { db in
            try Data.fetchOne(
                try db.cachedStatement(sql: "SELECT content FROM page WHERE key = ?"),
                arguments: [Workloads.key(number)])
        }?.count
    }

    func remove(_ numbers: ArraySlice<Int>) throws {
        try pool.write { db in
            let statement = try db.cachedStatement(sql: "DELETE FROM page WHERE key = ?")
            for number in numbers { try statement.execute(arguments: [Workloads.key(number)]) }
        }
    }

    func settle() throws { try pool.writeWithoutTransaction { _ = try $0.checkpoint(.passive) } }
}

/// A file a page, written beside its place and renamed.
final class FileBytes: BytePages {
    private let folder: URL

    init(folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func url(_ number: Int) -> URL { folder.appendingPathComponent(Workloads.key(number) + ".json") }

    func save(_ numbers: ArraySlice<Int>, _ content: [UInt8]) throws {
        for number in numbers { try Data(content).write(to: url(number), options: .atomic) }
    }

    func load(_ number: Int) throws -> Int? {
        let url = url(number)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try Data(contentsOf: url).count
    }

    func remove(_ numbers: ArraySlice<Int>) throws {
        for number in numbers { try FileManager.default.removeItem(at: url(number)) }
    }

    func settle() throws {}
}

/// What lies on the disk.
enum DiskUse {
    /// The bytes of a file, without the WAL beside it, or of all files in a folder.
    static func bytes(_ url: URL) throws -> Int {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        guard exists, isFolder.boolValue else { return try size(url) }
        return try FileManager.default.contentsOfDirectory(atPath: url.path)
            .reduce(0) { try $0 + size(url.appendingPathComponent($1)) }
    }

    private static func size(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }
}
