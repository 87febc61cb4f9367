#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a row is measured by.
enum BenchClock: String, Codable, Sendable {
    /// The time that passes.
    case wall
    /// The processor time of the calling thread: for work that stays on it, whatever else the machine does.
    case thread
    /// The processor time of all threads: what work costs that is handed between threads.
    case process

    var nanoseconds: UInt64 {
        var time = timespec()
        switch self {
        case .wall: clock_gettime(CLOCK_MONOTONIC, &time)
        case .thread: clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        case .process: clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// Adds up the time between its starts and stops; what a contender prepares in between is not counted.
struct Stopwatch {
    let clock: BenchClock
    private var started: UInt64 = 0
    private(set) var elapsed: UInt64 = 0

    init(_ clock: BenchClock) {
        self.clock = clock
    }

    mutating func start() { started = clock.nanoseconds }

    mutating func stop() { elapsed += clock.nanoseconds - started }

    /// Adds a time that was measured elsewhere.
    mutating func add(_ nanoseconds: UInt64) { elapsed += nanoseconds }

    mutating func time<R>(_ body: () throws -> R) rethrows -> R {
        start()
        defer { stop() }
        return try body()
    }
}

/// Keeps the optimizer from leaving out work whose result nobody uses.
/// Without `@_optimize(none)` it would see that nothing is done, and leave the loop out.
@inline(never) @_optimize(none)
func blackHole<T>(_ value: borrowing T) {}

/// Times single operations by the time that passes.
enum Timing {
    static func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = BenchClock.wall.nanoseconds
        try body()
        return Double(BenchClock.wall.nanoseconds - start)
    }
}
