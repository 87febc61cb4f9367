import ChatClient
import ChatWire
import PaginatorCore
import PaginatorTesting
import Testing

/// First what was missed, then what comes live: in the order of the ids, each once.
struct SyncMachineTests {
    private let now = PaginatorInstant.zero

    private func event(_ id: Int64, after previous: Int64) -> ChatEvent {
        ChatEvent(id: id, previous: previous, content: .messageRead(messageId: id))
    }

    private func page(_ ids: [Int64], hasMore: Bool = false) -> SyncPage {
        SyncPage(events: ids.map { event($0, after: 0) }, lastSyncedMessage: ids.last ?? 0, hasMore: hasMore)
    }

    @Test func `what was missed comes before what is live and the gap stands until then`() {
        var machine = SyncMachine(place: 10, seed: 1)
        #expect(machine.handle(.opened, at: now) == [.fetch(1, after: 10), .gap(true)])
        #expect(machine.handle(.live(event(14, after: 13)), at: now).isEmpty)
        let first = page([11, 12], hasMore: true)
        #expect(machine.handle(.fetched(1, first), at: now) == [.commit(2, first.events, upTo: 12)])
        #expect(machine.handle(.committed(2), at: now) == [.fetch(3, after: 12)])
        let second = page([13])
        #expect(machine.handle(.fetched(3, second), at: now) == [.commit(4, second.events, upTo: 13), .gap(false)])
        #expect(
            machine.handle(.committed(4), at: now) == [.caughtUp, .commit(5, [event(14, after: 13)], upTo: 14)])
        #expect(machine.handle(.committed(5), at: now) == [.caughtUp])
        #expect(machine.place == 14)
    }

    private func liveMachine(at place: Int64) -> SyncMachine {
        var machine = SyncMachine(place: place, seed: 1)
        _ = machine.handle(.opened, at: now)
        _ = machine.handle(.fetched(1, page([])), at: now)
        return machine
    }

    @Test func `an event that does not join is a gap and the server is asked`() {
        var machine = liveMachine(at: 10)
        #expect(machine.handle(.live(event(12, after: 11)), at: now) == [.fetch(2, after: 10), .gap(true)])
        let missed = page([11, 12])
        #expect(machine.handle(.fetched(2, missed), at: now) == [.commit(3, missed.events, upTo: 12), .gap(false)])
        #expect(machine.handle(.committed(3), at: now) == [.caughtUp])
    }

    @Test func `repetitions do nothing and a batch is committed at once`() {
        var machine = liveMachine(at: 10)
        #expect(machine.handle(.live(event(10, after: 9)), at: now).isEmpty)
        #expect(machine.handle(.live(event(11, after: 10)), at: now).count == 1)
        _ = machine.handle(.live(event(13, after: 12)), at: now)
        _ = machine.handle(.live(event(12, after: 11)), at: now)
        _ = machine.handle(.live(event(12, after: 11)), at: now)
        let actions = machine.handle(.committed(2), at: now)
        #expect(actions.last == .commit(3, [event(12, after: 11), event(13, after: 12)], upTo: 13))
    }

    @Test func `without a signed in user nothing is asked for and nothing is forgotten`() {
        var machine = liveMachine(at: 10)
        #expect(machine.handle(.wanted, at: now) == [.fetch(2, after: 10), .gap(true)])
        #expect(machine.handle(.signedIn(false), at: now).isEmpty)
        #expect(machine.handle(.fetchFailed(2), at: now).isEmpty)
        #expect(machine.handle(.closed, at: now) == [.gap(false)])
        #expect(machine.handle(.wanted, at: now).isEmpty)
        #expect(machine.handle(.time, at: now.advanced(by: .seconds(3_600))).isEmpty)
        #expect(machine.handle(.signedIn(true), at: now) == [.fetch(3, after: 10)])
    }

    @Test func `a refusal ends a wait for the next attempt`() {
        var machine = liveMachine(at: 10)
        _ = machine.handle(.wanted, at: now)
        _ = machine.handle(.fetchFailed(2), at: now)
        #expect(machine.handle(.signedIn(false), at: now).isEmpty)
        #expect(machine.handle(.time, at: now.advanced(by: .seconds(3_600))).isEmpty)
        #expect(machine.handle(.signedIn(true), at: now) == [.fetch(3, after: 10)])
    }

    @Test func `a position further than the device is shows a lost frame`() {
        var machine = liveMachine(at: 10)
        #expect(machine.handle(.live(ChatEvent(content: .position(10))), at: now).isEmpty)
        #expect(machine.handle(.live(ChatEvent(content: .position(11))), at: now).first == .fetch(2, after: 10))
    }

    @Test func `a failure is tried again after a wait and at once when the socket is open again`() {
        var machine = SyncMachine(place: 0, seed: 1)
        _ = machine.handle(.opened, at: now)
        guard case .arm(let next)? = machine.handle(.fetchFailed(1), at: now).first else {
            return #expect(Bool(false))
        }
        #expect(machine.handle(.time, at: next) == [.fetch(2, after: 0)])
        _ = machine.handle(.fetchFailed(2), at: now)
        #expect(machine.handle(.opened, at: now).first == .fetch(3, after: 0))
        #expect(machine.handle(.fetched(2, page([1])), at: now).isEmpty)
    }

    @Test func `the next request waits for as long as the server states`() {
        var machine = SyncMachine(place: 0, seed: 1)
        _ = machine.handle(.opened, at: now)
        let next = now.advanced(by: .hours(1))
        #expect(machine.handle(.fetchFailed(1, statedDelay: .hours(1)), at: now) == [.arm(next)])
    }

    @Test func `a server that has more and gives nothing is asked again after a wait`() {
        var machine = SyncMachine(place: 0, seed: 1)
        _ = machine.handle(.opened, at: now)
        let nothing = SyncPage(events: [], lastSyncedMessage: 0, hasMore: true)
        guard case .arm(let next)? = machine.handle(.fetched(1, nothing), at: now).first else {
            return #expect(Bool(false))
        }
        #expect(next > now)
        #expect(machine.handle(.time, at: next) == [.fetch(2, after: 0)])
        let more = page([1], hasMore: true)
        #expect(machine.handle(.fetched(2, more), at: next) == [.commit(3, more.events, upTo: 1)])
        #expect(machine.handle(.committed(3), at: next) == [.fetch(4, after: 1)])
    }

    @Test func `a server that lags behind what it has told live is asked again after a wait`() {
        var machine = liveMachine(at: 80)
        #expect(machine.handle(.live(event(100, after: 90)), at: now).first == .fetch(2, after: 80))
        let nothing = SyncPage(events: [], lastSyncedMessage: 80, hasMore: false)
        guard case .arm(let next)? = machine.handle(.fetched(2, nothing), at: now).first else {
            return #expect(Bool(false))
        }
        #expect(next > now)
        #expect(machine.handle(.time, at: next) == [.fetch(3, after: 80)])
        let missed = page([90])
        #expect(machine.handle(.fetched(3, missed), at: next) == [.commit(4, missed.events, upTo: 90), .gap(false)])
        #expect(
            machine.handle(.committed(4), at: next) == [.caughtUp, .commit(5, [event(100, after: 90)], upTo: 100)])
    }

    @Test func `an answer that is older than a reason to ask shows no lag and the server is asked at once`() {
        var machine = liveMachine(at: 80)
        #expect(machine.handle(.wanted, at: now).first == .fetch(2, after: 80))
        #expect(machine.handle(.opened, at: now).isEmpty)
        #expect(machine.handle(.live(event(100, after: 90)), at: now).isEmpty)
        let nothing = SyncPage(events: [], lastSyncedMessage: 80, hasMore: false)
        #expect(machine.handle(.fetched(2, nothing), at: now) == [.fetch(3, after: 80)])
    }

    @Test func `a hole that the socket fills while the machine waits asks for nothing`() {
        var machine = liveMachine(at: 80)
        #expect(machine.handle(.live(event(100, after: 90)), at: now).first == .fetch(2, after: 80))
        let nothing = SyncPage(events: [], lastSyncedMessage: 80, hasMore: false)
        guard case .arm(let next)? = machine.handle(.fetched(2, nothing), at: now).first else {
            return #expect(Bool(false))
        }
        #expect(machine.handle(.live(event(90, after: 80)), at: now).isEmpty)
        let both = [event(90, after: 80), event(100, after: 90)]
        #expect(machine.handle(.time, at: next) == [.commit(3, both, upTo: 100), .gap(false)])
    }

    /// A model of a server and a device: whatever is lost, doubled or turned round, the device commits every event once.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `every event is committed once in order`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var machine = SyncMachine(place: 0, seed: seed)
        var server: [ChatEvent] = []
        var committed: [Int64] = []
        var pending: [SyncAction] = []
        var wire: [ChatEvent] = []
        var time = now

        func feed(_ event: SyncEvent) { pending += machine.handle(event, at: time) }
        func answerOne() {
            guard let index = pending.indices.randomElement(using: &random) else { return }
            switch pending.remove(at: index) {
            case .fetch(let token, let place):
                if Int.random(in: 0..<4, using: &random) == 0 { return feed(.fetchFailed(token)) }
                let rest = server.filter { $0.id > place }
                let events = Array(rest.prefix(3))
                feed(
                    .fetched(
                        token,
                        SyncPage(
                            events: events, lastSyncedMessage: events.last?.id ?? place,
                            hasMore: rest.count > events.count)))
            case .commit(let token, let events, let place):
                if Int.random(in: 0..<5, using: &random) == 0 { return feed(.commitFailed(token)) }
                committed += events.map(\.id).filter { $0 > committed.last ?? 0 }
                #expect(place >= committed.last ?? 0)
                feed(.committed(token))
            case .arm(let deadline):
                time = max(time, deadline)
                feed(.time)
            case .show, .gap, .caughtUp: break
            }
        }

        feed(.opened)
        for _ in 0..<300 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<3:
                let last = server.last?.id ?? 0
                let event = event(last + Int64.random(in: 1...3, using: &random), after: last)
                server.append(event)
                if Int.random(in: 0..<4, using: &random) != 0 { wire.append(event) }
            case 3..<6:
                guard let index = wire.indices.randomElement(using: &random) else { break }
                feed(.live(Int.random(in: 0..<5, using: &random) == 0 ? wire[index] : wire.remove(at: index)))
            case 6: feed(Bool.random(using: &random) ? .closed : .opened)
            default: answerOne()
            }
        }
        feed(.opened)
        feed(.live(ChatEvent(content: .position(server.last?.id ?? 0))))
        var rounds = 0
        while !pending.isEmpty, rounds < 10_000 {
            answerOne()
            rounds += 1
        }
        #expect(committed == server.map(\.id), "seed \(seed)")
        #expect(machine.place == server.last?.id ?? 0, "seed \(seed)")
    }
}
