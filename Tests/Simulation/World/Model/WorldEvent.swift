import PaginatorCore
import PaginatorTesting

/// What a user, a server, a device or an operator does.
package enum EventKind: Int, Sendable, CaseIterable {
    // On a list.
    case scroll, fling, loadNext, loadPrevious, refresh, retry, jump, fillGap, resetList, cancelLoads, pausePrefetch
    case bookmark, restore, live, edit, insert
    // On a paginator.
    case fetch, search, cancel, fetchAround, refreshPage, prefetch, put, clear, invalidate, recall, look, trim, suspend,
        flush
    case clearWhileReading, readBehind
    case release
    // From outside.
    case serverInserts, serverRemoves, serverRevises, connectivity, wallClock, outage, diskTrouble, diskDamage
    case processDies, sleep

    /// People mostly scroll: of a thousand events more than eight hundred are that.
    static let everydayWeights: [(EventKind, Int)] = [
        (.scroll, 4_200), (.fling, 40), (.loadNext, 60), (.loadPrevious, 15), (.refresh, 25), (.retry, 50),
        (.jump, 12), (.fillGap, 10), (.resetList, 2), (.cancelLoads, 5), (.pausePrefetch, 10), (.bookmark, 40),
        (.restore, 2), (.live, 20), (.edit, 60), (.insert, 10), (.fetch, 60), (.search, 40), (.cancel, 20),
        (.fetchAround, 10), (.refreshPage, 10), (.prefetch, 15), (.put, 5), (.clear, 2), (.invalidate, 3),
        (.recall, 2), (.look, 100), (.trim, 2), (.suspend, 2), (.flush, 10), (.clearWhileReading, 1),
        (.readBehind, 2), (.serverInserts, 30), (.serverRemoves, 25), (.serverRevises, 40), (.connectivity, 5),
        (.wallClock, 1), (.outage, 1),
        (.diskTrouble, 2), (.diskDamage, 1), (.processDies, 1),
        (.sleep, 5),
    ]

    static let denseWeights: [(EventKind, Int)] = [
        (.scroll, 40), (.fling, 10), (.loadNext, 50), (.loadPrevious, 20), (.refresh, 25), (.retry, 25), (.jump, 12),
        (.fillGap, 12), (.resetList, 3), (.cancelLoads, 6), (.pausePrefetch, 4), (.bookmark, 8), (.restore, 4),
        (.live, 12), (.edit, 60), (.insert, 15), (.fetch, 150), (.search, 20), (.cancel, 40), (.fetchAround, 20),
        (.refreshPage, 25), (.prefetch, 15), (.put, 25), (.clear, 22), (.invalidate, 22), (.recall, 8), (.look, 20),
        (.trim, 6), (.suspend, 8), (.flush, 12), (.clearWhileReading, 10), (.readBehind, 10), (.release, 2),
        (.serverInserts, 12), (.serverRemoves, 10), (.serverRevises, 8),
        (.connectivity, 8), (.wallClock, 5), (.outage, 3), (.diskTrouble, 5), (.diskDamage, 5), (.processDies, 5),
        (.sleep, 12),
    ]
}

/// One thing that happens to a world from outside. It draws what it needs from its own seed, so that leaving another
/// event out changes nothing about it.
package struct WorldEvent: Sendable, CustomStringConvertible {
    /// Its place in the whole plan.
    package var number: Int
    /// Nanoseconds since the world began, those not counted that the device slept.
    package var time: Int64
    package var kind: EventKind
    package var seed: UInt64

    package var description: String {
        "#\(number) at \(Double(time / 1_000_000) / 1_000) s: \(kind)"
    }

    /// All that happens to the world of a seed.
    package static func plan(_ config: WorldConfig, seed: UInt64) -> [WorldEvent] {
        var random = SeededRandom(seed: seed &* 0x2545_f491_4f6c_dd1d &+ 1)
        let total = config.weights.reduce(0) { $0 + $1.1 }
        let gap = 2e9 / config.eventsPerSecond
        var time = 0.0
        return (0..<config.events).map { number in
            // Many at once, then a pause, as people and servers are.
            let share = Double(random.number(in: 0..<1_000)) / 1_000
            time += gap * share * share * 1.5
            var choice = random.number(in: 0..<total)
            let kind = config.weights.first { weight in
                choice -= weight.1
                return choice < 0
            }
            return WorldEvent(
                number: number, time: Int64(time), kind: kind?.0 ?? .look, seed: random.next())
        }
    }
}
