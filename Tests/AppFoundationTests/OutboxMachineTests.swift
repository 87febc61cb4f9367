import AppFoundation
import PaginatorCore
import Testing

/// The rules of the outbox, event by event.
@Suite struct OutboxMachineTests {
    @Test func `a lane sends its next operation only after the first is recorded`() {
        var rig = MachineRig()
        rig.find(("a", [0]))
        #expect(rig.sends == ["a 1"])
        let token = rig.token
        rig.tell(.changed(table: 0))
        #expect(rig.actions == [.scan(0, excluding: ["a"], limit: 3, batchLimit: 1)])
        rig.tell(.scanned(table: 0, []))
        #expect(rig.tell(.sent(token, nil)).contains(.recordSuccess(token)))
        #expect(rig.scans.isEmpty)
        rig.tell(.recorded(token, isStored: true))
        #expect(rig.actions.contains(.scan(0, excluding: [], limit: 4, batchLimit: 1)))
    }

    @Test func `lanes are sent at once up to their limit`() {
        var policy = OutboxPolicy()
        policy.parallelLanes = 2
        var rig = MachineRig([policy])
        rig.find(("a", [0]), ("b", [0]), ("c", [0]))
        #expect(rig.sends == ["a 1", "b 1"])
        #expect(rig.tell(.changed(table: 0)).isEmpty)
    }

    @Test func `a failure counts and the lane waits below a ceiling that doubles`() throws {
        for failures in 0..<6 {
            var rig = MachineRig(seed: UInt64(failures))
            rig.find(("a", [failures]))
            rig.tell(.sent(rig.token, .server))
            let (count, delay) = try #require(rig.recordedFailure)
            #expect(count == failures + 1)
            #expect(delay <= .milliseconds(500) * (1 << failures))
        }
    }

    @Test func `a lane waits for as long as the server states`() throws {
        var rig = MachineRig()
        rig.find(("a", [0]))
        let token = rig.token
        rig.tell(.sent(token, OutboxFailure(.retry, reason: "status 503", statedDelay: .seconds(7))))
        #expect(try #require(rig.recordedFailure).delay == .seconds(7))
        rig.tell(.recorded(token, isStored: true))
        #expect(rig.armed == .zero.advanced(by: .seconds(7)))
        rig.advance(by: .seconds(6))
        #expect(rig.scans.isEmpty)
        rig.advance(by: .seconds(1))
        #expect(rig.scans == [0])
    }

    @Test func `the last failure cancels`() {
        var policy = OutboxPolicy()
        policy.attemptLimit = 3
        var rig = MachineRig([policy])
        rig.find(("a", [1]))
        rig.tell(.sent(rig.token, .server))
        #expect(!rig.cancels)
        rig = MachineRig([policy])
        rig.find(("a", [2]))
        rig.tell(.sent(rig.token, .server))
        #expect(rig.cancels)
    }

    @Test func `what the server refuses for good is cancelled at once`() {
        var rig = MachineRig()
        rig.find(("a", [0]))
        let token = rig.token
        rig.tell(.sent(token, .gone))
        #expect(rig.cancels)
        rig.tell(.recorded(token, isStored: true))
        #expect(rig.scans == [0])
    }

    @Test func `a batch that is refused goes one by one`() {
        var policy = OutboxPolicy()
        policy.batchLimit = 3
        var rig = MachineRig([policy])
        rig.find(("a", [0, 0, 0, 0]))
        #expect(rig.sends == ["a 3"])
        rig.tell(.sent(rig.token, .gone))
        #expect(!rig.cancels)
        for left in (1...3).reversed() {
            #expect(rig.scans == [0])
            rig.find(("a", Array(repeating: 0, count: left + 1)))
            #expect(rig.sends == ["a 1"])
            let token = rig.token
            rig.tell(.sent(token, left == 2 ? .gone : nil))
            #expect(rig.cancels == (left == 2))
            rig.tell(.recorded(token, isStored: true))
        }
        rig.find(("a", [0, 0]))
        #expect(rig.sends == ["a 2"])
    }

