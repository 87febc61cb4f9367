import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Of two sources one hangs: the other one is there for that.
@Suite struct HangingSourcesTests {
    private struct Down: Error {}

    /// A paginator on one thread over a source that `make` puts together from a hanging one and another.
    private final class World {
        let clock = ManualPaginatorClock()
        let executor = SimulatedExecutor()
        let first: ScriptedDataSource<Int>
        let second: ScriptedDataSource<Int>
        let paginator: CallbackPaginator<Int>

        init(_ make: (ScriptedDataSource<Int>, ScriptedDataSource<Int>) -> any PaginatorDataSource<Int>) {
            first = ScriptedDataSource<Int>(clock: clock, keepsAnswered: true, otherwise: { _ in .hang })
            second = ScriptedDataSource<Int>(
                clock: clock, keepsAnswered: true,
                otherwise: { .page(PaginatorPage(content: [2], key: $0.key)).insideFetch })
            var config = PaginatorConfig()
            config.simulate(on: executor, clock: clock)
            config.maxAttempts = 1
            func paginator(_ source: some PaginatorDataSource<Int>) -> CallbackPaginator<Int> {
                CallbackPaginator(dataSource: source, config: config)
            }
            self.paginator = paginator(make(first, second))
        }

        func fetch(_ key: String = "0") -> RecordingListener<Int> {
            let listener = RecordingListener<Int>()
            executor.immediately { paginator.fetch(key: key, pageSize: 10, listener: listener) }
            return listener
        }

        func advance(_ duration: Duration) { executor.immediately { clock.advance(by: duration) } }
    }

    @Test func `a first source that hangs is fallen back from within the attempt, and stopped`() {
        let world = World { $0.fallback(to: $1) }
        let listener = world.fetch()
        world.advance(.seconds(14))
        #expect(listener.ends.isEmpty)
        world.advance(.seconds(1))
        #expect(listener.page?.content == [2])
        #expect(world.first.calls.map(\.isCancelled) == [true])
        #expect(world.second.calls.count == 1)
        world.advance(.seconds(60))
        #expect(listener.ends.count == 1)
    }

    @Test func `how long the first source may take can be said, and whether its silence falls back`() {
        let patient = World { $0.fallback(to: $1, after: .seconds(2)) }
        let quick = patient.fetch()
        patient.advance(.seconds(2))
        #expect(quick.page?.content == [2])
        let strict = World { $0.fallback(to: $1, after: .seconds(2), when: { _, _ in false }) }
        let refused = strict.fetch()
        strict.advance(.seconds(2))
        #expect(refused.error?.code == .sourceFailed)
        #expect(strict.second.calls.isEmpty)
    }

    @Test func `an answer in time disarms the limit, and one that comes too late is ignored`() {
        let world = World { $0.fallback(to: $1) }
        let listener = world.fetch()
        world.advance(.seconds(5))
        world.executor.immediately {
            world.first.answer(world.first.calls[0], with: .success(PaginatorPage(content: [1], key: "0")))
        }
        #expect(listener.page?.content == [1])
        world.advance(.seconds(60))
        #expect(world.second.calls.isEmpty)
        world.paginator.clearAll()
        let late = world.fetch()
        world.advance(.seconds(15))
        world.executor.immediately {
            world.first.answer(world.first.calls[1], with: .success(PaginatorPage(content: [1], key: "0")))
        }
        #expect(late.page?.content == [2])
        #expect(late.ends.count == 1)
    }

    @Test func `a first source that blocks its thread is fallen back from as well`() {
        let barrier = Barrier()
        defer { barrier.open() }
        let clock = ManualPaginatorClock()
        var config = PaginatorConfig()
        config.clock = clock
        let blocking = ClosureDataSource<Int>(
            firstKey: "0",
            load: { _ in
                barrier.pass()
                throw SourceError.retry(Down())
            })
        let paginator = CallbackPaginator(
            dataSource: blocking.fallback(to: ArrayDataSource([1, 2, 3])), config: config)
        let listener = RecordingListener<Int>()
        paginator.fetch(key: "0", pageSize: 10, listener: listener)
        #expect(barrier.waitForArrival())
        clock.advance(by: .seconds(15))
        #expect(ends { listener.blockUntilEnd() })
        #expect(listener.page?.content == [1, 2, 3])
    }

