import Foundation
import PaginatorCore
import PaginatorSQLiteStore
import PaginatorStorage

// A page's bytes on disk: the store's file beside C with the same statements.
extension Group {
    static let disk = Group(name: "disk") { session in
        let bench = try DiskBench(session)
        try bench.reads()
        try bench.writes()
        try bench.synchronizedWrites()
        try bench.steadyWrites()
    }
}

private struct DiskBench {
    let session: Session
    let count: Int
    let order: [Int]
    let contents: [[UInt8]]
    let keys: CKeys
    let ours: StoreBytes
    let plain: CFile

    init(_ session: Session) throws {
        self.session = session
        count = session.scaled(1_000)
        order = Workloads.shuffled(count, seed: 9)
        contents = try [7, 8].map { try BinaryPageCodec<Story>().encode(Story.page($0)) }
        keys = CKeys((0..<count).map(Workloads.key))
        let folder = session.folder.appendingPathComponent("disk")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        ours = try Self.filled(folder.appendingPathComponent("ours.sqlite"), order, contents[0])
        // Closed before C opens it.
        _ = try Self.filled(folder.appendingPathComponent("c.sqlite"), order, contents[0])
        plain = try CFile(path: folder.appendingPathComponent("c.sqlite").path, namespace: "stories")
    }

    private static func filled(_ url: URL, _ numbers: [Int], _ content: [UInt8]) throws -> StoreBytes {
        let store = try StoreBytes(path: url.path, identities: Workloads.identities(numbers.count))
        try store.save(numbers.sorted()[...], content)
        try store.settle()
        return store
    }

