import Foundation
import PaginatorCore
import PaginatorSQLiteStore

// Pages on disk: the store's file beside C with the same statements, and whole pages beside two uses of GRDB.
extension Group {
    static let disk = Group(name: "disk") { session in
        let count = session.scaled(1_000)
        let folder = session.folder.appendingPathComponent("disk")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let identities = Workloads.identities(count)
        let codec = BinaryPageCodec<Story>()
        let content = try codec.encode(Story.page(7))
        let keys = CKeys((0..<count).map(Workloads.key))
        let order = Workloads.shuffled(count, seed: 9)

        func record(_ number: Int, _ content: [UInt8]) -> PageRecord {
            PageRecord(
                identity: identities[number], prevKey: "previous", nextKey: "next", expirationTime: nil,
                fetchedAt: Date(timeIntervalSinceReferenceDate: 800_000_000), itemCount: 30, memoryBytes: 4_000,
                codec: codec.tag, content: content)
        }
        func makeFile(_ name: String) throws -> (path: String, file: SQLitePageFile) {
            let path = folder.appendingPathComponent(name).path
            let file = try SQLitePageFile(
                file: SQLiteFile.shared(path: path, vfs: nil, busyTimeout: 1_000), namespace: "stories",
                erasesClearedPages: true)
            _ = try file.recover()
            try file.commit(
                (0..<count).map {
                    .save(record($0, content), savedAt: Date(timeIntervalSinceReferenceDate: 800_000_000))
                },
                durably: true)
            return (path, file)
        }
        let (_, ours) = try makeFile("ours.sqlite")
        let theirs = try makeFile("c.sqlite")
        let plain = try CFile(path: theirs.path, namespace: "stories")

        let reads = try session.run(
            Contest(
                row: "disk read, a page's bytes", operations: count, rounds: 21,
                contenders: [
                    Contender("SQLite in C, no checksum") { watch in
                        watch.time { for number in order { blackHole(plain.read(keys.pointers[number], sums: false)) } }
                    },
                    Contender("SQLite in C, checksum of the content") { watch in
                        watch.time { for number in order { blackHole(plain.read(keys.pointers[number], sums: true)) } }
                    },
                    Contender("the store's file, checksum of everything") { watch in
                        try watch.time {
                            for number in order {
                                guard let record = try ours.read(identities[number]), record.isIntact else {
                                    throw Command.Failure(description: "page \(number) is not intact")
                                }
                                blackHole(record)
                            }
                        }
                    },
                ]))
        session.ratio("disk-read-to-c", of: reads[2], to: reads[0], .atMost(1.15))
        session.ratio("disk-read-to-c-with-checksum", of: reads[2], to: reads[1], .atMost(1.15))

        let saves = min(count, 300)
        let savedAt = Date(timeIntervalSinceReferenceDate: 800_000_001)
        var times: [Double] = []
        let writes = try session.run(
            Contest(
                row: "disk write, a page's bytes over old ones", operations: saves, rounds: 11,
                contenders: [
                    Contender("SQLite in C, a transaction a page, no checksum") { watch in
                        plain.checkpoint()
                        try watch.time {
                            for number in order.prefix(saves) {
                                try plain.save([keys.pointers[number]], content, sums: false)
                            }
                        }
                    },
                    Contender("SQLite in C, a transaction a page, checksum of the content") { watch in
                        plain.checkpoint()
                        try watch.time {
                            for number in order.prefix(saves) {
                                try plain.save([keys.pointers[number]], content, sums: true)
                            }
                        }
                    },
                    Contender("SQLite in C, 64 pages a transaction, no checksum") { watch in
                        plain.checkpoint()
                        try watch.time {
                            var rest = order.prefix(saves)[...]
                            while !rest.isEmpty {
                                let batch = rest.prefix(64)
                                rest = rest.dropFirst(64)
                                try plain.save(batch.map { keys.pointers[$0] }, content, sums: false)
                            }
                        }
                    },
                    Contender("the store's file, a transaction a page") { watch in
                        try watch.time {
                            for number in order.prefix(saves) {
                                let start = BenchClock.wall.nanoseconds
                                try ours.commit([.save(record(number, content), savedAt: savedAt)], durably: false)
                                times.append(Double(BenchClock.wall.nanoseconds - start))
                            }
                        }
                    },
                    Contender("the store's file, 64 pages a transaction") { watch in
                        try watch.time {
                            var rest = order.prefix(saves)[...]
                            while !rest.isEmpty {
                                let batch = rest.prefix(64)
                                rest = rest.dropFirst(64)
                                try ours.commit(
                                    batch.map { .save(record($0, content), savedAt: savedAt) }, durably: false)
                            }
                        }
                    },
                ]))
        session.ratio("disk-write-to-c", of: writes[3], to: writes[0], .atMost(1.15))
        session.ratio("disk-write-to-c-with-checksum", of: writes[3], to: writes[1], .atMost(1.15))
        session.ratio("disk-write-c-to-grouped", of: writes[0], to: writes[4], .atLeast(4))
        session.ratio("disk-write-c-to-grouped-in-c", of: writes[0], to: writes[2], .atLeast(4))
        let synced = session.scaled(50)
        let durable = try session.run(
            Contest(
                row: "disk write, a page's bytes, waited for as SQLite does by default", clock: .wall,
                operations: synced,
                rounds: 5,
                contenders: [
                    Contender("SQLite in C, a transaction a page, synchronous = FULL") { watch in
                        plain.synchronize(fully: true)
                        try watch.time {
                            for number in order.prefix(synced) {
                                try plain.save([keys.pointers[number]], content, sums: false)
                            }
                        }
                        plain.synchronize(fully: false)
                    },
                    Contender("the store's file, one transaction, then flushed") { watch in
                        try watch.time {
                            try ours.commit(
                                order.prefix(synced).map { .save(record($0, content), savedAt: savedAt) }, durably: true
                            )
                        }
                    },
                ]))
        session.ratio("disk-write-c-synchronous-full-to-grouped", of: durable[0], to: durable[1], .atLeast(4))
        session.record("disk write of a page", "median", times.percentile(0.5), unit: "ns")
        session.record("disk write of a page", "p99", times.percentile(0.99), unit: "ns")
        session.record("disk write of a page", "longest", times.max() ?? 0, unit: "ns")
        session.ratio("disk-write-p99-to-median", times.percentile(0.99) / times.percentile(0.5), .atMost(5))
        try wholePages(session, folder, ours, order)
    }

