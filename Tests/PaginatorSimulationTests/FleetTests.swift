import PaginatorCore
import PaginatorSimulation
import Testing

/// A small fleet, as `scripts/simulate fleet` runs a large one.
@Suite struct FleetTests {
    @Test func `ten minutes of outage add little load and their end makes no peak`() {
        var fleet = FleetSimulation(FleetReport.habits[0])
        fleet.clients = 1_000
        fleet.run(seed: 1)
        #expect(fleet.loadInOutage <= 1.1)
        #expect(fleet.peakAfter <= 1.2)
        #expect(fleet.load((fleet.end - 60)..<fleet.end) >= 0.9)
    }

    @Test func `without budget and throttling the same outage triples the load`() {
        var config = PaginatorSchedulerConfig()
        config.retryBudgetTokens = .max
        config.retryBudgetFading = nil
        config.throttlesFailingSource = false
        var fleet = FleetSimulation(.init("nothing", config))
        fleet.clients = 300
        fleet.run(seed: 1)
        #expect(fleet.loadInOutage > 2.5)
    }
}
