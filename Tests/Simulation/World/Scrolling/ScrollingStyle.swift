import PaginatorCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How somebody scrolls through a list of which six rows are on the screen.
package enum ScrollingStyle: String, CaseIterable, Sendable {
    /// Reads each row, 3 s on average, and moves on by one.
    case reader = "slow reader"
    /// Lets rows pass at a steady pace, 3 a second, now a bit faster and now a bit slower.
    case skimmer = "steady skim"
    /// Flings of 15 to 70 rows a second that slow down as a scroll view of iOS does, with pauses of 1 to 5 s.
    case flings = "flings with pauses"
    /// Three to six flings down and most of the way back up, time and again, each time further.
    case thereAndBack = "there and back"

    /// One movement, or a pause.
    enum Stretch: Sendable {
        case pause(Double)
        // At a steady speed in rows a second, less than zero for up.
        case drag(speed: Double, seconds: Double)
        case fling(speed: Double)

        // A speed falls to 0.998 of itself in each millisecond: `UIScrollView.DecelerationRate.normal`.
        private static let slowing = -1_000 * log(0.998)

        var seconds: Double {
            switch self {
            case .pause(let seconds), .drag(_, let seconds): seconds
            // It ends where it would be slower than a row a second.
            case .fling(let speed): log(max(1, abs(speed))) / Self.slowing
            }
        }

        func rows(after seconds: Double) -> Double {
            switch self {
            case .pause: 0
            case .drag(let speed, _): speed * seconds
            case .fling(let speed): speed / Self.slowing * (1 - exp(-Self.slowing * seconds))
            }
        }

        var rows: Double { rows(after: seconds) }
    }

    /// What somebody does in so many seconds.
    func session(seconds: Double, seed: UInt64) -> [Stretch] {
        var random = SplitMix64(seed: seed)
        var session: [Stretch] = []
        var time = 0.0
        var (top, deepest) = (0.0, 0.0)
        func add(_ stretch: Stretch) {
            session.append(stretch)
            time += stretch.seconds
            top = max(0, top + stretch.rows)
            deepest = max(deepest, top)
        }
        while time < seconds {
            switch self {
            case .reader:
                // At least half a second; so the mean is 3 s, with the third of a second of the movement.
                add(.pause(0.5 - 2.2 * log(1 - random.unitInterval())))
                add(.drag(speed: 3, seconds: 1.0 / 3))
            case .skimmer:
                add(.drag(speed: random.number(from: 2, to: 4), seconds: random.number(from: 1, to: 5)))
            case .flings:
                add(.fling(speed: random.number(from: 15, to: 70)))
                add(.pause(random.number(from: 1, to: 5)))
            case .thereAndBack:
                let goal = top * random.number(from: 0.1, to: 0.5)
                while top > goal + 5, time < seconds {
                    add(.fling(speed: -random.number(from: 15, to: 70)))
                    add(.pause(random.number(from: 0.2, to: 1)))
                }
                let depth = deepest
                var flings = 3 + Int(random.next() % 4)
                while flings > 0, time < seconds {
                    if top >= depth { flings -= 1 }
                    add(.fling(speed: random.number(from: 15, to: 70)))
                    add(.pause(random.number(from: 1, to: 5)))
                }
            }
        }
        return session
    }
}