    @Test func `a batch that used its attempts up gives each one of its own`() throws {
        var policy = OutboxPolicy()
        policy.batchLimit = 2
        policy.attemptLimit = 2
        var rig = MachineRig([policy])
        rig.find(("a", [1, 0]))
        let token = rig.token
        rig.tell(.sent(token, .server))
        #expect(!rig.cancels)
        #expect(try #require(rig.recordedFailure).count == 1)
        rig.tell(.recorded(token, isStored: true))
        rig.advance(by: .seconds(60))
        rig.find(("a", [1, 1]))
        #expect(rig.sends == ["a 1"])
    }

    @Test func `a server that is not reached costs no attempt and is asked by one lane at a time`() {
        var rig = MachineRig([OutboxPolicy(), OutboxPolicy()])
        rig.tell(.changed(table: nil))
        rig.tell(.scanned(table: 0, [.init(name: "a", failureCounts: [0]), .init(name: "b", failureCounts: [0])]))
        let tokens = [rig.token - 1, rig.token]
        rig.tell(.scanned(table: 1, []))
        for token in tokens { rig.tell(.sent(token, .noConnection)) }
        #expect(rig.recordedFailure == nil)
        rig.advance(by: .seconds(60))
        #expect(rig.actions.contains(.scan(0, excluding: [], limit: 1, batchLimit: 1)))
        rig.tell(.scanned(table: 0, [.init(name: "a", failureCounts: [0])]))
        #expect(rig.sends == ["a 1"])
        let token = rig.token
        // Nobody else asks meanwhile.
        #expect(rig.tell(.changed(table: 1)).isEmpty)
        rig.tell(.sent(token, nil))
        #expect(rig.scans.contains(1))
    }

    @Test(arguments: [429, 502, 503, 504])
    func `a server that is unavailable for many minutes costs no attempt`(status: Int) {
        let failure = APIError(.status, status: status).outboxFailure
        var (rig, count) = (MachineRig(), 0)
        for _ in 0..<20 {
            rig.find(("a", [count]))
            #expect(rig.sends == ["a 1"])
            let token = rig.token
            rig.tell(.sent(token, failure))
            #expect(!rig.cancels)
            count = rig.recordedFailure?.count ?? count
            rig.tell(.recorded(token, isStored: true))
            rig.advance(by: .seconds(61))
        }
        #expect(count == 0)
    }

    @Test func `a lane for which the server is never available does not hold up another one`() {
        var rig = MachineRig()
        rig.find(("a", [0]))
        rig.tell(.sent(rig.token, APIError(.status, status: 502).outboxFailure))
        rig.tell(.changed(table: 0))
        #expect(rig.scans.isEmpty)
        rig.advance(by: .milliseconds(500))
        #expect(rig.actions.contains(.scan(0, excluding: ["a"], limit: 1, batchLimit: 1)))
        rig.find(("b", [0]))
        #expect(rig.sends == ["b 1"])
    }

    @Test func `a row that the server never answers is given up and holds up no other one`() {
        var rig = MachineRig()
        rig.find(("a", [7]))
        rig.tell(.sent(rig.token, APIError(.timedOut).outboxFailure))
        #expect(rig.cancels)
        rig.find(("b", [0]))
        #expect(rig.sends == ["b 1"])
    }

    @Test func `an upload that began before a failure does not hold up others`() {
        var policy = OutboxPolicy()
        policy.parallelLanes = 1
        var rig = MachineRig([policy, OutboxPolicy()])
        rig.find(("upload", [0]))
        rig.find(("like", [0]), table: 1)
        let token = rig.token
        rig.tell(.scanned(table: 1, []))
        rig.tell(.sent(token, APIError(.status, status: 503).outboxFailure))
        rig.tell(.changed(table: 1))
        rig.advance(by: .seconds(1))
        // Its own table sends one at a time.
        #expect(rig.scans == [1])
        rig.find(("like", [0]), ("share", [0]), table: 1)
        #expect(rig.sends == ["like 1"])
    }

