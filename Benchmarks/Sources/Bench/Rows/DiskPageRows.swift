import Foundation
import GRDB
import PaginatorCore
import PaginatorSQLiteStore
import PaginatorStorage

// Pages of stories saved and loaded, decoded.
extension Group {
    static let diskPages = Group(name: "disk-pages") { session in
        let folder = session.folder.appendingPathComponent("pages")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        let codec = BinaryPageCodec<Story>()
        let compact = CompactPageCodec<Story>()
        let count = session.scaled(200)
        let order = Workloads.shuffled(count, seed: 9)
        let pages = (0..<count).map(Story.page)
        let keys = (0..<count).map(Workloads.key)
        let pointers = CKeys(keys)
        let identities = keys.map { PageIdentity(key: $0, pageSize: 30) }
        let others = keys.map { PageIdentity(key: $0, pageSize: 30, scope: "compact") }
        let tables = try NormalizedStories(path: path("tables.sqlite"))
        let records = NormalizedStoryRecords(pool: tables.pool)
        let blobs = try BlobPages(path: path("blobs.sqlite"))
        let files = try JSONFiles(folder: folder.appendingPathComponent("files"))
        let ours = try StoreBytes(path: path("ours.sqlite"))

        func save(_ identity: PageIdentity, _ stories: [Story], _ codec: some PageCodec<Story>) throws {
            let record = PageRecord(
                identity: identity, prevKey: "previous", nextKey: "next", expirationTime: nil,
                fetchedAt: Date(timeIntervalSinceReferenceDate: 800_000_000), itemCount: stories.count,
                memoryBytes: 4_000, codec: codec.tag, content: try codec.encode(stories))
            try ours.file.commit(
                [.save(record, savedAt: Date(timeIntervalSinceReferenceDate: 800_000_000))], durably: false)
        }
        func load(_ identity: PageIdentity, _ codec: some PageCodec<Story>) throws -> [Story] {
            guard let record = try ours.file.read(identity), record.isIntact else {
                throw Command.Failure(description: "\(identity) is not intact")
            }
            return try codec.decode(record.content)
        }
        func contender(_ name: String, _ body: @escaping (Int) throws -> Void) -> Contender {
            Contender(name) { watch in try watch.time { for number in order { try body(number) } } }
        }
        // C writes to a file of its own, with the same tables.
        try StoreBytes(path: path("c.sqlite")).save([], [])
        let plain = try CFile(path: path("c.sqlite"), namespace: "stories")
        let saves = try session.run(
            Contest(
                row: "30 stories to disk, a transaction a page", clock: .process, operations: count, rounds: 7,
                contenders: [
                    contender("normalized schema, GRDB") { try tables.save(pages[$0], as: keys[$0]) },
                    contender("JSON blob, GRDB") { try blobs.save(pages[$0], as: keys[$0]) },
                    contender("JSON file") { try files.save(pages[$0], as: keys[$0]) },
                    contender("store, compact codec") { try save(others[$0], pages[$0], compact) },
                    contender("store, hand-written codec") { try save(identities[$0], pages[$0], codec) },
                    contender("hand-written codec and SQLite in C, no checksum") {
                        try plain.save([pointers.pointers[$0]], try codec.encode(pages[$0]), sums: false)
                    },
                ]))
        guard try tables.load(keys[3]) == pages[3], try records.load(keys[3]).map(\.value) == pages[3],
            try blobs.load(keys[3]) == pages[3], try files.load(keys[3]) == pages[3],
            try load(identities[3], codec) == pages[3],
            try load(others[3], compact) == pages[3]
        else { throw Command.Failure(description: "a contender gave other stories back") }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        // Their texts, and memory for their arrays: what no way to decode them can leave out.
        let texts = try pages.map { StoryTexts(of: $0, in: try codec.encode($0)) }
        let loads = try session.run(
            Contest(
                row: "30 stories from disk, decoded", clock: .process, operations: count, rounds: 11,
                contenders: [
                    contender("normalized schema, GRDB") { blackHole(try tables.load(keys[$0])) },
                    contender("JSON blob, GRDB") { blackHole(try blobs.load(keys[$0])) },
                    contender("JSON file") { blackHole(try files.load(keys[$0])) },
                    contender("store, compact codec") { blackHole(try load(others[$0], compact)) },
                    contender("store, hand-written codec") { blackHole(try load(identities[$0], codec)) },
                    contender("SQLite in C, no checksum, and the hand-written codec") {
                        let length = plain.content(pointers.pointers[$0], into: &buffer)
                        blackHole(try codec.decode(Array(buffer[..<max(0, length)])))
                    },
                    contender("SQLite in C, and the stories' texts made from bytes") {
                        blackHole(plain.content(pointers.pointers[$0], into: &buffer))
                        let place = texts[$0]
                        buffer.withUnsafeBufferPointer { blackHole(place.make(from: $0)) }
                    },
                    contender("SQLite in C, the stories' texts, and memory for their arrays") {
                        blackHole(plain.content(pointers.pointers[$0], into: &buffer))
                        let place = texts[$0]
                        buffer.withUnsafeBufferPointer { blackHole(place.makeWithArrays(from: $0)) }
                    },
                ]))
        // Apart, because it takes so much longer that the others would not be measured one close after the other.
        let recordLoads = try session.run(
            Contest(
                row: "30 stories from disk by records, decoded", clock: .process, operations: count, rounds: 7,
                contenders: [
                    contender("normalized schema, GRDB's records and associations") {
                        blackHole(try records.load(keys[$0]))
                    },
                    contender("store, hand-written codec") { blackHole(try load(identities[$0], codec)) },
                ]))
        session.ratio(
            "page-load-normalized-to-hand-written", of: loads[0], to: loads[4], .atLeast(4),
            floor: Floor("SQLite in C, the stories' texts, and memory for their arrays", of: loads[0], to: loads[7]))
        session.ratio(
            "page-load-normalized-records-to-hand-written", of: recordLoads[0], to: recordLoads[1], .atLeast(4))
        session.ratio(
            "page-load-normalized-to-hand-written-codec-and-c", of: loads[0], to: loads[5], .atLeast(4))
        session.ratio(
            "page-save-normalized-to-hand-written", of: saves[0], to: saves[4], .atLeast(8),
            floor: Floor("the same codec and SQLite in C, no checksum", of: saves[0], to: saves[5]))
        session.ratio(
            "page-load-json-to-hand-written", of: loads[1], to: loads[4], .atLeast(10),
            floor: Floor("SQLite in C, the stories' texts, and memory for their arrays", of: loads[1], to: loads[7]))
        plain.checkpoint()
        for pool in [tables.pool, blobs.pool] { try pool.writeWithoutTransaction { _ = try $0.checkpoint(.passive) } }
        let sizes = "bytes on disk for \(count) pages of 30 stories, the WAL left out"
        for (name, file) in [
            ("normalized schema, GRDB", "tables.sqlite"), ("JSON blob, GRDB", "blobs.sqlite"), ("JSON files", "files"),
            ("hand-written codec, the store's tables", "c.sqlite"),
        ] {
            session.record(
                sizes, name, Double(try DiskUse.bytes(URL(fileURLWithPath: path(file)))), unit: "bytes")
        }
    }
}
