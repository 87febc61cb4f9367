import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import Testing

/// Random events in random order, against a dictionary: what a load shows, what the file ends with, who is answered.
@Suite("The write-behind machine against a model")
struct WriteBehindModelTests {
    typealias Machine = WriteBehindMachine<[Int], Int, Int>

    private struct World {
        var machine: Machine
        var random: SeededRandom
        var file: [PageIdentity: (page: [Int], isInvalidated: Bool)] = [:]
        /// What each load must at least show: the model when it was made.
        var model: [PageIdentity: (page: [Int], isInvalidated: Bool)] = [:]
        var expected: [Int: (page: [Int], isInvalidated: Bool)?] = [:]
        var laterSaves: [Int: Bool] = [:]
        var reads: [(token: Int, identity: PageIdentity)] = []
        var commits: [Machine.Batch] = []
        var preparations = 0
        var recoveries = 0
        var waiting: Set<Int> = []
        var nextWaiter = 0
        var problems: [String] = []

        mutating func waiter() -> Int {
            nextWaiter += 1
            waiting.insert(nextWaiter)
            return nextWaiter
        }

        mutating func settle(_ waiter: Int) {
            if waiting.remove(waiter) == nil { problems.append("\(waiter) was answered twice") }
        }

        mutating func perform(_ actions: [Machine.Action]) {
            for action in actions {
                switch action {
                case .recover: recoveries += 1
                case .read(let token, let identity): reads.append((token, identity))
                case .prepare: preparations += 1
                case .commit(let batch): commits.append(batch)
                case .answer(let waiter, let answer):
                    settle(waiter)
                    check(waiter, answer)
                case .accept(let waiter, _), .flushed(let waiter, _): settle(waiter)
                case .arm, .report: break
                }
            }
            if commits.count + preparations > 1 { problems.append("two commits at once") }
        }

        mutating func check(_ waiter: Int, _ answer: Machine.Answer) {
            guard let expected = expected.removeValue(forKey: waiter) else { return }
            // A save or a removal that came after the load may show.
            if laterSaves.removeValue(forKey: waiter) == true { return }
            switch (answer, expected) {
            case (.absent, nil): break
            case (.page(let page, let edits, let isInvalidated), let expected?):
                if page + edits != expected.page { problems.append("\(waiter): \(page + edits), not \(expected.page)") }
                // The mark may also come from a later call.
                if expected.isInvalidated, !isInvalidated, file.values.allSatisfy({ !$0.isInvalidated }) {
                    problems.append("\(waiter): the mark is missing")
                }
            case (.failed, _): break
            default: problems.append("\(waiter): \(answer), not \(String(describing: expected))")
            }
        }

        static func make(_ change: Machine.Change, in pages: inout [PageIdentity: (page: [Int], isInvalidated: Bool)]) {
            switch change {
            case .save(let identity, let page, _): pages[identity] = (page, false)
            case .remove(let selection): for id in pages.keys where selection.contains(id) { pages[id] = nil }
            case .invalidate(let selection):
                for id in pages.keys where selection.contains(id) { pages[id]?.isInvalidated = true }
            case .edit(let selection, let edit):
                for id in pages.keys where selection.contains(id) { pages[id]?.page.append(edit) }
            }
        }
    }

    private func id(_ index: Int) -> PageIdentity {
        PageIdentity(key: "\(index % 4)", pageSize: 1, scope: "\(index / 4)")
    }

    private func selection(_ random: inout SeededRandom) -> PageSelection {
        let id = id(random.number(in: 0..<8))
        return [.identity(id), .identity(id), .identity(id), .key(id.key), .scope(id.scope), .all][
            random.number(in: 0..<6)]
    }

