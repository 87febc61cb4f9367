import Foundation
import PaginatorCore
import PaginatorStorage

// A page's bytes on disk in other ways: GRDB's pool, and a file a page. Every operation is timed for itself.
extension Group {
    static let diskContenders = Group(name: "disk-contenders") { session in
        let bench = try ContenderBench(session)
        try bench.saving()
        try bench.loading()
        try bench.removing()
        try bench.reopening()
        try bench.sizes()
        try bench.readingBesideAWriter()
    }
}

private struct ContenderBench {
    let session: Session
    let folder: URL
    let count: Int
    let order: [Int]
    let content: [UInt8]
    let keys: CKeys
    let names = ["SQLite in C, no checksum", "the store's file", "GRDB's pool, blobs", "a file a page"]
    let contenders: [any BytePages]

    init(_ session: Session) throws {
        self.session = session
        count = session.scaled(400)
        order = Workloads.shuffled(count, seed: 10)
        content = try BinaryPageCodec<Story>().encode(Story.page(7))
        keys = CKeys((0..<count).map(Workloads.key))
        folder = session.folder.appendingPathComponent("contenders")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The store makes C's tables, and closes the file.
        _ = try StoreBytes(path: Self.path(folder, 0)).save([], content)
        contenders = try (0..<4).map { [folder, keys] in try Self.open($0, folder, keys) }
    }

    private static func path(_ folder: URL, _ contender: Int) -> String {
        folder.appendingPathComponent(["c.sqlite", "ours.sqlite", "pool.sqlite", "files"][contender]).path
    }

    private static func open(_ contender: Int, _ folder: URL, _ keys: CKeys) throws -> any BytePages {
        let path = path(folder, contender)
        return switch contender {
        case 0: try CBytes(path: path, keys: keys)
        case 1: try StoreBytes(path: path)
        case 2: try PoolBytes(path: path)
        default: try FileBytes(folder: URL(fileURLWithPath: path))
        }
    }

    /// One contest in which each operation is timed too.
    private func contest(
        _ row: String, operations: Int, rounds: Int, before: @escaping (any BytePages) throws -> Void = { _ in },
        _ body: @escaping (any BytePages, (() throws -> Void) throws -> Void) throws -> Void
    ) throws {
        var times = [[Double]](repeating: [], count: contenders.count)
        try session.run(
            Contest(
                row: row, clock: .process, operations: operations, rounds: rounds, seconds: 6,
                contenders: contenders.indices.map { index in
                    Contender(names[index]) { watch in
                        try before(contenders[index])
                        try contenders[index].settle()
                        try watch.time {
                            try body(contenders[index]) { operation in
                                times[index].append(try Timing.nanoseconds(operation))
                            }
                        }
                    }
                }))
        for index in contenders.indices { session.record(row, names[index], latencies: times[index]) }
    }

    func saving() throws {
        let (order, content) = (order, content)
        try contest(
            "disk, save a new page", operations: order.count, rounds: 5,
            before: { contender in
                let old = try order.filter { try contender.load($0) != nil }
                try contender.remove(old[...])
            },
            { contender, timed in
                for number in order { try timed { try contender.save([number], content) } }
            })
        // Never what is there already: SQLite would find out, and write next to nothing.
        var turns: [ObjectIdentifier: Int] = [:]
        let contents = [content, try BinaryPageCodec<Story>().encode(Story.page(8))]
        try contest("disk, save over a page", operations: order.count, rounds: 5) { contender, timed in
            let turn = turns[ObjectIdentifier(contender), default: 1]
            turns[ObjectIdentifier(contender)] = turn + 1
            for number in order { try timed { try contender.save([number], contents[turn % 2]) } }
        }
        for contender in contenders { try contender.save(order[...], content) }
    }

    func loading() throws {
        let order = order
        try contest("disk, load a page", operations: order.count, rounds: 11) { contender, timed in
            for number in order {
                try timed {
                    guard try contender.load(number) == content.count else {
                        throw Command.Failure(description: "page \(number) is missing")
                    }
                }
            }
        }
        // Keys that are not there; C's keys are made for those that are, so it asks for pages that were removed.
        let gone = order.prefix(max(1, order.count / 10))
        try contest(
            "disk, a missing page", operations: 10 * gone.count, rounds: 11,
            before: { contender in
                let old = try gone.filter { try contender.load($0) != nil }
                if !old.isEmpty { try contender.remove(old[...]) }
            },
            { contender, timed in
                for _ in 0..<10 { for number in gone { try timed { blackHole(try contender.load(number)) } } }
            })
        for contender in contenders { try contender.save(gone, content) }
    }

