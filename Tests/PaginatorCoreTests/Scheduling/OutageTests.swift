import Testing

@testable import PaginatorCore

@Suite struct OutageTests {
    /// Twenty apps whose fifty lists share a scheduler and ask for five pages a second.
    @Test func `an outage of every source adds little load and its end makes no peak`() {
        var world = OutageSimulation()
        world.clients = 20
        world.rate = 5
        world.run(seed: 42)
        for minute in stride(from: world.outage.lowerBound, to: world.outage.upperBound, by: 60) {
            #expect(world.load(minute..<(minute + 60)) <= 1.1)
        }
        #expect(world.load(world.outage) <= 0.6)
        #expect(world.peak(world.outage.upperBound..<world.end) <= 1.2)
        #expect(world.load((world.end - 60)..<world.end) >= 0.95)
    }

    /// A mediator's source is not throttled, so the retry budget alone bounds the load.
    @Test func `an outage of the source behind a local one adds little load and its end makes no peak`() {
        var world = OutageSimulation()
        world.clients = 20
        world.rate = 5
        world.isLocal = true
        world.run(seed: 46)
        #expect(world.load(world.outage) <= 1.1)
        #expect(world.peak(world.outage.upperBound..<world.end) <= 1.2)
        #expect(world.load((world.end - 60)..<world.end) >= 0.95)
    }

    /// A thousand apps that ask for little: the throttle spares them, so the retry budget is what bounds the load. It has
    /// faded by the time of the outage.
    @Test(arguments: [0.1, 0.2])
    func `many quiet clients add little load over an outage`(rate: Double) {
        var world = OutageSimulation()
        world.clients = 1_000
        world.rate = rate
        world.outage = 240..<840
        world.end = 1_080
        world.run(seed: 43)
        #expect(world.load(world.outage) <= 1.1)
        #expect(world.peak(world.outage.upperBound..<world.end) <= 1.2)
        #expect(world.load((world.end - 60)..<world.end) >= 0.95)
    }

    /// People who ask again when their page failed make more requests, but no peak when the source is back.
    @Test func `impatience makes no peak after the outage`() {
        var world = OutageSimulation()
        world.clients = 500
        world.patience = 0.5
        world.run(seed: 44)
        #expect(world.peak(world.outage.upperBound..<world.end) <= 1.2)
    }

    @Test func `without budget and throttle the same outage triples the load`() {
        var world = OutageSimulation()
        world.clients = 100
        world.config.retryBudgetTokens = .max
        world.config.retryBudgetFading = nil
        world.config.throttlesFailingSource = false
        world.run(seed: 45)
        #expect(world.load(world.outage) > 2.5)
    }
}