    @Test("Random interleavings, by seed", arguments: UInt64(0)..<120)
    func randomInterleavings(_ seed: UInt64) {
        var config = WriteBehindConfig()
        config.maxBatchChanges = 1 + Int(seed % 4)
        config.maxParallelReads = 1 + Int(seed % 3)
        let fails = seed % 2 == 1
        var world = World(machine: Machine(config: config), random: SeededRandom(seed: seed))
        for step in 0..<400 {
            switch world.random.number(in: 0..<12) {
            case 0, 1, 2:
                var changes: [Machine.Change] = []
                for _ in 0...world.random.number(in: 0..<3) {
                    let change: Machine.Change =
                        switch world.random.number(in: 0..<8) {
                        case 0..<4: .save(id(world.random.number(in: 0..<8)), [step], cost: 1)
                        case 4: .remove(selection(&world.random))
                        case 5: .invalidate(selection(&world.random))
                        default: .edit(selection(&world.random), step)
                        }
                    changes.append(change)
                    World.make(change, in: &world.model)
                    for (waiter, _) in world.expected {
                        if case .save = change { world.laterSaves[waiter] = true }
                        if case .remove = change { world.laterSaves[waiter] = true }
                    }
                }
                world.perform(world.machine.apply(changes, for: world.waiter()))
            case 3, 4, 5:
                let id = id(world.random.number(in: 0..<8))
                let waiter = world.waiter()
                world.expected[waiter] = .some(world.model[id])
                world.perform(world.machine.load(id, for: waiter))
            case 6: world.perform(world.machine.flush(for: world.waiter()))
            case 7: world.perform(world.machine.timerFired())
            default: work(&world, fails: fails)
            }
            #expect(world.problems.isEmpty, "seed \(seed), step \(step): \(world.problems)")
            if !world.problems.isEmpty { return }
        }
        // In the end all is written, and everybody was answered.
        world.perform(world.machine.flush(for: world.waiter()))
        var rounds = 0
        while rounds < 1_000,
            !world.reads.isEmpty || !world.commits.isEmpty || world.preparations > 0 || world.recoveries > 0
                || !world.waiting.isEmpty
        {
            work(&world, fails: false)
            if world.reads.isEmpty, world.commits.isEmpty, world.preparations == 0, world.recoveries == 0,
                !world.waiting.isEmpty
            {
                world.perform(world.machine.timerFired())
                world.perform(world.machine.flush(for: world.waiter()))
            }
            rounds += 1
        }
        #expect(world.waiting.isEmpty, "seed \(seed): \(world.waiting.count) were never answered")
        #expect(world.problems.isEmpty, "seed \(seed): \(world.problems)")
        world.perform(world.machine.timerFired())
        while !world.commits.isEmpty || world.preparations > 0 { work(&world, fails: false) }
        #expect(world.file.mapValues(\.page) == world.model.mapValues(\.page), "seed \(seed)")
        #expect(world.file.mapValues(\.isInvalidated) == world.model.mapValues(\.isInvalidated), "seed \(seed)")
    }

    /// Lets one of the things under way end. A commit takes effect when it ends, a read sees the file when it ends.
    private func work(_ world: inout World, fails: Bool) {
        if world.recoveries > 0, world.random.chance(0.5) {
            world.recoveries -= 1
            world.perform(world.machine.recovered(nil, hasWork: false))
        } else if world.preparations > 0, world.random.chance(0.5) {
            world.preparations -= 1
            let fails = fails && world.random.chance(0.2)
            let failure = StoreFailure(.busy, operation: "test", message: "test")
            world.perform(world.machine.prepared(fails ? PaginatorError(store: failure, "test") : nil))
        } else if !world.commits.isEmpty, world.random.chance(0.5) {
            let batch = world.commits.removeFirst()
            if fails, world.random.chance(0.3) {
                let kinds: [StoreFailure.Kind] = [.busy, .full, .inputOutput]
                let failure = StoreFailure(kinds[world.random.number(in: 0..<3)], operation: "test", message: "test")
                return world.perform(world.machine.commitFinished(PaginatorError(store: failure, "test")))
            }
            for change in batch.changes { World.make(change, in: &world.file) }
            world.perform(world.machine.commitFinished(nil))
        } else if !world.reads.isEmpty {
            let read = world.reads.remove(at: world.random.number(in: 0..<world.reads.count))
            world.perform(
                world.machine.readFinished(read.token, world.file[read.identity].map { .page($0.page) } ?? .absent))
        }
    }
}
