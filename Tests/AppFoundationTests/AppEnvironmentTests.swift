import AppFoundation
import PaginatorCore
import PaginatorTesting
import Testing

@Suite(.timeLimit(.minutes(3))) struct AppEnvironmentTests {
    @Test func `observers hear every change in order and no repetition`() async throws {
        let environment = AppEnvironment()
        let heard = Handshake<[AppEnvironment.State]>([])
        let observation = environment.observeState { state in heard.update { $0.append(state) } }
        environment.update { $0.link = .weak }
        environment.update { $0.link = .weak }
        environment.update { $0.lifecycle = .background }
        try await heard.wait { $0.count == 2 }
        #expect(heard.read { $0 }.map(\.lifecycle) == [.foreground, .background])
        withExtendedLifetime(observation) {}
    }

    @Test func `a released observation hears nothing`() async throws {
        let environment = AppEnvironment()
        let heard = Handshake([0, 0])
        var first: (any AnyObject & Sendable)? = environment.observeState { _ in heard.update { $0[0] += 1 } }
        let second = environment.observeState { _ in heard.update { $0[1] += 1 } }
        _ = first
        first = nil
        environment.update { $0.isLowPower = true }
        try await heard.wait { $0[1] == 1 }
        #expect(heard.read { $0[0] } == 0)
        withExtendedLifetime(second) {}
    }

    @Test func `a paginator sees the same as conditions`() {
        let environment = AppEnvironment(.init(lifecycle: .suspended, isLowPower: true, link: .weak))
        #expect(environment.conditions == [.weakLink, .lowPower, .background])
        environment.update { $0 = .init(link: .none) }
        #expect(environment.conditions == .offline)
    }

    @Test func `two failures mean offline and one answer means online`() {
        var schedule = ProbeSchedule()
        #expect(schedule.probed(.milliseconds(20)) == .good)
        #expect(schedule.interval == .seconds(15))
        #expect(schedule.probed(nil) == nil)
        #expect(schedule.probed(nil) == AppEnvironment.Link.none)
        for _ in 0..<100 { _ = schedule.probed(nil) }
        #expect(schedule.interval == .seconds(16))
        #expect(schedule.probed(.seconds(2)) == .weak)
    }

    @Test func `a system that reports the connection is asked about nothing while the server answers`() {
        var schedule = ProbeSchedule()
        schedule.systemReports(.weak)
        #expect(schedule.interval == nil)
        #expect(schedule.probed(nil) == nil)
        #expect(schedule.interval == .milliseconds(250))
        #expect(schedule.probed(nil) == AppEnvironment.Link.none)
        #expect(schedule.interval == .milliseconds(500))
        #expect(schedule.probed(.milliseconds(20)) == .weak)
        #expect(schedule.interval == nil)
        schedule.systemReports(.none)
        #expect(schedule.probed(nil) == nil)
        #expect(schedule.interval == nil)
    }

    @Test func `a report of the system is to be checked if the last probe has found no connection`() {
        var schedule = ProbeSchedule()
        #expect(schedule.systemReports(.good) == false)
        _ = schedule.probed(nil)
        #expect(schedule.systemReports(.weak) == true)
        // An earlier failure no longer counts.
        #expect(schedule.systemReports(.weak) == false)
        _ = schedule.probed(nil)
        #expect(schedule.systemReports(.none) == false)
    }

    @Test func `a connection of the system through which nothing goes counts as none until the server answers`()
        async throws
    {
        let environment = AppEnvironment(.init(link: .none))
        let clock = ManualPaginatorClock()
        let isUp = Guarded(true)
        let link = Handshake(AppEnvironment.Link.none)
        let observation = environment.observeState { state in link.update { $0 = state.link } }
        let probe = ConnectivityProbe(environment, clock: clock) { isUp.withLock { $0 } }
        try await link.wait { $0 == .good }
        try await clock.waitUntilTimesArmed(1)
        probe.systemReports(.weak)
        try await link.wait { $0 == .weak }
        #expect(clock.armedDeadlines.isEmpty)
        // A call has timed out in a tunnel.
        isUp.withLock { $0 = false }
        environment.doubtConnection()
        try await clock.waitUntilTimesArmed(2)
        #expect(environment.state.link == .weak)
        clock.advance(by: .milliseconds(250))
        try await link.wait { $0 == .none }
        try await clock.waitUntilTimesArmed(3)
        isUp.withLock { $0 = true }
        clock.advance(by: .milliseconds(500))
        try await link.wait { $0 == .weak }
        #expect(clock.armedDeadlines.isEmpty)
        withExtendedLifetime((observation, probe)) {}
    }

    @Test func `a connection of the system that the last probe did not find is probed at once`() async throws {
        let environment = AppEnvironment()
        let clock = ManualPaginatorClock()
        let links = Handshake<[AppEnvironment.Link]>([])
        let observation = environment.observeState { state in links.update { $0.append(state.link) } }
        let probe = ConnectivityProbe(environment, clock: clock) { false }
        try await clock.waitUntilTimesArmed(1)
        clock.advance(by: .milliseconds(250))
        try await clock.waitUntilTimesArmed(2)
        // Another network is there, through which nothing goes either; no time passes before it is probed.
        probe.systemReports(.good)
        try await clock.waitUntilTimesArmed(3)
        clock.advance(by: .milliseconds(250))
        try await links.wait { $0 == [.none, .good, .none] }
        withExtendedLifetime((observation, probe)) {}
    }

    @Test func `the probe asks again at its time and tells the environment`() async throws {
        let environment = AppEnvironment(.init(link: .none))
        let clock = ManualPaginatorClock()
        let isUp = Guarded(true)
        let link = Handshake(AppEnvironment.Link.none)
        let observation = environment.observeState { state in link.update { $0 = state.link } }
        let probe = ConnectivityProbe(environment, clock: clock) { isUp.withLock { $0 } }
        try await link.wait { $0 == .good }
        isUp.withLock { $0 = false }
        try await clock.waitUntilTimesArmed(1)
        clock.advance(by: .seconds(15))
        try await clock.waitUntilTimesArmed(2)
        #expect(environment.state.link == .good)
        clock.advance(by: .milliseconds(250))
        try await link.wait { $0 == .none }
        isUp.withLock { $0 = true }
        probe.checkNow()
        try await link.wait { $0 == .good }
        withExtendedLifetime(observation) {}
    }

    @Test func `what is no return to the foreground is no reason to ask`() async throws {
        let environment = AppEnvironment(.init(link: .none))
        let clock = ManualPaginatorClock()
        let asked = Handshake<[PaginatorInstant]>([])
        let probe = ConnectivityProbe(environment, clock: clock) {
            asked.update { $0.append(clock.now) }
            return true
        }
        // Observers are told in the order in which they came: what is seen here, the probe has seen before.
        let seen = Handshake<AppEnvironment.State>(environment.state)
        let observation = environment.observeState { state in seen.update { $0 = state } }
        // The answer to the probe changes the environment itself.
        try await clock.waitUntilTimesArmed(1)
        for isLowPower in [true, false, true, false, true, false] {
            environment.update { $0.isLowPower = isLowPower }
            try await seen.wait { $0.isLowPower == isLowPower && $0.link == .good }
        }
        clock.advance(by: .seconds(15))
        try await clock.waitUntilTimesArmed(2)
        let start = PaginatorInstant.zero
        #expect(asked.read { $0 } == [start, start.advanced(by: .seconds(15))])
        // A return is one, at once and once.
        environment.update { $0.lifecycle = .background }
        environment.update { $0.lifecycle = .foreground }
        try await clock.waitUntilTimesArmed(3)
        #expect(asked.read { $0.count } == 3)
        withExtendedLifetime((observation, probe)) {}
    }

    @Test(arguments: [AppEnvironment.Lifecycle.background, .foreground])
    func `a suspended app asks nothing until it wakes`(lifecycle: AppEnvironment.Lifecycle) async throws {
        let environment = AppEnvironment(.init(lifecycle: .suspended))
        let asked = Handshake(0)
        let probe = ConnectivityProbe(environment, clock: ManualPaginatorClock()) {
            asked.update { $0 += 1 }
            return true
        }
        probe.checkNow()
        #expect(asked.read { $0 } == 0)
        environment.update { $0.lifecycle = lifecycle }
        try await asked.wait { $0 == 1 }
        withExtendedLifetime(probe) {}
    }
}