    /// Pages of stories saved and loaded, decoded.
    private static func wholePages(
        _ session: Session, _ folder: URL, _ ours: SQLitePageFile, _ order: [Int]
    ) throws {
        let codec = BinaryPageCodec<Story>()
        let compact = CompactPageCodec<Story>()
        let count = min(order.count, 200)
        let order = order.filter { $0 < count }
        let pages = (0..<count).map(Story.page)
        let keys = (0..<count).map(Workloads.key)
        let identities = keys.map { PageIdentity(key: $0, pageSize: 30, scope: "whole") }
        let others = keys.map { PageIdentity(key: $0, pageSize: 30, scope: "compact") }
        let tables = try NormalizedStories(path: folder.appendingPathComponent("tables.sqlite").path)
        let blobs = try BlobPages(path: folder.appendingPathComponent("blobs.sqlite").path)

        func save(_ identity: PageIdentity, _ stories: [Story], _ codec: some PageCodec<Story>) throws {
            let record = PageRecord(
                identity: identity, prevKey: "previous", nextKey: "next", expirationTime: nil,
                fetchedAt: Date(timeIntervalSinceReferenceDate: 800_000_000), itemCount: stories.count,
                memoryBytes: 4_000, codec: codec.tag, content: try codec.encode(stories))
            try ours.commit(
                [.save(record, savedAt: Date(timeIntervalSinceReferenceDate: 800_000_000))], durably: false)
        }
        func load(_ identity: PageIdentity, _ codec: some PageCodec<Story>) throws -> [Story] {
            guard let record = try ours.read(identity), record.isIntact else {
                throw Command.Failure(description: "\(identity) is not intact")
            }
            return try codec.decode(record.content)
        }
        func contender(_ name: String, _ body: @escaping (Int) throws -> Void) -> Contender {
            Contender(name) { watch in try watch.time { for number in order { try body(number) } } }
        }
        let saves = try session.run(
            Contest(
                row: "30 stories to disk, a transaction a page", clock: .process, operations: count, rounds: 7,
                contenders: [
                    contender("normalized schema, GRDB") { try tables.save(pages[$0], as: keys[$0]) },
                    contender("JSON blob, GRDB") { try blobs.save(pages[$0], as: keys[$0]) },
                    contender("store, compact codec") { try save(others[$0], pages[$0], compact) },
                    contender("store, hand-written codec") { try save(identities[$0], pages[$0], codec) },
                ]))
        guard try tables.load(keys[3]) == pages[3], try blobs.load(keys[3]) == pages[3],
            try load(identities[3], codec) == pages[3], try load(others[3], compact) == pages[3]
        else { throw Command.Failure(description: "a contender gave other stories back") }
        let loads = try session.run(
            Contest(
                row: "30 stories from disk, decoded", clock: .process, operations: count, rounds: 11,
                contenders: [
                    contender("normalized schema, GRDB") { blackHole(try tables.load(keys[$0])) },
                    contender("JSON blob, GRDB") { blackHole(try blobs.load(keys[$0])) },
                    contender("store, compact codec") { blackHole(try load(others[$0], compact)) },
                    contender("store, hand-written codec") { blackHole(try load(identities[$0], codec)) },
                ]))
        session.ratio("page-load-normalized-to-hand-written", of: loads[0], to: loads[3], .atLeast(5))
        session.ratio("page-save-normalized-to-hand-written", of: saves[0], to: saves[3], .atLeast(8))
        session.ratio("page-load-json-to-hand-written", of: loads[1], to: loads[3], .atLeast(10))
    }
}
