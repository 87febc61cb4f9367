import PaginatorCore
import PaginatorSimulation
import Testing

/// Somebody reads as fast as the source can answer.
@Suite struct PrefetchTests {
    @Test func `loading ahead takes most stalls away and costs no request`() {
        var simulation = PrefetchSimulation()
        simulation.pages = 60
        let with = simulation.run(seed: 1)
        simulation.distance = 0
        let without = simulation.run(seed: 1)
        #expect(without.stalled > .seconds(2))
        #expect(with.stalled * 10 <= without.stalled)
        #expect(Double(with.requests) <= 1.05 * Double(without.requests))
        #expect(with.requests >= 60)
    }
}