    @Test func `a delay that the server states holds every lane, also over a new connection`() {
        var rig = MachineRig()
        rig.find(("a", [0]), ("b", [0]))
        let token = rig.token
        rig.tell(.sent(token, OutboxFailure(.unreachable, reason: "status 503", statedDelay: .seconds(90))))
        rig.tell(.sent(token - 1, .noConnection))
        rig.tell(.gates(.offline))
        rig.tell(.gates([]))
        #expect(rig.scans.isEmpty)
        rig.advance(by: .seconds(89))
        #expect(rig.scans.isEmpty)
        rig.advance(by: .seconds(1))
        #expect(rig.scans == [0])
    }

    @Test func `lanes that wait for the connection go on when it is back`() {
        var rig = MachineRig()
        rig.find(("a", [0]))
        rig.tell(.sent(rig.token, .noConnection))
        rig.tell(.gates(.offline))
        #expect(rig.scans.isEmpty)
        rig.tell(.gates([]))
        #expect(rig.scans == [0])
    }

    @Test func `a failure while offline does not count`() {
        var rig = MachineRig()
        rig.find(("a", [7]))
        let token = rig.token
        rig.tell(.gates(.offline))
        rig.tell(.sent(token, .server))
        #expect(!rig.cancels && rig.recordedFailure == nil)
    }

    @Test(arguments: [OutboxGates.offline, .signedOut, .background, .paused])
    func `a closed gate sends nothing`(_ gate: OutboxGates) {
        var rig = MachineRig(gates: gate)
        #expect(rig.tell(.changed(table: nil)).isEmpty)
        rig.tell(.gates([]))
        #expect(rig.scans == [0])
        rig.tell(.gates(gate))
        rig.tell(.scanned(table: 0, [.init(name: "a", failureCounts: [0])]))
        #expect(rig.sends.isEmpty)
        rig.tell(.gates([]))
        #expect(rig.scans == [0])
    }

    @Test func `a log out stops what is in flight`() {
        var rig = MachineRig()
        rig.find(("a", [0]), ("b", [0]))
        let token = rig.token
        rig.tell(.gates(.signedOut))
        #expect(rig.stops == 2)
        #expect(rig.tell(.sent(token, nil)).isEmpty)
    }

    @Test func `a refused token stops everything until the next sign in`() {
        var rig = MachineRig()
        rig.find(("a", [0]), ("b", [0]))
        rig.tell(.sent(rig.token, .token))
        #expect(rig.scans.isEmpty && !rig.cancels)
        #expect(rig.tell(.changed(table: nil)).isEmpty)
        rig.tell(.signedIn)
        #expect(rig.scans == [0])
    }

    @Test func `an attempt that takes too long fails and its late answer is ignored`() throws {
        var rig = MachineRig()
        rig.find(("a", [0]))
        let token = rig.token
        #expect(rig.armed == .zero.advanced(by: .seconds(30)))
        rig.advance(by: .seconds(30))
        #expect(rig.actions.contains(.cancelSend(token)))
        #expect(try #require(rig.recordedFailure).count == 1)
        #expect(rig.tell(.sent(token, nil)).isEmpty)
    }

    @Test func `a timer that fires too early is set again`() {
        var rig = MachineRig()
        rig.find(("a", [0]))
        rig.advance(by: .seconds(29))
        #expect(rig.armed == .zero.advanced(by: .seconds(30)))
    }

    @Test func `what is stopped leaves its lane to the next row`() {
        var rig = MachineRig()
        rig.find(("a", [0]))
        let token = rig.token
        rig.tell(.stop(.init(table: 0, name: "a")))
        #expect(rig.actions.contains(.cancelSend(token)))
        #expect(rig.scans == [0])
        // A scan that began before the row was taken back is not believed.
        rig.tell(.stop(.init(table: 0, name: "a")))
        rig.tell(.scanned(table: 0, [.init(name: "a", failureCounts: [0])]))
        #expect(rig.sends.isEmpty)
        #expect(rig.scans == [0])
    }

