import Dispatch
import Foundation
import Oracles
import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Histories that random ones come to seldom, told by hand to the same world and judged by the same model.
@Suite("The fetch pipeline in chosen histories")
struct FetchModelHistoryTests {
    static let first = FetchWorld.identities[0]
    static let second = FetchWorld.identities[1]

    /// Runs a history of a world with the troubles given, and expects that nothing was wrong.
    private func history(
        _ trouble: FetchTrouble = [], seed: UInt64 = 1,
        configure: @escaping @Sendable (inout PaginatorConfig) -> Void = { _ in },
        _ body: @escaping @Sendable (FetchWorld) -> Void
    ) {
        let texts = watched(seconds: 30) { findings in
            if Seeds.isAlone { findings.log = [] }
            let world = FetchWorld(findings, seed: seed, trouble: trouble, configure: configure)
            body(world)
            world.settle()
            world.release()
            for line in findings.log ?? [] { print(line) }
        }
        #expect(texts.isEmpty, "\(texts.joined(separator: "\n"))")
    }

    @Test func `After the device slept a new deadline does not wait for the rest of an old timer`() {
        history([.noStore, .sourceHangs]) { world in
            world.isHolding = true
            world.fetch(Self.first, policy: .networkOnly, timeout: 60, plainly: true)
            world.settle()
            world.clock.sleep(1_000 * FetchWorld.second)
            world.model.callers[0].slept = true
            world.fetch(Self.second, policy: .networkOnly, timeout: 5, plainly: true, onLane: true)
            world.pass(FetchWorld.second)
            if world.model.calls.count < 2 { world.model.fail("the source is not asked when the debounce is over") }
            world.pass(60 * FetchWorld.second)
        }
    }

    @Test func `A fetch around a page excuses no load of a page that it cannot ask for`() {
        history([.noStore]) { world in
            world.isHolding = true
            world.around(Self.first, depth: 1, direction: .forward)
            world.settle()
            let waits = FetchWorld.identities.map { world.model.callers[0].mayWait(for: ModelPlace($0)) }
            if waits.prefix(4) != [true, true, false, false] { world.model.fail("it may wait for \(waits)") }
        }
    }

    @Test func `Sources that block hold up no deadline of anybody`() {
        let clock = ManualPaginatorClock()
        let goOn = DispatchSemaphore(value: 0)
        let source = ClosureDataSource<Int>(firstKey: "0") { request in
            goOn.wait()
            return PaginatorPage(content: [], key: request.key)
        }
        let answers = DispatchGroup()
        let paginators = (0..<20).map { _ in
            var config = PaginatorConfig()
            config.clock = clock
            return CallbackPaginator(dataSource: source, config: config)
        }
        for paginator in paginators {
            for key in 0..<4 {
                answers.enter()
                paginator.fetch(key: "\(key)", pageSize: 1, timeout: .seconds(2)) { _ in answers.leave() }
            }
        }
        // Waited for until everything is answered; the limit is only for a library that never answers.
        var turns = 0
        while answers.wait(timeout: .now() + .milliseconds(50)) == .timedOut, turns < 200 {
            clock.advance(by: .seconds(2))
            turns += 1
        }
        #expect(turns < 200, "fetches whose deadline has passed still wait behind sources that block")
        for _ in 0..<1_000 { goOn.signal() }
        if turns >= 200 { answers.wait() }
        withExtendedLifetime(paginators) {}
    }

    @Test func `A deleted item stays deleted in a fallback that waited for long`() {
        history([.noStore, .suspends, .sourceFails]) { world in
            world.put(Self.first)
            world.invalidate(Self.first)
            world.call { $0.invalidate(.all) }
            world.suspend(true)
            world.settle()
            world.fetch(Self.first, policy: .cacheFirst, timeout: 2_000, plainly: true)
            world.settle()
            world.edit(FetchModel.items(of: ModelPlace(Self.first))[1], deletes: true, isPending: false)
            world.call { $0.trim(toFraction: 0) }
            world.pass(500 * FetchWorld.second)
            // Another edit, since what is too old may go when something new comes.
            world.edit(FetchModel.items(of: ModelPlace(Self.second))[1], deletes: true, isPending: false)
            world.isHolding = true
            world.suspend(false)
            world.settle()
            for _ in 0..<6 {
                for held in world.held { held.failure() }
                world.held = []
                world.pass(40 * FetchWorld.second)
            }
        }
    }