    @Test func `of three sources one behind the other, each has half of what the one before leaves`() {
        let last = ScriptedDataSource<Int>(otherwise: { .page(PaginatorPage(content: [3], key: $0.key)).insideFetch })
        let world = World { first, _ in
            first.fallback(to: ScriptedDataSource<Int>(otherwise: { _ in .hang }).fallback(to: last))
        }
        let listener = world.fetch()
        world.advance(.seconds(15))
        world.advance(.seconds(7))
        #expect(listener.ends.isEmpty && last.calls.isEmpty)
        world.advance(.milliseconds(500))
        #expect(listener.page?.content == [3])
    }

    @Test func `a remote source with a mirror has time for both before the local page takes their place`() {
        let mirror = ScriptedDataSource<Int>(
            otherwise: { .page(PaginatorPage(content: [9], key: $0.key, nextKey: nil)).insideFetch })
        let saved = Handshake<[Int]>([])
        let world = World { remote, local in
            MediatorDataSource<Int, Int>(
                local: local, remote: remote.fallback(to: mirror), servesLocalOnFailure: true
            ) { page, _, _, done in
                saved.update { $0 += page.content }
                done(.success(()))
            }
        }
        let listener = world.fetch()
        world.advance(.milliseconds(7_400))
        #expect(mirror.calls.isEmpty)
        world.advance(.milliseconds(100))
        #expect(world.first.calls.map(\.isCancelled) == [true])
        #expect(saved.read { $0 } == [9])
        #expect(listener.page?.content == [2] && listener.fetched?.isStale == false)
    }

    @Test func `a remote source that hangs is called again in time, whoever else waits for it`() throws {
        let world = World { remote, local in
            MediatorDataSource<Int, Int>(local: local, remote: remote) { _, _, _, done in done(.success(())) }
        }
        let first = world.fetch()
        world.advance(.seconds(15))
        let second = world.fetch("1")
        world.advance(.seconds(15))
        #expect(first.error != nil)
        let again = world.fetch()
        #expect(world.first.calls.map(\.isCancelled) == [true, false])
        let call = try #require(world.first.calls.last)
        world.executor.immediately {
            world.first.answer(call, with: .success(PaginatorPage(content: [1], key: "0")))
        }
        #expect(again.page?.content == [2])
        #expect(second.ends.count == 1)
    }

    @Test func `a remote source that hangs does not keep the local page back that is to be served without it`() {
        let world = World { remote, local in
            MediatorDataSource<Int, Int>(local: local, remote: remote, servesLocalOnFailure: true) {
                _, _, _, done in
                done(.success(()))
            }
        }
        let listener = world.fetch()
        world.advance(.seconds(15))
        #expect(listener.page?.content == [2])
        #expect(listener.fetched?.isStale == true)
        #expect(listener.fetched?.refreshError?.code == .sourceFailed)
        #expect(world.first.calls.map(\.isCancelled) == [true])
        world.executor.immediately { world.paginator.fetch(key: "0", pageSize: 10, listener: RecordingListener<Int>()) }
        #expect(world.first.calls.count == 2, "the next call tries again")
    }

    @Test func `a refresh that hangs holds other pages up for half of their time, then they are read as they are`() {
        let world = World { remote, local in
            MediatorDataSource<Int, Int>(local: local, remote: remote, refreshesFirstPage: true) { _, _, _, done in
                done(.success(()))
            }
        }
        world.second.script([.page(PaginatorPage(content: [7], key: "1", nextKey: "2")).insideFetch], forKey: "1")
        let refresh = world.fetch()
        let other = world.fetch("1")
        world.advance(.seconds(14))
        #expect(other.ends.isEmpty)
        world.advance(.seconds(1))
        #expect(other.page?.content == [7] && other.fetched?.isStale == false)
        #expect(refresh.ends.isEmpty && world.first.calls.map(\.isCancelled) == [false])
    }
}
