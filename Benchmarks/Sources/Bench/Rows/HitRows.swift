import Foundation
import PaginatorCore

// Hit rates of policies of others, each in a process of its own.
extension Group {
    static let hits = Group(name: "hits") { session in
        let folder = session.folder.appendingPathComponent("hits")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var files: [(name: String, keys: [Int], capacity: Int)] = PagingTrace.all(requests: session.scaled(100_000)).map
        { ($0.name, $0.requests, PagingTrace.capacity) }
        if Traces.arePresent {
            // The middle size of each trace that is not long.
            for (trace, rows) in Dictionary(grouping: try Traces.rows(), by: \.trace).sorted(by: { $0.key < $1.key }) {
                guard rows[0].requests < 150_000, rows.count > 1 else { continue }
                files.append((trace, try Traces.keys(of: trace), rows[1].capacity))
            }
        }
        let others = try Others(session, folder).hits(files.map { ($0.keys, $0.capacity) })
        for (place, (name, keys, capacity)) in files.enumerated() {
            let identities = Workloads.identities((keys.max() ?? 0) + 1)
            let token = Token(1)
            func hits(_ strategy: EvictionStrategy) -> Int {
                let cache = PaginatorInMemoryCache<Token>(strategy: strategy)
                return keys.reduce(0) { hits, key in
                    if cache.get(identities[key]) != nil { return hits + 1 }
                    cache.set(token, for: identities[key])
                    return hits
                }
            }
            func record(_ policy: String, _ hits: Int) {
                session.record(
                    "beside others, \(name) at \(capacity)", policy, 100 * Double(hits) / Double(keys.count),
                    unit: Report.percent)
            }
            let lru = hits(.lru(maxPages: capacity))
            record("LRU", lru)
            record("adaptive", hits(.adaptive(maxPages: capacity)))
            for (policy, hits) in others where hits.indices.contains(place) {
                record(policy, hits[place])
                if policy == "libcachesim LRU", hits[place] != lru {
                    session.note("\(name): libcachesim's LRU counts \(hits[place]) hits, ours \(lru)")
                }
            }
        }
    }
}

/// libcachesim and Caffeine, where `scripts/bench` could install them.
private struct Others {
    private let session: Session
    private let folder: URL
    private var programs: [(name: String, path: String, arguments: [String])] = []

    init(_ session: Session, _ folder: URL) {
        self.session = session
        self.folder = folder
        if let python = Command.path("PAGINATOR_BENCH_PYTHON"), let script = Command.path("PAGINATOR_BENCH_HITS_PY") {
            for policy in ["LRU", "LIRS", "S3FIFO", "Sieve", "ARC", "TwoQ", "WTinyLFU"] {
                programs.append(("libcachesim \(policy)", python, [script, policy]))
            }
        } else {
            session.note("hit rates of libcachesim: SKIPPED, it could not be installed")
        }
        if let jar = Command.path("PAGINATOR_BENCH_CAFFEINE"), let source = Command.path("PAGINATOR_BENCH_HITS_JAVA") {
            programs.append(("Caffeine", "java", ["-cp", jar, source]))
        } else {
            session.note("hit rates of Caffeine: SKIPPED, it or Java could not be installed")
        }
    }

    /// The hits of every policy, in the order of the traces; one process a policy, which a policy that fails ends.
    func hits(_ traces: [(keys: [Int], capacity: Int)]) throws -> [(policy: String, hits: [Int])] {
        guard !programs.isEmpty else { return [] }
        var arguments: [String] = []
        for (place, trace) in traces.enumerated() {
            let file = folder.appendingPathComponent("trace-\(place).txt")
            try Data(trace.keys.map { "\($0)\n" }.joined().utf8).write(to: file)
            arguments += [file.path, "\(trace.capacity)"]
        }
        return programs.compactMap { program in
            session.progress("hit rates of \(program.name)")
            do {
                let output = try Command.run(program.path, program.arguments + arguments)
                return (program.name, output.split(separator: "\n").compactMap { Int($0) })
            } catch {
                session.note("hit rates of \(program.name): SKIPPED, \(error)")
                return nil
            }
        }
    }
}
