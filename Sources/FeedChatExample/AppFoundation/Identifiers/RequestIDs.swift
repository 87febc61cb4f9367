package import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Creates ids for requests, which make a repeated request harmless.
///
/// UUIDs of version 7 (RFC 9562, section 5.7): milliseconds of the wall clock, then random bits. Ids of one process
/// ascend, even if its wall clock is set back; ids of several devices have no common order.
package final class RequestIDs: Sendable {
    private let clock: any PaginatorClock
    private let random: @Sendable () -> UInt64
    /// The milliseconds and counter of the last id.
    private let last = Guarded((milliseconds: UInt64(0), counter: UInt64(0)))

    /// Creates a source of ids.
    ///
    /// - Parameters:
    ///   - clock: the source of the wall-clock time.
    ///   - random: returns 64 random bits; the system's generator unless a test sets its own.
    package init(
        clock: any PaginatorClock = SystemPaginatorClock(),
        random: @escaping @Sendable () -> UInt64 = { .random(in: 0 ... .max) }
    ) {
        self.clock = clock
        self.random = random
    }

    /// Returns the next id, such as `019a9f2e-...`; as text it is greater than all earlier ones.
    package func next() -> String {
        let wall = UInt64(min(max(clock.wallTime.timeIntervalSince1970 * 1_000, 0), 0x1p47))
        let (milliseconds, counter) = last.withLock { last in
            if wall > last.milliseconds {
                // The counter begins in the lower half of its 12 bits, which leaves room to count.
                last = (wall, random() & 0x7ff)
            } else if last.counter < 0xfff {
                last.counter += 1
            } else {
                last = (last.milliseconds + 1, 0)
            }
            return last
        }
        let high = milliseconds << 16 | 0x7000 | counter
        let low = random() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        let digits = Self.hex(high) + Self.hex(low)
        let cuts = [0, 8, 12, 16, 20, 32]
        return zip(cuts, cuts.dropFirst()).map { digits.dropFirst($0).prefix($1 - $0) }.joined(separator: "-")
    }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