    func reads() throws {
        var times: [[Double]] = [[], []]
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
                        try watch.time { for number in order { blackHole(try ours.load(number)) } }
                    },
                ]))
        for _ in 0..<session.scaled(10) {
            for number in order {
                times[0].append(Timing.nanoseconds { blackHole(plain.read(keys.pointers[number], sums: false)) })
                times[1].append(try Timing.nanoseconds { blackHole(try ours.load(number)) })
            }
        }
        session.record("disk read, a page's bytes", "SQLite in C, no checksum", latencies: times[0])
        session.record("disk read, a page's bytes", "the store's file", latencies: times[1])
        session.ratio(
            "disk-read-to-c", of: reads[2], to: reads[0], .atMost(1.3),
            floor: Floor("C with a checksum of the content alone", of: reads[1], to: reads[0]))
        session.ratio("disk-read-to-c-with-checksum", of: reads[2], to: reads[1], .atMost(1.3))
    }

    /// A hundred pages a run: fewer frames than make the store copy its WAL back, which is done before each run for all.
    ///
    /// A page is never saved as it is there already: SQLite finds out, and writes next to nothing then.
    func writes() throws {
        let saves = min(count, 100)
        let some = order.prefix(saves)
        var turns = [0, 0]
        func grouped(_ body: (ArraySlice<Int>) throws -> Void) throws {
            var rest = some
            while !rest.isEmpty {
                try body(rest.prefix(64))
                rest = rest.dropFirst(64)
            }
        }
        func inC(_ name: String, _ body: @escaping ([UInt8]) throws -> Void) -> Contender {
            Contender(name) { watch in
                turns[0] += 1
                plain.checkpoint()
                try watch.time { try body(contents[turns[0] % 2]) }
            }
        }
        func inStore(_ name: String, _ body: @escaping ([UInt8]) throws -> Void) -> Contender {
            Contender(name) { watch in
                turns[1] += 1
                try ours.settle()
                try watch.time { try body(contents[turns[1] % 2]) }
            }
        }
        let writes = try session.run(
            Contest(
                row: "disk write, a page's bytes over old ones", operations: saves, rounds: 31,
                contenders: [
                    inC("SQLite in C, a transaction a page, no checksum") { content in
                        for number in some { try plain.save([keys.pointers[number]], content, sums: false) }
                    },
                    inC("SQLite in C, a transaction a page, checksum of the content") { content in
                        for number in some { try plain.save([keys.pointers[number]], content, sums: true) }
                    },
                    inC("SQLite in C, 64 pages a transaction, no checksum") { content in
                        try grouped { try plain.save($0.map { keys.pointers[$0] }, content, sums: false) }
                    },
                    inStore("the store's file, a transaction a page") { content in
                        for number in some { try ours.save([number], content) }
                    },
                    inStore("the store's file, 64 pages a transaction") { content in
                        try grouped { try ours.save($0, content) }
                    },
                ]))
        session.ratio(
            "disk-write-to-c", of: writes[3], to: writes[0], .atMost(1.3),
            floor: Floor("C with a checksum of the content alone", of: writes[1], to: writes[0]))
        session.ratio("disk-write-to-c-with-checksum", of: writes[3], to: writes[1], .atMost(1.3))
    }

    /// One write after the other, each timed by itself: the store copies its WAL back meanwhile, on a thread of its own, and C
    /// does so never, or within a commit each 1,000 frames, as SQLite does by default.
    ///
    /// Not in the row above: there the WAL begins anew with each run, and SQLite then waits for the disk. That is one write of a
    /// hundred, so that its 99th percentile was by chance that of the disk or not, in C and here.
    func steadyWrites() throws {
        var times: [[Double]] = [[], [], []]
        // Never what is there already.
        let (content, other) = (contents[1], contents[0])
        try plain.save(order.map { keys.pointers[$0] }, other, sums: false)
        plain.checkpoint()
        try ours.save(order[...], other)
        try ours.settle()
        for round in 1...5 {
            func time(_ contender: Int, _ save: (Int) throws -> Void) rethrows {
                for number in order { times[contender].append(try Timing.nanoseconds { try save(number) }) }
            }
            session.progress("disk write, one after the other, round \(round)")
            try time(0) { try plain.save([keys.pointers[$0]], content, sums: false) }
            plain.checkpoint()
            plain.checkpointByDefault(true)
            try time(1) { try plain.save([keys.pointers[$0]], other, sums: false) }
            plain.checkpointByDefault(false)
            plain.checkpoint()
            try time(2) { try ours.save([$0], content) }
            try time(2) { try ours.save([$0], other) }
        }
        let names = [
            "SQLite in C, no checksum, the WAL never copied back",
            "SQLite in C, no checksum, copied back within commits",
            "the store's file",
        ]
        for (name, times) in zip(names, times) {
            session.record("disk write, one after the other", name, latencies: times)
        }
        let tails = times.map { $0.percentile(0.99) / $0.percentile(0.5) }
        session.ratio(
            "disk-write-p99-to-median", tails[2], .atMost(5),
            floor: Floor("C, no checksum, the WAL never copied back", tails[0]))
    }

    /// What a transaction costs an app that sets nothing: SQLite then waits for the disk with each.
    func synchronizedWrites() throws {
        let some = order.prefix(session.scaled(50))
        var turns = [0, 0]
        func next(_ file: Int) -> [UInt8] {
            turns[file] += 1
            return contents[turns[file] % 2]
        }
        try session.run(
            Contest(
                row: "disk write, a page's bytes, waited for as SQLite does by default", clock: .wall,
                operations: some.count, rounds: 5,
                contenders: [
                    Contender("SQLite in C, a transaction a page, synchronous = FULL") { watch in
                        let content = next(0)
                        plain.synchronize(fully: true)
                        try watch.time {
                            for number in some { try plain.save([keys.pointers[number]], content, sums: false) }
                        }
                        plain.synchronize(fully: false)
                    },
                    Contender("SQLite in C, one transaction, synchronous = FULL") { watch in
                        let content = next(0)
                        plain.synchronize(fully: true)
                        try watch.time {
                            try plain.save(some.map { keys.pointers[$0] }, content, sums: false)
                        }
                        plain.synchronize(fully: false)
                    },
                    Contender("the store's file, one transaction, then flushed") { watch in
                        let content = next(1)
                        try watch.time {
                            try ours.file.commit(
                                some.map {
                                    .save(
                                        StoreBytes.record($0, content),
                                        savedAt: Date(timeIntervalSinceReferenceDate: 800_000_001))
                                }, durably: true)
                        }
                    },
                ]))
    }
}
