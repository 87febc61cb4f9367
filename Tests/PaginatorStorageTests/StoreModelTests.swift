import Foundation
import Oracles
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import Testing

/// Random histories of a store over a disk that fails, blocks and dies, judged by ``StoreModel``, which was written from
/// the contract alone.
@Suite("The store against its contract", .serialized)
struct StoreModelTests {
    /// Runs histories on a thread of their own; items ask their store something when they go.
    private func histories(
        _ seeds: ClosedRange<UInt64>, asks: Bool = false, smallBatches: Bool = false,
        _ body: @escaping @Sendable (StoreWorld) -> Void
    ) {
        let texts = watched(seconds: 40) { all in
            for seed in seeds where all.texts.count < 5 {
                all.seed = seed
                let findings = Findings()
                if Seeds.isAlone { findings.log = [] }
                StoreModelItem.living = 0
                let world = StoreWorld(findings, seed: seed, smallBatches: smallBatches)
                StoreModelItem.onRelease = { [unowned world] in
                    guard asks else { return }
                    _ = world.store?.statistics
                    _ = world.store?.pendingChanges
                }
                body(world)
                StoreModelItem.onRelease = nil
                for line in findings.log ?? [] { print(line) }
                if let first = findings.texts.first { all.texts.append(first) }
            }
        }
        #expect(texts.isEmpty, "\(texts.joined(separator: "\n"))")
    }

    @Test func `Whatever the disk does every change and every read keeps its promise`() {
        histories(Seeds.upTo(200)) { world in
            world.live(120)
            if world.findings.texts.isEmpty { world.finish() }
        }
    }

    @Test func `In small batches too every change and every read keeps its promise`() {
        histories(Seeds.upTo(200), smallBatches: true) { world in
            world.live(120)
            if world.findings.texts.isEmpty { world.finish() }
        }
    }

    @Test func `An item that goes may ask its store for anything`() {
        histories(1...20, asks: true) { world in
            world.live(120)
            if world.findings.texts.isEmpty { world.finish() }
        }
    }

    @Test func `After a pause that a flush ended changes are written in their normal time`() {
        histories(1...1) { world in
            world.fails = true
            world.save(StoreWorld.identities[0])
            world.pass(StoreWorld.second)
            world.disk.failure = .full
            world.edit(.all) { _ in true }
            world.pass(100 * StoreWorld.second)
            world.disk.failure = nil
            world.flush()
            // Handed over while the flush is on its way.
            world.save(StoreWorld.identities[1])
            world.settle()
            world.pass(60 * StoreWorld.millisecond)
            world.finish()
        }
    }

    @Test func `After a pause that the device slept through changes are written in their normal time`() {
        histories(1...1) { world in
            world.blocks = false
            world.fails = true
            world.disk.failure = .full
            world.save(StoreWorld.identities[0])
            world.pass(100 * StoreWorld.second)
            world.disk.failure = nil
            // The timer of a pause of a minute is not run in sleep: what comes next ends the pause.
            world.clock.sleep(100 * StoreWorld.second)
            world.save(StoreWorld.identities[1])
            world.settle()
            world.save(StoreWorld.identities[2])
            world.pass(60 * StoreWorld.millisecond)
            world.finish()
        }
    }

    @Test func `One edit of many pages holds up no other read for long`() {
        histories(1...1) { world in
            world.blocks = false
            let many = (0..<400).map { PageIdentity(key: "\($0)", pageSize: 2) }
            for identity in many { world.save(identity) }
            world.flush()
            world.settle()
            world.edit(.all) { _ in true }
            world.onEditRead = { for identity in many.suffix(3) { world.load(identity) } }
            world.pass(StoreWorld.second)
        }
    }

    @Test func `A clock may ask the store for anything`() {
        histories(1...5) { world in
            nonisolated(unsafe) var isInside = false
            world.clock.onUse = {
                guard !isInside else { return }
                isInside = true
                _ = world.store?.statistics
                _ = world.store?.pendingChanges
                isInside = false
            }
            world.live(60)
            world.clock.onUse = nil
            world.finish()
        }
    }

    @Test func `A store that many paginators share keeps nothing of those that are gone`() {
        histories(1...1) { world in
            var clocks: [WeakObject] = []
            for _ in 0..<20 {
                let clock = SleepyClock()
                clocks.append(WeakObject(object: clock))
                var config = PaginatorConfig()
                config.simulate(on: world.executor, clock: clock)
                let source = ClosureDataSource<StoreModelItem>(firstKey: "0") {
                    PaginatorPage(content: [], key: $0.key)
                }
                _ = CallbackPaginator(dataSource: source, store: world.store, config: config)
                world.settle()
            }
            let kept = clocks.count { $0.object != nil }
            if kept > 1 { world.fail("the clocks of \(kept) released paginators are kept") }
        }
    }
}
