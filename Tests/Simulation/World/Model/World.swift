import PaginatorCore
import PaginatorStorage
import PaginatorTesting

/// A device, its user and its servers: lists and paginators over shared caches, a scheduler and a store, in virtual
/// time, on one thread, from one seed.
///
/// Events of a plan happen to it; between them, everything that the library hands over runs in an order drawn from the
/// seed. Beside the library runs a model: what was cleared, edited, flushed and answered. After each step the world
/// checks what must always hold, and at the end, with everything healed, that nothing waits and every list shows what
/// the server has.
///
/// `@unchecked Sendable`: everything runs on the thread that calls ``run(_:)``.
package final class World: @unchecked Sendable {
    package let seed: UInt64
    package let config: WorldConfig
    package let timeline: Timeline
    /// What happened, as one number.
    @exclusivity(unchecked) package internal(set) var trace = TraceHash()
    /// What did not hold.
    package private(set) var failures: [String] = []
    /// How many pieces of work have run and events have happened.
    @exclusivity(unchecked) package internal(set) var steps = 0
    /// Lines about what happened, where they were asked for.
    package internal(set) var log: [String]?
    /// Who records what happens, if anybody.
    let recorder: (any WorldRecorder)?

    // Used at each step; nothing else runs while one of them is.
    @exclusivity(unchecked) var random: SeededRandom
    let connectivity = ScriptedConnectivity()
    private(set) var disk: SimulatedDisk?
    var places: [Place] = []
    var process: SimulatedProcess?
    var scheduler: PaginatorScheduler?
    var store: PageFileStore<SimulatedItem>?

    /// Counts everything that happens; comparing two numbers tells what came first.
    @exclusivity(unchecked) var count = 0
    @exclusivity(unchecked) var callDepth = 0
    var isHealed = false
    var isSuspended = false
    var lastJump = 0
    var outageEnd: Int64 = 0
    /// Since when there has been no connection.
    var offlineSince: Int64? { connectivity.conditions.contains(.offline) ? lastConnectivity : nil }
    var lastConnectivity: Int64 = 0
    var calls: [Int: WorldCall] = [:]
    var lastCall = 0
    var callTurns: [PageIdentity: Int] = [:]
    var fetches: [DirectFetch] = []
    /// Those without an answer whose paginator lives.
    var openFetches: Set<Int> = []
    var arounds: [AroundFetch] = []
    var openArounds: Set<Int> = []
    var prefetches: [DirectPrefetch] = []
    var openPrefetches: Set<Int> = []
    var reentrantCalls = 0
    /// What other places than a page's own have cleared from the store that all share. When they reach it, compared with
    /// the saves of the page's own place, is not defined.
    var storeClears: [(place: Int, selection: PageSelection)] = []
    @exclusivity(unchecked) var rotation = 0
    var lastEdit = 0
    /// Flushes of the living process that were not answered.
    var openFlushes = 0
    var released: [WeakPaginator] = []

    package convenience init(seed: UInt64, config: WorldConfig) {
        self.init(seed: seed, config: config, timeline: Timeline(seed: seed, config: config), recorder: nil)
    }

    init(seed: UInt64, config: WorldConfig, timeline: Timeline, recorder: (any WorldRecorder)?) {
        self.seed = seed
        self.config = config
        self.timeline = timeline
        self.recorder = recorder
        random = SeededRandom(seed: seed)
        if let limit = config.storePages { disk = SimulatedDisk(world: self, limit: limit) }
        places = (0..<config.paginators).map { Place($0, config, seed) }
        startProcess()
    }

    func fail(_ message: String) {
        if log != nil { log?.append("\(milliseconds) ms: FAILED: \(message)") }
        recorder?.failed("step \(steps): \(message)")
        if failures.count < 5 { failures.append("at \(milliseconds) ms, step \(steps): \(message)") }
    }

    /// Adds a line to the log and the recording, where there is one.
    func note(_ text: @autoclosure () -> String) {
        if log != nil { log?.append("\(milliseconds) ms: \(text())") }
        recorder?.note(text())
    }

    private var milliseconds: Int64 { timeline.nanoseconds / 1_000_000 }

    /// Runs `body` as one call of the library's user, inside which no callback may run.
    func call<R>(_ body: () -> R) -> R {
        callDepth += 1
        defer { callDepth -= 1 }
        return body()
    }

    /// Lets the events happen and the world come to rest, and checks all the time; stops at the first failure.
    package func run(_ plan: [WorldEvent]) {
        var index = 0
        while failures.isEmpty {
            // The time of a plan is that of a device that is awake.
            if index < plan.count, plan[index].time + timeline.asleep <= timeline.next ?? .max {
                steps += 1
                count += 1
                timeline.wait(until: plan[index].time + timeline.asleep)
                perform(plan[index])
                recorder?.happened()
                index += 1
            } else if index < plan.count || timeline.next ?? .max <= timeline.nanoseconds {
                step()
            } else {
                break
            }
            checkStep()
        }
        if failures.isEmpty { finish() }
    }

    /// Runs the next piece of work; says whether there was one.
    @discardableResult
    func step() -> Bool {
        steps += 1
        count += 1
        return timeline.runNext()
    }
}

extension Timeline {
    /// The time of the world of a seed.
    convenience init(seed: UInt64, config: WorldConfig) {
        self.init(
            seed: seed &+ 0x5851_f42d_4c95_7f2d, longDelay: config.longDelay, longShare: config.longShare)
    }
}
