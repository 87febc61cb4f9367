package import PaginatorCore

/// Many clients, each with the library's own back-off, retry budget and throttle, before one backend that can do only so
/// much: it is down for a while and comes back.
///
/// Time passes in steps of a tenth of a second. In each the backend serves as many requests as it can and turns the
/// others away.
package struct FleetSimulation: Sendable {
    /// What the clients do against overload.
    package struct Habits: Sendable {
        package var name: String
        package var scheduling: PaginatorSchedulerConfig
        /// Whether the wait before a further attempt is drawn at random; otherwise it is always the longest.
        package var hasJitter = true

        package init(_ name: String, _ scheduling: PaginatorSchedulerConfig, hasJitter: Bool = true) {
            self.name = name
            self.scheduling = scheduling
            self.hasJitter = hasJitter
        }
    }

    package var clients = 100_000
    /// Requests of one client a second, on average.
    package var rate = 0.1
    package var maxAttempts = 3
    /// What the backend can serve, as a multiple of the normal load.
    package var capacity = 1.5
    /// The chance that somebody whose request failed asks again after three to fifteen seconds.
    package var impatience = 0.0
    /// Seconds of the outage, and of the whole.
    package var outage = 300..<900
    package var end = 1_500
    package let habits: Habits

    /// Requests and attempts that reached the backend, by second.
    package private(set) var requests: [Int] = []
    package private(set) var attempts: [Int] = []
    package private(set) var served: [Int] = []

    package init(_ habits: Habits) { self.habits = habits }

    private struct Client {
        var budget: RetryBudget
        var throttle: AdaptiveThrottle?
        var random: SplitMix64

        mutating func admits(at now: PaginatorInstant) -> Bool {
            throttle?.admits(at: now, using: &random) ?? true
        }
    }

    /// A request that is due: whose, and how many attempts have failed.
    private struct Due {
        var client: Int32
        var failures: Int32
        var isFresh: Bool
    }

    private static let stepsPerSecond = 10

    /// Lives through it all. Complexity: O(attempts).
    package mutating func run(seed: UInt64) {
        let config = habits.scheduling
        var random = SplitMix64(seed: seed)
        var fleet = (0..<clients).map { _ in
            Client(
                budget: RetryBudget(tokens: config.retryBudgetTokens, fading: config.retryBudgetFading),
                throttle: config.throttlesFailingSource ? AdaptiveThrottle() : nil,
                random: SplitMix64(seed: random.next()))
        }
        let backoff = Backoff(base: config.backoffBase, cap: config.backoffCap)
        let steps = end * Self.stepsPerSecond
        var wheel = [[Due]](repeating: [], count: steps + 1)
        requests = [Int](repeating: 0, count: end)
        attempts = requests
        served = requests
        for client in 0..<clients {
            let first = gap(&fleet[client].random)
            if first < steps { wheel[first].append(Due(client: Int32(client), failures: 0, isFresh: true)) }
        }
        let normal = Double(clients) * rate / Double(Self.stepsPerSecond)
        for step in 0..<steps {
            let second = step / Self.stepsPerSecond
            let now = PaginatorInstant(nanoseconds: Int64(step) * (1_000_000_000 / Int64(Self.stepsPerSecond)))
            var free = outage.contains(second) ? 0 : Int(normal * capacity)
            var due: [Due] = []
            swap(&due, &wheel[step])
            for index in due.indices {
                let entry = due[index]
                let number = Int(entry.client)
                if entry.isFresh {
                    requests[second] += 1
                    let next = step + gap(&fleet[number].random)
                    if next < steps { wheel[next].append(Due(client: entry.client, failures: 0, isFresh: true)) }
                }
                guard fleet[number].admits(at: now) else {
                    giveUp(entry, step, &fleet[number].random, &wheel)
                    continue
                }
                attempts[second] += 1
                if free > 0 {
                    free -= 1
                    served[second] += 1
                    fleet[number].budget.succeeded(at: now)
                    fleet[number].throttle?.ended(accepted: true, at: now)
                    continue
                }
                fleet[number].throttle?.ended(accepted: false, at: now)
                let failures = Int(entry.failures) + 1
                guard failures < maxAttempts, fleet[number].budget.spend(at: now) else {
                    giveUp(entry, step, &fleet[number].random, &wheel)
                    continue
                }
                let delay =
                    habits.hasJitter
                    ? backoff.delay(failures: failures, statedDelay: nil, using: &fleet[number].random)
                    : backoff.ceiling(failures: failures)
                let later = step + max(1, Int(delay.inSeconds * Double(Self.stepsPerSecond)))
                if later < steps {
                    wheel[later].append(Due(client: entry.client, failures: Int32(failures), isFresh: false))
                }
            }
        }
    }

    /// Somebody whose request failed may ask again.
    private func giveUp(_ entry: Due, _ step: Int, _ random: inout SplitMix64, _ wheel: inout [[Due]]) {
        guard impatience > 0, random.unitInterval() < impatience else { return }
        let later = step + Int.random(in: 30...150, using: &random)
        if later < wheel.count { wheel[later].append(Due(client: entry.client, failures: 0, isFresh: false)) }
    }

    /// Steps until a client's next request: as likely at any time.
    private func gap(_ random: inout SplitMix64) -> Int {
        let chance = rate / Double(Self.stepsPerSecond)
        var steps = 1
        // Whole stretches without a request first, so that a quiet client costs few draws.
        let stretch = max(1, Int(0.5 / chance))
        let quiet = power(1 - chance, stretch)
        while random.unitInterval() < quiet { steps += stretch }
        // One request lies within the stretch; which step it is follows the same law.
        var rest = random.unitInterval() * (1 - quiet)
        var share = chance
        while rest > share, share > 1e-12 {
            rest -= share
            share *= 1 - chance
            steps += 1
        }
        return steps
    }

    private func power(_ base: Double, _ exponent: Int) -> Double {
        (0..<exponent).reduce(1.0) { result, _ in result * base }
    }
}

extension FleetSimulation {
    private var normal: Double {
        let before = attempts[(outage.lowerBound - 120)..<outage.lowerBound]
        return Double(before.reduce(0, +)) / 120
    }

    /// The load of a stretch of time, against the two minutes before the outage.
    package func load(_ seconds: Range<Int>) -> Double {
        Double(attempts[seconds].reduce(0, +)) / Double(seconds.count) / normal
    }

    /// The highest load of all stretches of some seconds.
    package func peak(_ seconds: Range<Int>, of width: Int = 10) -> Double {
        (seconds.lowerBound...(seconds.upperBound - width)).map { load($0..<($0 + width)) }.max() ?? 0
    }

    /// The load while the backend is down.
    package var loadInOutage: Double { load(outage) }

    /// The highest load of a minute of the outage.
    package var worstMinute: Double { peak(outage, of: 60) }

    /// The highest load of ten seconds after the outage.
    package var peakAfter: Double { peak(outage.upperBound..<end) }

    /// Seconds after the outage until, for good, as many requests are served as were before.
    package var recovery: Int {
        let before = Double(served[(outage.lowerBound - 120)..<outage.lowerBound].reduce(0, +)) / 120
        let slow = (outage.upperBound..<(end - 10)).last { start in
            Double(served[start..<(start + 10)].reduce(0, +)) / 10 < 0.95 * before
        }
        return slow.map { $0 + 10 - outage.upperBound } ?? 0
    }
}