    func removing() throws {
        let victims = order.prefix(min(100, order.count))
        try contest(
            "disk, evict \(victims.count) pages", operations: 1, rounds: 7,
            before: { contender in
                let gone = try victims.filter { try contender.load($0) == nil }
                if !gone.isEmpty { try contender.save(gone[...], content) }
            },
            { contender, timed in try timed { try contender.remove(victims) } })
        for contender in contenders { try contender.save(victims, content) }
    }

    /// Opens what nobody has open, and loads one page.
    func reopening() throws {
        let other = folder.appendingPathComponent("closed")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        // The store makes C's tables.
        _ = try StoreBytes(path: Self.path(other, 0))
        for index in names.indices {
            let contender = try Self.open(index, other, keys)
            for start in stride(from: 0, to: order.count, by: 64) {
                try contender.save(order[start..<min(order.count, start + 64)], content)
                try contender.settle()
            }
        }
        var times = [[Double]](repeating: [], count: names.count)
        let row = "disk, open and load a page"
        try session.run(
            Contest(
                row: row, clock: .process, operations: 1, rounds: 15,
                contenders: names.indices.map { index in
                    Contender(names[index]) { watch in
                        try watch.time {
                            times[index].append(
                                try Timing.nanoseconds {
                                    blackHole(try Self.open(index, other, keys).load(order[0]))
                                })
                        }
                    }
                }))
        for index in names.indices { session.record(row, names[index], latencies: times[index]) }
    }

    func sizes() throws {
        for index in names.indices {
            try contenders[index].settle()
            session.record(
                "bytes on disk for \(count) pages of \(content.count) bytes, the WAL left out", names[index],
                Double(try DiskUse.bytes(URL(fileURLWithPath: Self.path(folder, index)))), unit: "bytes")
        }
    }

    /// One thread saves eight pages a transaction without a pause, the other reads.
    func readingBesideAWriter() throws {
        let nanoseconds = session.isQuick ? 100_000_000 : 1_000_000_000
        let contents = [content, try BinaryPageCodec<Story>().encode(Story.page(8))]
        for index in names.indices {
            session.progress("disk, a reader beside a writer: \(names[index])")
            let reader = Unshared(contenders[index])
            // C's connections belong to one thread each; the others have connections of their own.
            let writer = Unshared(index == 0 ? try Self.open(0, folder, keys) : contenders[index])
            let state = BesideState()
            let order = order
            let span = Threads.run([
                {
                    var times: [Double] = []
                    var turn = 0
                    let start = BenchClock.wall.nanoseconds
                    while BenchClock.wall.nanoseconds - start < nanoseconds, !state.isOver {
                        turn += 1
                        let time = state.noting {
                            try Timing.nanoseconds { blackHole(try reader.value.load(order[turn % order.count])) }
                        }
                        if let time { times.append(time) }
                    }
                    state.finish(times)
                },
                {
                    var (place, rounds) = (0, 0)
                    while !state.isOver {
                        let batch = order[place..<min(place + 8, order.count)]
                        place = (place + 8) % (order.count / 8 * 8)
                        rounds += place == 0 ? 1 : 0
                        let content = contents[rounds % 2]
                        state.noting { try writer.value.save(batch, content) }
                        state.wrote(batch.count)
                    }
                },
            ])
            if let error = state.error { throw error }
            let row = "disk, a reader beside a writer"
            session.record(row, names[index], latencies: state.times)
            session.record(
                row + ", pages written meanwhile", names[index], Double(state.written) / (Double(span) * 1e-9),
                unit: "a second")
            try contenders[index].settle()
        }
    }
}

/// Handed to one thread at a time.
///
/// `@unchecked Sendable`: whoever makes it hands it to one thread and waits for its end.
private final class Unshared: @unchecked Sendable {
    let value: any BytePages
    init(_ value: any BytePages) { self.value = value }
}

private final class BesideState: Sendable {
    private struct State {
        var isOver = false
        var times: [Double] = []
        var written = 0
        var error: (any Error)?
    }

    private let state = Guarded(State())

    var isOver: Bool { state.withLock { $0.isOver } }
    var times: [Double] { state.withLock { $0.times } }
    var written: Int { state.withLock { $0.written } }
    var error: (any Error)? { state.withLock { $0.error } }

    func finish(_ times: [Double]) {
        state.withLock {
            $0.times = times
            $0.isOver = true
        }
    }

    func wrote(_ count: Int) { state.withLock { $0.written += count } }

    @discardableResult
    func noting<R>(_ body: () throws -> R) -> R? {
        do {
            return try body()
        } catch {
            state.withLock {
                $0.error = error
                $0.isOver = true
            }
            return nil
        }
    }
}
