@testable import PaginatorCore

/// Clients with a scheduler each, asking for pages at random times of a source that is down for a while, in virtual time.
///
/// The clients only meet at the source, which is up or down for all of them, so each lives through the whole time on its
/// own and the attempts are added up.
struct OutageSimulation {
    var config = PaginatorSchedulerConfig()
    var clients = 1_000
    /// Requests of one client a second, on average.
    var rate = 0.3
    var maxAttempts = 3
    var outage: Range<Int> = 120..<300
    var end = 480
    /// The chance that a person whose request failed asks again some seconds later.
    var patience = 0.0
    /// Whether pages may also come from the device, as with a mediator; then nothing is throttled.
    var isLocal = false

    /// Attempts that reached the source in each second, over all clients.
    private(set) var attempts: [Int] = []
    /// Requests in each second, over all clients.
    private(set) var requests: [Int] = []

    private static let second: Int64 = 1_000_000_000

    mutating func run(seed: UInt64) {
        attempts = [Int](repeating: 0, count: end)
        requests = attempts
        for client in 0..<clients { live(seed: seed &+ UInt64(client) &* 7_919) }
    }

    /// The load of a stretch of time, against the same number of seconds before the outage.
    func load(_ seconds: Range<Int>) -> Double {
        let normal = Double(attempts[60..<outage.lowerBound].reduce(0, +)) / Double(outage.lowerBound - 60)
        return Double(attempts[seconds].reduce(0, +)) / Double(seconds.count) / normal
    }

    /// The highest load of all stretches of ten seconds.
    func peak(_ seconds: Range<Int>) -> Double {
        (seconds.lowerBound...(seconds.upperBound - 10)).map { load($0..<($0 + 10)) }.max() ?? 0
    }

    private enum Event: Hashable, Sendable {
        case request
        case answer(UInt64)
    }

    private mutating func live(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var machine = SchedulerMachine(config: config, seed: random.next())
        let client = machine.addClient()
        var events = DeadlineQueue<Event>()
        var failures: [UInt64: Int] = [:]
        var lastTask: UInt64 = 0
        var now = PaginatorInstant.zero

        let demand = SchedulerDemand(.medium, isPrefetch: false, isLocal: isLocal)

        func isUp() -> Bool { !outage.contains(Int(now.nanoseconds / Self.second)) }
        func gap() -> Duration { .nanoseconds(Int64(random.exponential() / rate * 1e9)) }
        func feed(_ event: SchedulerEvent) {
            machine.handle(event, at: now)
            let decisions = machine.outbox.ordered
            machine.outbox.ordered = []
            for case .start(let task, _) in decisions {
                attempts[Int(now.nanoseconds / Self.second)] += 1
                let latency = Int64.random(in: 50_000_000...250_000_000, using: &random)
                events.set(.answer(task.id), at: now.advanced(by: .nanoseconds(latency)))
            }
            for case .refuse(let task, _) in decisions { fail(task.id) }
        }
        func fail(_ id: UInt64) {
            failures[id] = nil
            guard random.unitInterval() < patience else { return }
            lastTask += 1
            events.set(.answer(lastTask), at: now.advanced(by: .seconds(Int64.random(in: 3...15, using: &random))))
            failures[lastTask] = -1
        }
        func submit(_ id: UInt64) {
            failures[id] = 0
            requests[Int(now.nanoseconds / Self.second)] += 1
            feed(.submit(SchedulerTask(client: client, id: id), demand))
        }
        func answer(_ id: UInt64) {
            guard let failed = failures[id] else { return }
            guard failed >= 0 else { return submit(id) }
            let task = SchedulerTask(client: client, id: id)
            guard !isUp() else {
                failures[id] = nil
                return feed(.attemptEnded(task, .accepted))
            }
            feed(.attemptEnded(task, .overloaded))
            guard failed + 1 < maxAttempts else { return fail(id) }
            failures[id] = failed + 1
            feed(.retry(task, demand, failures: failed + 1, statedDelay: nil))
        }

        events.set(.request, at: now.advanced(by: gap()))
        let over = PaginatorInstant(nanoseconds: Int64(end) * Self.second)
        while let next = [events.next, machine.nextDeadline].compactMap({ $0 }).min(), next < over {
            now = max(now, next)
            feed(.timePassed)
            while let event = events.popDue(at: now) {
                switch event {
                case .request:
                    lastTask += 1
                    submit(lastTask)
                    events.set(.request, at: now.advanced(by: gap()))
                case .answer(let id): answer(id)
                }
            }
        }
    }
}

extension SplitMix64 {
    /// A waiting time of a stream of events that come once each unit of time on average.
    fileprivate mutating func exponential() -> Double {
        var (sum, count) = (unitInterval(), 0.0)
        // Von Neumann's comparison method, which needs no logarithm and so no platform's mathematics library.
        while true {
            let first = sum
            var (last, length) = (first, 1)
            while true {
                let drawn = unitInterval()
                guard drawn < last else { break }
                last = drawn
                length += 1
            }
            if length % 2 == 1 { return count + first }
            count += 1
            sum = unitInterval()
        }
    }
}
