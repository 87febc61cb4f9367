import PaginatorTesting
import Testing

@testable import PaginatorCore

/// A mediator over rows that an earlier launch has saved, and which remote pages update in place.
@Suite struct MediatorRelaunchTests {
    private struct Gone: Error {}

    /// A paginator of pages of three rows, over eight rows on the device of the twelve that the remote source has.
    private final class World {
        let executor = SimulatedExecutor()
        let remote = ScriptedDataSource<Int>(
            firstKey: "r0",
            otherwise: { request in
                let start = Int(request.key.dropFirst()) ?? 0
                let rows = Array((0..<12).dropFirst(start).prefix(3))
                return .page(
                    PaginatorPage(content: rows, key: request.key, nextKey: start < 9 ? "r\(start + 3)" : nil)
                ).insideFetch
            })
        private let paginator: CallbackPaginator<Int>

        init(maxRemoteLoads: Int = 10, resumeKey: String? = nil) {
            let table = Guarded(Array(0..<8))
            let local = ClosureDataSource<Int>(firstKey: "0", needsConnection: false) { request in
                let start = Int(request.key) ?? 0
                let rows = table.withLock { Array($0.dropFirst(start).prefix(3)) }
                return PaginatorPage(
                    content: rows, key: request.key, nextKey: rows.count == 3 ? "\(start + 3)" : nil)
            }
            let source = MediatorDataSource(
                local: local, remote: remote, resumeKey: { _, _ in resumeKey }, maxRemoteLoads: maxRemoteLoads
            ) { page, _, _, completion in
                table.withLock { rows in
                    let new = page.content.filter { !rows.contains($0) }
                    rows += new
                }
                completion(.success(()))
            }
            var config = PaginatorConfig()
            config.simulate(on: executor, clock: ManualPaginatorClock())
            config.maxAttempts = 1
            paginator = CallbackPaginator(dataSource: source, config: config)
        }

        func fetch(_ key: String) -> RecordingListener<Int> {
            let listener = RecordingListener<Int>()
            executor.immediately { paginator.fetch(key: key, pageSize: 3, listener: listener) }
            return listener
        }
    }

    @Test func `remote loads begin at the first key when the saved one has expired, and go on behind the saved rows`() {
        let world = World(resumeKey: "old")
        world.remote.script([.fail(.keyExpired(Gone())).insideFetch], forKey: "old")
        #expect(world.fetch("3").page?.content == [3, 4, 5])
        let last = world.fetch("6")
        #expect(last.page?.content == [6, 7, 8] && last.fetched?.isStale == false)
        #expect(world.fetch("9").page?.content == [9, 10, 11])
        #expect(world.remote.keys == ["old", "r0", "r3", "r6", "r9"])
    }

    @Test func `a key that a server always refuses is asked for twice, and its error is told`() {
        let world = World()
        world.remote.script(
            [.fail(.keyExpired(Gone())).insideFetch, .fail(.keyExpired(Gone())).insideFetch], forKey: "r3")
        #expect(world.fetch("6").error?.code == .expiredKey)
        #expect(world.remote.keys == ["r0", "r3", "r0", "r3"])
    }

    @Test func `a first remote key that has expired ends the call`() {
        let world = World(resumeKey: "old")
        for key in ["old", "r0"] { world.remote.script([.fail(.keyExpired(Gone())).insideFetch], forKey: key) }
        #expect(world.fetch("6").error?.code == .expiredKey)
        #expect(world.remote.keys == ["old", "r0"])
    }

    @Test func `the last saved rows are shown when remote pages bring nothing new, and the next call goes on`() {
        let world = World(maxRemoteLoads: 2)
        let first = world.fetch("6")
        #expect(first.page?.content == [6, 7])
        #expect(first.fetched?.isStale == true && first.fetched?.refreshError?.code == .sourceFailed)
        let second = world.fetch("6")
        #expect(second.page?.content == [6, 7, 8] && second.fetched?.isStale == false)
        #expect(world.remote.keys == ["r0", "r3", "r6"])
    }

    @Test func `an app that has saved that nothing follows can say so`() {
        let world = World(resumeKey: "")
        let last = world.fetch("6")
        #expect(last.page?.content == [6, 7] && last.page?.nextKey == nil && last.fetched?.isStale == false)
        #expect(world.remote.calls.isEmpty)
    }
}
