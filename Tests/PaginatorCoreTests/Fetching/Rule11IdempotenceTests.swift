import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite("Rule 11: idempotence")
struct Rule11IdempotenceTests {
    @Test func `the same call repeated gives the same pages`() {
        let rig = FetchRig(computesNeighbors: true)
        let first = rig.fetchAround("50", depth: 3).listener.deliveries
        for _ in 0..<5 {
            let again = rig.fetchAround("50", depth: 3).listener.deliveries
            #expect(again.map(\.distance) == first.map(\.distance))
            #expect(zip(again, first).allSatisfy { $0.fetched.page === $1.fetched.page })
            #expect(rig.fetch("50").listener.page === first.first?.fetched.page)
        }
        #expect(rig.source.calls.count == 7)
    }

    @Test func `a burst of calls is one load`() {
        let rig = FetchRig(computesNeighbors: true)
        rig.hangSource()
        let callers = (0..<50).map { _ in rig.start("1") }
        let arounds = (0..<50).map { _ in rig.fetchAround("1", depth: 0) }
        for _ in 0..<50 { rig.paginator.prefetch(keys: ["1", "1"], pageSize: 10) }
        rig.answer("1")
        #expect(rig.source.calls.count == 1)
        #expect(callers.allSatisfy { $0.version == 1 && $0.endedOnce })
        #expect(arounds.allSatisfy { $0.distances == [0] && $0.endedOnce })
    }

    @Test func `a burst of refreshes before the source is asked is one load`() {
        let rig = FetchRig()
        let listeners = (0..<10).map { _ in RecordingListener<SampleItem>() }
        for listener in listeners { rig.paginator.refresh(PageRequest(key: "1", pageSize: 10), listener: listener) }
        rig.run()
        #expect(rig.source.calls.count == 1)
        #expect(listeners.allSatisfy { $0.ends.count == 1 })
    }

    @Test func `calling too often is harmless`() throws {
        let rig = FetchRig(hasStore: true)
        let caller = rig.fetch("1")
        for _ in 0..<3 {
            caller.execution.cancel()
            rig.paginator.suspend()
            rig.paginator.invalidate(.all)
            rig.paginator.clear(key: "1")
            rig.paginator.clear(key: "never seen")
            rig.paginator.clear(scope: "never seen")
            rig.paginator.clearAll()
            rig.paginator.trim(toFraction: 0)
            rig.paginator.trim(toFraction: .nan)
            rig.paginator.trim(toFraction: -1)
            rig.paginator.trim(toFraction: 2)
            try rig.paginator.prime(rig.page("1", version: 50), pageSize: 10)
            rig.run()
        }
        rig.paginator.resume()
        rig.paginator.resume()
        #expect(rig.fetch("1").version == 50)
        #expect(rig.fetch("2").version == 2, "one resume ends any number of suspensions")
        rig.paginator.shutdown()
        rig.paginator.shutdown()
        #expect(rig.fetch("1").code == .released)
        #expect(caller.endedOnce)
    }

    @Test func `prefetching what is fresh loads nothing`() {
        let rig = FetchRig()
        rig.fetch("1")
        for _ in 0..<3 {
            rig.paginator.prefetch(keys: ["1", "2"], pageSize: 10)
            rig.run()
        }
        #expect(rig.source.keys == ["1", "2"])
    }

    @Test func `suspending holds loads and resuming starts them in their order`() {
        let rig = FetchRig()
        rig.fetch("0")
        rig.paginator.suspend()
        rig.paginator.suspend()
        let waiting = ["1", "2", "3"].map { rig.fetch($0) }
        #expect(rig.fetch("0").origin == .memory, "what is cached is answered")
        #expect(rig.source.keys == ["0"])
        let hasty = rig.fetch("4", timeout: .seconds(5))
        rig.advance(.seconds(5))
        #expect(hasty.code == .timedOut, "time-outs go on counting")
        rig.paginator.resume()
        rig.run()
        #expect(rig.source.keys == ["0", "1", "2", "3"])
        #expect(waiting.map(\.version) == [2, 3, 4])
    }
}
