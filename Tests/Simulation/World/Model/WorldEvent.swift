import PaginatorCore
import PaginatorTesting

/// What a user, a server, a device or an operator does.
package enum EventKind: Int, Sendable, CaseIterable {
    // On a list.
    case scroll, fling, loadNext, loadPrevious, refresh, retry, jump, fillGap, resetList, cancelLoads, pausePrefetch
    case bookmark, restore, live, edit, insert
    // On a paginator.
    case fetch, search, cancel, fetchAround, refreshPage, prefetch, put, clear, invalidate, look, trim, suspend, flush
    case release
    // From outside.
    case serverInserts, serverRemoves, serverRevises, connectivity, wallClock, outage, diskTrouble, diskDamage
    case processDies

    static let everydayWeights: [(EventKind, Int)] = [
        (.scroll, 600), (.fling, 60), (.loadNext, 60), (.loadPrevious, 15), (.refresh, 12), (.retry, 30), (.jump, 8),
        (.fillGap, 8), (.resetList, 1), (.cancelLoads, 2), (.pausePrefetch, 4), (.bookmark, 8), (.restore, 1),
        (.live, 8), (.edit, 30), (.insert, 6), (.fetch, 30), (.search, 10), (.cancel, 10), (.fetchAround, 6),
        (.refreshPage, 4), (.prefetch, 10), (.put, 3), (.clear, 1), (.invalidate, 2), (.look, 40), (.trim, 1),
        (.suspend, 1), (.flush, 4), (.serverInserts, 8), (.serverRemoves, 6), (.serverRevises, 10),
        (.connectivity, 2), (.wallClock, 1), (.outage, 1), (.diskTrouble, 1), (.diskDamage, 1), (.processDies, 1),
    ]

    static let denseWeights: [(EventKind, Int)] = [
        (.scroll, 40), (.fling, 10), (.loadNext, 50), (.loadPrevious, 20), (.refresh, 25), (.retry, 25), (.jump, 12),
        (.fillGap, 12), (.resetList, 3), (.cancelLoads, 6), (.pausePrefetch, 4), (.bookmark, 8), (.restore, 4),
        (.live, 12), (.edit, 60), (.insert, 15), (.fetch, 150), (.search, 20), (.cancel, 40), (.fetchAround, 20),
        (.refreshPage, 25), (.prefetch, 15), (.put, 25), (.clear, 22), (.invalidate, 22), (.look, 20), (.trim, 6),
        (.suspend, 8), (.flush, 12), (.release, 2), (.serverInserts, 12), (.serverRemoves, 10), (.serverRevises, 8),
        (.connectivity, 8), (.wallClock, 5), (.outage, 3), (.diskTrouble, 5), (.diskDamage, 5), (.processDies, 5),
    ]
}

/// One thing that happens to a world from outside. It draws what it needs from its own seed, so that leaving another
/// event out changes nothing about it.
package struct WorldEvent: Sendable, CustomStringConvertible {
    /// Its place in the whole plan.
    package var number: Int
    /// Nanoseconds since the world began.
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
