import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Conditions that hold pages back that nobody looks at yet: a fetch around a page says so and ends.
@Suite struct AroundConditionsTests {
    static let blockingConditions: [PaginatorConditions] = [.lowPower, .weakLink, .background]

    @Test(arguments: blockingConditions) func `neighbors that are held back fail at once, and the completion comes`(
        conditions: PaginatorConditions
    ) {
        for computes in [false, true] {
            let rig = FetchRig(computesNeighbors: computes)
            rig.connectivity.set(conditions)
            let around = rig.fetchAround("50", depth: 2)
            #expect(around.distances == [0])
            #expect(around.endedOnce)
            #expect(around.summary?.failures.keys.sorted() == [-1, 1])
            #expect(around.summary?.failures.values.allSatisfy { $0.code.rawValue == "heldBack" } == true)
            #expect(rig.source.keys == ["50"])
            rig.connectivity.set([])
            #expect(rig.fetchAround("50", depth: 2).distances == [0, 1, -1, 2, -2])
        }
    }

    @Test(arguments: blockingConditions) func `neighbors that wait when the conditions come are told`(
        conditions: PaginatorConditions
    ) {
        let rig = FetchRig(computesNeighbors: true) { $0.maxParallelCalls = 1 }
        rig.hangSource()
        let around = rig.fetchAround("50", depth: 1)
        rig.connectivity.set(conditions)
        rig.answer("50")
        #expect(around.distances == [0])
        #expect(around.endedOnce)
        #expect(around.summary?.failures.count == 2)
    }

    @Test(arguments: blockingConditions) func `neighbors that a cache has come all the same`(
        conditions: PaginatorConditions
    ) {
        let rig = FetchRig()
        rig.fetch("51")
        rig.connectivity.set(conditions)
        let around = rig.fetchAround("50", depth: 1)
        #expect(around.distances == [0, 1])
        #expect(around.summary?.failures.keys.sorted() == [-1])
    }

    @Test func `without a connection the neighbors of a cached page fail at once, and come when it is back`() {
        let rig = FetchRig()
        rig.fetch("50")
        rig.connectivity.set(.offline)
        let around = rig.fetchAround("50", depth: 2)
        #expect(around.distances == [0])
        #expect(around.endedOnce)
        #expect(around.summary?.failures.values.map(\.code) == [.offline, .offline])
        rig.connectivity.set([])
        #expect(rig.fetchAround("50", depth: 2).distances == [0, 1, -1, 2, -2])
    }

    @Test(arguments: blockingConditions)
    func `a page that a caller wants is loaded, also when only a neighbor wanted it before`(
        conditions: PaginatorConditions
    ) {
        let rig = FetchRig(computesNeighbors: true) { $0.maxParallelCalls = 1 }
        rig.hangSource()
        let around = rig.fetchAround("50", depth: 1, direction: .forward)
        let demanding = rig.fetch("51")
        rig.connectivity.set(conditions)
        rig.answer("50")
        rig.answer("51")
        #expect(demanding.version != nil)
        #expect(around.distances == [0, 1])
    }

    @Test func `a prefetch that nobody is told of waits for better conditions`() {
        let rig = FetchRig()
        rig.connectivity.set(.lowPower)
        rig.paginator.prefetch(keys: ["7"], pageSize: 10)
        rig.run()
        #expect(rig.source.calls.isEmpty)
        rig.connectivity.set([])
        rig.run()
        #expect(rig.cached("7") == 1)
    }
}
