import PaginatorTesting
import Testing

@testable import PaginatorCore

/// A server chooses the keys beside its pages; a hostile one chooses bad ones.
@Suite struct NeighborKeyTests {
    static let hostile = ["", "a\0b", String(repeating: "x", count: 100_000), "refused"]

    private func rig(_ key: String, computes: Bool = false) -> FetchRig {
        let rig = FetchRig(computesNeighbors: computes) {
            $0.keyRule = KeyRule { $0 == "refused" ? "it is refused" : nil }
        }
        rig.source.script([.page(rig.page("50", version: 1, nextKey: key)).insideFetch], forKey: "50")
        return rig
    }

    @Test(arguments: hostile) func `a bad key ends its direction, is told, and is neither asked nor cached`(key: String)
    {
        for computes in [false, true] {
            let rig = rig(key, computes: computes)
            let around = rig.fetchAround("50", depth: 2)
            #expect(around.distances == [0, -1, -2])
            #expect(around.summary?.failures.keys.sorted() == [1])
            #expect(around.summary?.failures[1]?.code == .invalidKey)
            #expect(around.listener.failures.map(\.error.code) == [.invalidKey])
            #expect(around.endedOnce)
            #expect(Set(rig.source.keys) == ["50", "49", "48"], "it is not asked for")
            let isCached = rig.paginator.peek(key: key, pageSize: 10) != nil
            #expect(!isCached)
            #expect(rig.state == FetchRig.quiet)
        }
    }

    @Test(arguments: hostile) func `a bad key of a page in memory or on disk is refused as well`(key: String) {
        let rig = rig(key)
        rig.fetch("50")
        let around = rig.fetchAround("50", depth: 1, direction: .forward)
        #expect(around.distances == [0])
        #expect(around.summary?.failures[1]?.code == .invalidKey)
        #expect(rig.source.keys == ["50"])
    }

    @Test(arguments: hostile) func `keys that the source computes are checked`(key: String) {
        let keys = Guarded<[String]>([])
        let source = ClosureDataSource<Int>(
            firstKey: "0", neighborKeys: { _, _ in NeighborKeys(previous: nil, next: key) },
            load: { request in
                keys.withLock { $0.append(request.key) }
                return PaginatorPage(content: [1], key: request.key, nextKey: key)
            })
        let executor = SimulatedExecutor()
        var config = PaginatorConfig()
        (config.executor, config.callbackExecutor) = (executor, executor)
        config.keyRule = KeyRule { $0 == "refused" ? "it is refused" : nil }
        let paginator = CallbackPaginator(dataSource: source, config: config)
        let listener = RecordingAroundListener<Int>()
        paginator.fetchAround(key: "0", pageSize: 10, depthLevel: 3, listener: listener)
        executor.runAll()
        #expect(listener.distances == [0])
        #expect(listener.failures.map(\.error.code) == [.invalidKey])
        #expect(listener.ends.count == 1)
        #expect(keys.withLock { $0 } == ["0"])
    }
}
