import ChatClient
import PaginatorCore
import PaginatorTesting
import Testing

/// The socket is opened, asked for a sign of life, given up and opened again, event by event.
struct SocketMachineTests {
    private let start = PaginatorInstant.zero

    private func machine() -> SocketMachine { SocketMachine(seed: 1) }

    private func at(_ seconds: Int) -> PaginatorInstant { start.advanced(by: .seconds(seconds)) }

    @Test func `silence is broken by a ping and a ping without an answer ends the connection`() {
        var machine = machine()
        #expect(machine.handle(.wanted(true), at: start) == [.open(1)])
        #expect(machine.handle(.opened(1), at: start) == [.arm(at(20)), .live(1)])
        #expect(machine.handle(.time, at: at(15)) == [.arm(at(20))])
        #expect(machine.handle(.time, at: at(20)) == [.ping(1), .arm(at(30))])
        let end = machine.handle(.time, at: at(30))
        #expect(end.prefix(2) == [.close(1), .lost(1)])
        guard case .arm(let next)? = end.last else { return #expect(Bool(false), "\(end)") }
        #expect(next <= at(31))
        #expect(machine.handle(.time, at: next) == [.open(2)])
    }

    @Test func `who hears much and says nothing pings all the same`() {
        var machine = machine()
        _ = machine.handle(.wanted(true), at: start)
        _ = machine.handle(.opened(1), at: start)
        var due = at(20)
        var pings = [0]
        for second in 1...300 {
            var actions = machine.handle(.received(1), at: at(second))
            if due <= at(second) { actions += machine.handle(.time, at: at(second)) }
            for action in actions {
                if case .arm(let next) = action { due = next }
                if action == .ping(1) { pings.append(second) }
            }
        }
        // The server closes what it has not heard for a minute.
        #expect(pings.count > 5)
        #expect(zip(pings, pings.dropFirst() + [300]).allSatisfy { $1 - $0 < 60 })
    }

    @Test func `an answer to the ping keeps the connection`() {
        var machine = machine()
        _ = machine.handle(.wanted(true), at: start)
        _ = machine.handle(.opened(1), at: start)
        _ = machine.handle(.time, at: at(20))
        #expect(machine.handle(.received(1), at: at(29)) == [.arm(at(49))])
        #expect(machine.handle(.time, at: at(30)) == [.arm(at(49))])
        #expect(machine.isLive)
    }

    @Test func `what an old socket tells is ignored and a late one is closed`() {
        var machine = machine()
        _ = machine.handle(.wanted(true), at: start)
        #expect(machine.handle(.wanted(false), at: start) == [.close(1), .disarm])
        #expect(machine.handle(.opened(1), at: start) == [.close(1)])
        #expect(machine.handle(.wanted(true), at: start) == [.open(2)])
        #expect(machine.handle(.failed(1), at: start).isEmpty)
        _ = machine.handle(.opened(2), at: start)
        #expect(machine.handle(.closed(1), at: start).isEmpty)
        #expect(machine.handle(.wanted(false), at: start) == [.close(2), .lost(2), .disarm])
    }

    @Test func `the wait grows to its cap and is forgotten once something comes`() {
        var longest = [Duration](repeating: .zero, count: 12)
        for seed in 0..<200 as Range<UInt64> {
            var machine = SocketMachine(seed: seed)
            var now = start
            var actions = machine.handle(.wanted(true), at: now)
            for index in longest.indices {
                guard case .open(let token)? = actions.first else { return #expect(Bool(false), "\(actions)") }
                guard case .arm(let next)? = machine.handle(.failed(token), at: now).last else { return }
                longest[index] = max(longest[index], now.duration(to: next))
                now = next
                actions = machine.handle(.time, at: now)
            }
            guard case .open(let token)? = actions.first else { return }
            _ = machine.handle(.opened(token), at: now)
            _ = machine.handle(.received(token), at: now)
            guard case .arm(let next)? = machine.handle(.closed(token), at: now).last else { return }
            #expect(now.duration(to: next) <= .milliseconds(500))
        }
        #expect(longest[0] <= .milliseconds(500) && longest[0] > .milliseconds(400))
        #expect(longest[3] <= .seconds(4) && longest[3] > .seconds(3))
        #expect(longest[11] <= .seconds(30) && longest[11] > .seconds(25))
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `in any order of events there is one socket and it is always looked after`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var machine = SocketMachine(seed: seed)
        var now = start
        var opening: Set<Int> = []
        var live: Set<Int> = []
        var isArmed = false
        var isWanted = false
        for _ in 0..<500 {
            let token = Int.random(in: 1...12, using: &random)
            let event: SocketEvent
            switch Int.random(in: 0..<7, using: &random) {
            case 0:
                isWanted.toggle()
                event = .wanted(isWanted)
            case 1: event = .opened(opening.randomElement(using: &random) ?? token)
            case 2: event = .failed(opening.randomElement(using: &random) ?? token)
            case 3: event = .received(token)
            case 4: event = .closed(live.randomElement(using: &random) ?? token)
            default:
                now = now.advanced(by: .seconds(Int.random(in: 0...40, using: &random)))
                event = .time
            }
            if case .opened(let token) = event { opening.remove(token) }
            if case .failed(let token) = event { opening.remove(token) }
            for action in machine.handle(event, at: now) {
                switch action {
                case .open(let token): opening.insert(token)
                case .live(let token): live.insert(token)
                case .lost(let token): #expect(live.remove(token) != nil, "seed \(seed)")
                case .close(let token): opening.remove(token)
                case .ping(let token): #expect(live.contains(token), "seed \(seed)")
                case .arm: isArmed = true
                case .disarm: isArmed = false
                }
            }
            #expect(live.count <= 1, "seed \(seed)")
            #expect(machine.isLive == !live.isEmpty, "seed \(seed)")
            if isWanted { #expect(isArmed || !opening.isEmpty, "seed \(seed): nobody looks after it") }
        }
    }
}
