import Testing

@testable import PaginatorCore

/// When a source that pushes is connected to again.
@Suite struct FollowMachineTests {
    private struct Outage: Error {}

    private typealias Action = FollowMachine<Int>.Action

    private func connects(_ actions: [Action]) -> Bool {
        for case .connect in actions { return true }
        return false
    }

    private func wakeTime(_ actions: [Action]) -> PaginatorInstant? {
        for case .wake(let time) in actions { return time }
        return nil
    }

    @Test func `a lost connection is made again when its time has come, and not before`() throws {
        var machine = FollowMachine<Int>(from: nil, seed: 1)
        let first = machine.handle(.hindered(false), at: .zero)
        #expect(connects(first))
        let lost = machine.handle(.told(.closed(.retry(Outage(), after: .minutes(5))), by: 1), at: .zero)
        let due = try #require(wakeTime(lost))
        #expect(due >= .zero.advanced(by: .minutes(5)))
        // A timer that was set for an earlier connection may come between.
        let early = machine.handle(.timeCame, at: due.advanced(by: .nanoseconds(-1)))
        #expect(!connects(early) && wakeTime(early) == due)
        let onTime = machine.handle(.timeCame, at: due)
        #expect(connects(onTime) && wakeTime(onTime) == nil)
    }
}
