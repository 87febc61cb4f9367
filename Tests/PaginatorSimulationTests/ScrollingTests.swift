import PaginatorCore
import PaginatorSimulation
import Testing

/// Somebody scrolls through a list over a phone's link.
@Suite struct ScrollingTests {
    private func session(
        _ link: String, _ style: ScrollingStyle, _ method: PrefetchMethod, pageSize: Int = 30
    ) throws -> ScrollingSession.Outcome {
        let link = try #require(SimulatedLink.all.first { $0.name == link })
        var session = ScrollingSession(link, style, method, pageSize: pageSize)
        session.minutes = 10
        return session.run(seed: 1)
    }

    @Test(arguments: ["2G", "5G"], ScrollingStyle.allCases)
    func `an adapting list lets hardly anybody wait, and asks for two pages more than are needed at most`(
        _ link: String, _ style: ScrollingStyle
    ) throws {
        let adaptive = try session(link, style, .adaptive)
        #expect(adaptive.waiting <= 0.01)
        #expect(adaptive.requests <= adaptive.needed + 2)
        let none = try session(link, style, .none)
        #expect(none.waited > 0 && none.requests == none.needed && none.seen == adaptive.seen)
    }

    @Test func `who flings over a slow link waits at a fixed distance`() throws {
        let fixed = try session("2G", .flings, .fixed)
        #expect(fixed.waiting > 0.02)
        #expect(try session("2G", .flings, .adaptive).waited * 5 < fixed.waited)
    }

    @Test(arguments: ScrollingStyle.allCases)
    func `who knows where somebody stops asks for what is needed`(_ style: ScrollingStyle) throws {
        let clairvoyant = try session("3G", style, .clairvoyant)
        #expect(clairvoyant.requests == clairvoyant.needed)
        #expect(clairvoyant.waited <= (try session("3G", style, .adaptive)).waited)
    }
}
