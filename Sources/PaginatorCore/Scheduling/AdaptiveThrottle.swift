/// Holds requests back, at random, from a source that accepts too few of them.
///
/// After Google's "Site Reliability Engineering", chapter 21, "Handling Overload", client-side throttling: over the last
/// two minutes it counts what was asked for, held-back requests included, and what the source accepted. A request is held
/// back with the probability (requests - K * accepts - floor) / (requests + 1).
///
/// Two things are ours. Without the floor the first failures of a client that asks for little would already hold its next
/// request back. And ten accepted requests in a row end the throttling at once: with the formula alone a single client
/// would hold requests back for five minutes after its source has recovered. A source bad enough to be throttled accepts
/// ten in a row by luck about once in a thousand times.
package struct AdaptiveThrottle: Sendable {
    private struct Slot: Sendable {
        var requests = 0
        var accepts = 0
    }

    /// Into so many slots the window is cut; the oldest falls out as a whole.
    private static let slotCount = 12
    /// So many accepted requests in a row show that the source has recovered.
    private static let recovery = 10

    private let multiplier: Double
    private let floor: Double
    private let slotLength: Int64
    private var slots = [Slot](repeating: Slot(), count: AdaptiveThrottle.slotCount)
    private var current: Int64?
    private var requests = 0
    private var accepts = 0
    private var acceptedInARow = 0

    /// Starts without a history.
    ///
    /// - Parameters:
    ///   - multiplier: K; the larger, the more failures are let through. Values below 1 count as 1.
    ///   - floor: how many requests without an accepted one never hold anything back; negative values count as zero.
    ///   - window: how far back the counts reach; at least twelve nanoseconds.
    package init(multiplier: Double, floor: Int, window: Duration) {
        self.multiplier = multiplier >= 1 ? multiplier : 1
        self.floor = Double(max(0, floor))
        slotLength = max(1, window.wholeNanoseconds / Int64(Self.slotCount))
    }

    /// The probability with which a request is held back at `now`, from 0 to 1.
    mutating func rejectProbability(at now: PaginatorInstant) -> Double {
        advance(to: now)
        let excess = Double(requests) - multiplier * Double(accepts) - floor
        return max(0, excess / Double(requests + 1))
    }

    /// Decides whether a request may go out; one that may not is counted as asked for.
    package mutating func admits(at now: PaginatorInstant, using random: inout SplitMix64) -> Bool {
        let probability = rejectProbability(at: now)
        guard probability > 0, random.unitInterval() < probability else { return true }
        count(accepted: false)
        return false
    }

    /// Notes how a request that went out has ended.
    package mutating func ended(accepted: Bool, at now: PaginatorInstant) {
        acceptedInARow = accepted ? acceptedInARow + 1 : 0
        if acceptedInARow >= Self.recovery, rejectProbability(at: now) > 0 { forget() }
        advance(to: now)
        count(accepted: accepted)
    }

    private mutating func forget() {
        slots = [Slot](repeating: Slot(), count: Self.slotCount)
        (requests, accepts) = (0, 0)
    }

    private mutating func count(accepted: Bool) {
        guard let current else { return }
        let place = Self.place(current)
        slots[place].requests += 1
        requests += 1
        guard accepted else { return }
        slots[place].accepts += 1
        accepts += 1
    }

    private mutating func advance(to now: PaginatorInstant) {
        let target = now.nanoseconds / slotLength
        guard let from = current, case let (passed, overflow) = target.subtractingReportingOverflow(from),
            !overflow, passed < Self.slotCount
        else {
            forget()
            current = target
            return
        }
        guard target > from else { return }
        for number in (from + 1)...target {
            let place = Self.place(number)
            requests -= slots[place].requests
            accepts -= slots[place].accepts
            slots[place] = Slot()
        }
        current = target
    }

    private static func place(_ number: Int64) -> Int {
        let remainder = Int(number % Int64(slotCount))
        return remainder < 0 ? remainder + slotCount : remainder
    }
}