    @Test func `a row waits for its time but no longer than the policy ever waits`() {
        var rig = MachineRig()
        rig.tell(.changed(table: 0))
        rig.tell(.scanned(table: 0, [.init(name: "a", failureCounts: [1], dueIn: .days(300))]))
        #expect(rig.sends.isEmpty)
        #expect(rig.armed == .zero.advanced(by: .seconds(60)))
        rig.advance(by: .seconds(60))
        #expect(rig.scans == [0])
        // The wall clock was set back by months, and no row waits for as long.
        rig.tell(.scanned(table: 0, [.init(name: "a", failureCounts: [1], dueIn: .days(300))]))
        #expect(rig.sends == ["a 1"])
    }

    @Test func `a time that the server stated before a restart is waited for`() {
        var rig = MachineRig()
        for minute in 0..<30 {
            rig.tell(.changed(table: 0))
            rig.tell(.scanned(table: 0, [.init(name: "a", failureCounts: [1], dueIn: .seconds(60 * (30 - minute)))]))
            #expect(rig.sends.isEmpty)
            rig.advance(by: .seconds(60))
        }
        rig.find(("a", [1]))
        #expect(rig.sends == ["a 1"])
    }

    @Test func `what cannot be recorded is sent again later`() {
        var rig = MachineRig()
        rig.find(("a", [0]))
        let token = rig.token
        rig.tell(.sent(token, nil))
        rig.tell(.recorded(token, isStored: false))
        #expect(rig.scans.isEmpty)
        #expect(rig.machine.statistics.sent == 0)
        rig.advance(by: .seconds(60))
        #expect(rig.scans == [0])
    }

    @Test func `a table that cannot be read is read again later`() throws {
        var rig = MachineRig()
        rig.tell(.changed(table: 0))
        rig.tell(.scanFailed(table: 0))
        #expect(rig.scans.isEmpty)
        let wait = try #require(rig.armed)
        #expect(wait >= .zero.advanced(by: .milliseconds(100)))
        rig.advance(by: .seconds(60))
        #expect(rig.scans == [0])
    }

    @Test func `a drain passes the background and ends when nothing more can be sent`() {
        var rig = MachineRig(gates: .background)
        rig.tell(.drain(1))
        #expect(rig.scans == [0])
        rig.tell(.scanned(table: 0, [.init(name: "a", failureCounts: [0]), .init(name: "b", failureCounts: [0])]))
        let token = rig.token
        rig.tell(.sent(token, nil))
        rig.tell(.recorded(token, isStored: true))
        rig.tell(.scanned(table: 0, []))
        #expect(rig.drained == nil)
        rig.tell(.sent(token - 1, .server))
        #expect(rig.drained == nil)
        rig.tell(.recorded(token - 1, isStored: true))
        #expect(rig.drained == OutboxDrain(sent: 1, cancelled: 0, isComplete: false))
        rig.advance(by: .seconds(60))
        #expect(rig.scans.isEmpty)
    }

    @Test func `a drain ends at once where nothing may be sent`() {
        var rig = MachineRig(gates: [.background, .offline])
        rig.tell(.drain(1))
        #expect(rig.drained == OutboxDrain(sent: 0, cancelled: 0, isComplete: false))
    }

    @Test func `a drain that is abandoned stops what is in flight`() {
        var rig = MachineRig(gates: .background)
        rig.tell(.drain(1))
        rig.tell(.scanned(table: 0, [.init(name: "a", failureCounts: [0])]))
        rig.tell(.abandonDrain(1))
        #expect(rig.stops == 1)
        #expect(rig.drained != nil)
        #expect(rig.scans.isEmpty)
    }

    @Test func `nothing happens after the shutdown`() {
        var rig = MachineRig()
        rig.find(("a", [0]))
        rig.tell(.shutDown)
        #expect(rig.stops == 1)
        #expect(rig.tell(.changed(table: nil)).isEmpty)
    }
}
