import Foundation
import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorHTTP

@Suite struct SystemConnectivityTests {
    @Test func `each thing that speaks for loading less has its condition`() {
        #expect(DeviceState().conditions == .charging, "where nothing is told there is power")
        #expect(DeviceState(isCharging: false).conditions == [])
        #expect(DeviceState(link: .none, isCharging: false).conditions == .offline)
        #expect(DeviceState(link: .weak, isCharging: false).conditions == .weakLink)
        #expect(DeviceState(savesPower: true, isCharging: false).conditions == .lowPower)
        #expect(DeviceState(isHot: true, isCharging: false).conditions == .lowPower)
        #expect(DeviceState(isInBackground: true, isCharging: false).conditions == .background)
        let all = DeviceState(
            link: .weak, savesPower: true, isHot: true, isInBackground: true, isCharging: false)
        #expect(all.conditions == [.weakLink, .lowPower, .background])
    }

    @Test(arguments: [
        (false, false, false, DeviceState.Link.good), (false, true, false, .weak), (false, false, true, .weak),
        (true, false, false, .none), (true, true, true, .none),
    ])
    func `a link that costs money or is to be spared is weak`(
        isUnusable: Bool, isExpensive: Bool, isConstrained: Bool, link: DeviceState.Link
    ) {
        #expect(
            DeviceState.Link(isUnusable: isUnusable, isExpensive: isExpensive, isConstrained: isConstrained) == link)
    }

    @Test func `one failure says nothing, two say that there is no connection, and one answer that there is`() {
        var schedule = ProbeSchedule()
        #expect(schedule.pause == .seconds(15))
        #expect(schedule.answered(after: nil) == nil)
        #expect(schedule.pause == .milliseconds(250))
        #expect(schedule.answered(after: nil) == DeviceState.Link.none)
        #expect(schedule.pause == .milliseconds(500))
        for _ in 0..<20 { _ = schedule.answered(after: nil) }
        #expect(schedule.pause == .seconds(16))
        #expect(schedule.answered(after: .milliseconds(1_500)) == .weak)
        #expect(schedule.pause == .seconds(15))
        #expect(schedule.answered(after: .milliseconds(20)) == .good)
    }

    @Test func `a server that stops answering is asked again and again, and observers are told`() {
        let clock = ManualPaginatorClock()
        let isUp = Guarded(true)
        let connectivity = SystemConnectivity(clock: clock) { answered in answered(isUp.withLock { $0 }) }
        let told = Guarded<[PaginatorConditions]>([])
        let observation = connectivity.observe { conditions in told.withLock { $0.append(conditions) } }
        connectivity.queue.sync {}
        #expect(connectivity.conditions == .charging)

        isUp.withLock { $0 = false }
        clock.advance(by: .seconds(15))
        connectivity.queue.sync {}
        #expect(connectivity.conditions == .charging, "it may have been one lost answer")
        clock.advance(by: .milliseconds(250))
        connectivity.queue.sync {}
        #expect(connectivity.conditions == [.offline, .charging])

        isUp.withLock { $0 = true }
        clock.advance(by: .milliseconds(500))
        connectivity.queue.sync {}
        #expect(connectivity.conditions == .charging)
        #expect(told.withLock { $0 } == [[.offline, .charging], .charging])
        withExtendedLifetime(observation) {}
    }

    @Test func `who observes keeps it`() {
        let clock = ManualPaginatorClock()
        var connectivity: SystemConnectivity? = SystemConnectivity(clock: clock) { answered in answered(false) }
        let queue = connectivity?.queue
        let told = Guarded<[PaginatorConditions]>([])
        let observation = connectivity?.observe { conditions in told.withLock { $0.append(conditions) } }
        connectivity = nil
        clock.advance(by: .milliseconds(250))
        queue?.sync {}
        #expect(told.withLock { $0 } == [[.offline, .charging]])
        withExtendedLifetime(observation) {}
    }

    @Test func `nobody is told who let go of the observation, and nothing is asked once the connectivity is gone`() {
        let clock = ManualPaginatorClock()
        let asked = Guarded(0)
        var connectivity: SystemConnectivity? = SystemConnectivity(clock: clock) { answered in
            asked.withLock { $0 += 1 }
            answered(false)
        }
        let told = Guarded(0)
        _ = connectivity?.observe { _ in told.withLock { $0 += 1 } }
        clock.advance(by: .milliseconds(250))
        connectivity?.queue.sync {}
        #expect(connectivity?.conditions == [.offline, .charging])
        #expect(told.withLock { $0 } == 0)
        #expect(asked.withLock { $0 } == 2)
        connectivity = nil
        clock.advance(by: .seconds(60))
        #expect(asked.withLock { $0 } == 2)
    }

    @Test func `an address where nobody listens is offline`() async throws {
        let address = try #require(URL(string: "http://127.0.0.1:9/"))
        let connectivity = SystemConnectivity(probing: address)
        let (stream, continuation) = AsyncStream<PaginatorConditions>.makeStream()
        let observation = connectivity.observe { continuation.yield($0) }
        for await conditions in stream where conditions.contains(.offline) { break }
        #expect(connectivity.conditions == [.offline, .charging])
        withExtendedLifetime(observation) {}
    }
}