    @Test func `What was cleared while a search waited is no fallback of what it then loads`() {
        for policy in [FetchPolicy.cacheFirst, .staleWhileRevalidate, .networkFirst] {
            history([.noStore, .sourceFails]) { world in
                world.put(Self.first)
                world.call { $0.invalidate(.all) }
                world.settle()
                world.isHolding = true
                world.fetch(Self.first, policy: policy, timeout: 60, plainly: true, onLane: true)
                world.settle()
                world.clear(Self.first)
                world.pass(FetchWorld.second)
                world.fetch(Self.first, policy: policy, timeout: 60, plainly: true)
                for _ in 0..<6 {
                    for held in world.held { held.failure() }
                    world.held = []
                    world.pass(12 * FetchWorld.second)
                }
            }
        }
    }

    @Test func `What is cleared while a fetch looks at it is no fallback of what others ask for later`() {
        for policy in [FetchPolicy.cacheFirst, .staleWhileRevalidate, .networkFirst] {
            history([.noStore, .sourceFails]) { world in
                world.put(Self.first)
                world.call { $0.invalidate(.all) }
                world.settle()
                world.isHolding = true
                world.onJudge = { world.clear(Self.first) }
                world.fetch(Self.first, policy: policy, timeout: 60, plainly: true)
                if world.onJudge != nil { world.model.fail("the history is no longer one: nothing is judged") }
                world.fetch(Self.first, policy: policy, timeout: 60, plainly: true)
                world.settle()
                for _ in 0..<6 {
                    for held in world.held { held.failure() }
                    world.held = []
                    world.pass(12 * FetchWorld.second)
                }
            }
        }
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `A clock and an object that goes may call the library`(seed: UInt64) {
        history([.userCalls, .storeSlow, .smallMemory], seed: seed) { $0.live(80) }
    }

    @Test func `What a passing condition holds back comes when it has passed`() {
        for conditions in [PaginatorConditions.lowPower, .background, .weakLink, .offline] {
            history([.noStore, .conditions]) { world in
                world.setConditions(conditions)
                world.prefetch(Self.first)
                world.pass(300 * FetchWorld.second)
                world.setConditions([])
                world.pass(5 * FetchWorld.second)
                if world.paginator?.peek(key: Self.first.key, pageSize: 2) == nil {
                    world.model.fail("what was prefetched under condition \(conditions.rawValue) never comes")
                }
            }
        }
    }

    @Test func `A fetch around a page does not wait for neighbors that a condition holds back`() {
        for conditions in [PaginatorConditions.lowPower, .background, .weakLink] {
            for seed in 1...2 as ClosedRange<UInt64> {
                history([.noStore, .conditions], seed: seed) { world in
                    world.setConditions(conditions)
                    world.around(Self.second, depth: 1)
                    world.pass(10 * FetchWorld.second)
                    if world.model.callers[0].ended == nil {
                        world.model.fail("under condition \(conditions.rawValue) it still waits")
                    }
                    world.pass(300 * FetchWorld.second)
                }
            }
        }
    }

    @Test func `A member that left in the same turn is told nothing`() {
        let executor = SimulatedExecutor()
        let group = ConsistencyGroup<Int>(executor: executor)
        let told = Findings()
        let membership = Guarded<PaginatorExecution?>(nil)
        group.join { _ in _ = membership.withLock { $0 }?.cancel() }
        membership.withLock { $0 = group.join { told.texts.append("\($0)") } }
        group.send(1)
        group.send(2)
        executor.runAll()
        #expect(told.texts.isEmpty)
        membership.withLock { $0 = nil }
    }

    @Test func `Two ways to tell items apart are two ways`() {
        struct Pair: Sendable, Equatable { var left: Int, right: Int, isEdited = false }
        let clock = SleepyClock()
        let executor = SimulatedExecutor()
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        let source = ClosureDataSource<Pair>(firstKey: "0") { PaginatorPage(content: [], key: $0.key) }
        let paginator = CallbackPaginator(dataSource: source, config: config)
        let items = [Pair(left: 1, right: 2), Pair(left: 2, right: 1)]
        #expect(throws: Never.self) { try paginator.prime(PaginatorPage(content: items, key: "0"), pageSize: 2) }
        paginator.edits { $0.left }.update(1) { Pair(left: $0.left, right: $0.right, isEdited: true) }
        #expect(paginator.peek(key: "0", pageSize: 2)?.page.content.map(\.isEdited) == [true, false])
        paginator.edits { $0.right }.update(1) { Pair(left: $0.left, right: $0.right, isEdited: true) }
        #expect(paginator.peek(key: "0", pageSize: 2)?.page.content.map(\.isEdited) == [true, true])
    }

    #if os(Linux)
        @Test func `Fetches that are cancelled during a suspension leave nothing behind`() throws {
            let executor = SimulatedExecutor()
            var config = PaginatorConfig()
            config.simulate(on: executor, clock: SleepyClock())
            let source = ClosureDataSource<Int>(firstKey: "0") { PaginatorPage(content: [], key: $0.key) }
            let paginator = CallbackPaginator(dataSource: source, config: config)
            paginator.suspend()
            func cancelSome(_ count: Int) {
                for number in 0..<count {
                    let fetch = paginator.fetch(key: "\(number % 50)", pageSize: 1) { _ in }
                    executor.runAll()
                    fetch.cancel()
                    executor.runAll()
                }
            }
            func pages() throws -> Int {
                let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
                return Int(text.split(separator: " ")[1]) ?? 0
            }
            cancelSome(10_000)
            let before = try pages()
            cancelSome(40_000)
            // A fetch that is kept takes some hundred bytes; the limit is a hundred for each.
            let grown = (try pages() - before) * 4_096
            #expect(grown < 40_000 * 100, "\(grown / 40_000) bytes are kept of each")
        }
    #endif

    /// One that wants a load, and since when.
    private struct Owner {
        let priority: FetchPriority
        let asked: Int
        let execution: PaginatorExecution
    }

    /// A load that waits for the one slot.
    private struct Waiting {
        let key: String
        let began: Int
        var owners: [Owner]

        /// How urgent its owners say that it is who are left.
        var priority: FetchPriority { owners.map(\.priority).max() ?? .low }

        /// Since when it has been as urgent at the latest.
        var asked: Int { owners.filter { $0.priority == priority }.map(\.asked).min() ?? 0 }

        /// Whether it must start before another one, however moments of joining are counted.
        func precedes(_ other: Waiting) -> Bool {
            priority > other.priority || priority == other.priority && asked < other.began
        }
    }

    /// Of loads that wait for one slot the most urgent one starts, and among equals the one that was asked for first,
    /// also when somebody made it more or less urgent for a while.
    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `Loads start by urgency and then in the order in which they were asked for`(seed: UInt64) {
        history(
            [.noStore], seed: seed,
            configure: { config in
                config.maxParallelCalls = 1
                config.scheduling.agingBound = .days(1)
            }
        ) { world in
            world.isHolding = true
            var waiting: [Waiting] = []
            /// How many calls of the source have been looked at.
            var known = 1
            let fetch = { (key: String, priority: FetchPriority) in
                world.call { $0.fetch(key: key, pageSize: 2, priority: priority, policy: .networkOnly) { _ in } }
            }
            _ = fetch("first", .high)
            world.settle()
            for _ in 0..<120 {
                switch world.dice.below(8) {
                case 0..<4:
                    let key = "key \(world.dice.below(6))"
                    let priority = world.dice.of(FetchPriority.allCases)
                    let asked = world.model.moment
                    let runs = world.model.calls.last?.place == ModelPlace("", key, 2)
                    guard !runs, let execution = fetch(key, priority) else { break }
                    world.model.note("\(key) is asked for, \(priority)")
                    let owner = Owner(priority: priority, asked: asked, execution: execution)
                    if let index = waiting.firstIndex(where: { $0.key == key }) {
                        waiting[index].owners.append(owner)
                    } else {
                        waiting.append(Waiting(key: key, began: asked, owners: [owner]))
                    }
                case 4, 5:
                    guard !waiting.isEmpty else { break }
                    let index = world.dice.below(waiting.count)
                    let owner = waiting[index].owners.remove(at: world.dice.below(waiting[index].owners.count))
                    world.model.note("\(owner.priority) of \(waiting[index].key) leaves")
                    owner.execution.cancel()
                    if waiting[index].owners.isEmpty { waiting.remove(at: index) }
                default:
                    for held in world.held { held.answer() }
                    world.held = []
                }
                world.settle()
                for call in world.model.calls.dropFirst(known) {
                    guard let index = waiting.firstIndex(where: { ModelPlace("", $0.key, 2) == call.place }) else {
                        continue
                    }
                    let started = waiting.remove(at: index)
                    for other in waiting where other.precedes(started) {
                        world.model.fail("\(started.key) starts before \(other.key)")
                    }
                }
                known = world.model.calls.count
            }
            if world.model.calls.count < 5 { world.model.fail("only \(world.model.calls.count) loads started") }
        }
    }

    @Test func `Durations that do not fit are the longest there are`() async {
        await #expect(processExitsWith: .success) {
            _ = Duration.days(.max)
            _ = Duration.hours(.min)
        }
    }
}
