import PaginatorCore

/// The number of rows that a list prefetches: as many as are scrolled past during one load.
///
/// Speed and load time are each estimated as TCP estimates its round-trip time, by a smoothed mean and its deviation
/// (RFC 6298). The speed changes only while the list scrolls: after a stop it is expected to continue as before.
struct PrefetchDistance: Sendable {
    private struct Estimate: Sendable {
        private var mean: Double
        private var deviation: Double

        init(_ sample: Double) { (mean, deviation) = (sample, sample / 2) }

        mutating func take(_ sample: Double) {
            deviation += (abs(sample - mean) - deviation) / 4
            mean += (sample - mean) / 8
        }

        func upper(_ deviations: Double) -> Double { mean + deviations * deviation }
    }

    let bounds: ClosedRange<Int>
    // In seconds.
    private var loadTime: Estimate?
    // In rows a second, in either direction.
    private var speed: Estimate?
    // The current stretch: its start, and the rows passed since, negative upward.
    private var beginning = PaginatorInstant.zero
    private var passed = 0
    // The end toward which the list scrolls.
    private var heading = ListEnd.end

    init(bounds: ClosedRange<Int>) {
        // Larger than any list, and small enough that no sum overflows.
        let most = 1 << 24
        self.bounds = min(max(0, bounds.lowerBound), most)...min(max(0, bounds.upperBound), most)
    }

    mutating func loaded(in time: Duration) {
        let seconds = max(0, time.inSeconds)
        if loadTime?.take(seconds) == nil { loadTime = Estimate(seconds) }
    }

    mutating func scrolled(by rows: Int, at now: PaginatorInstant) {
        guard rows != 0 else { return }
        // More rows in one step are a jump, which says nothing about scrolling.
        guard rows.magnitude <= bounds.upperBound.magnitude else {
            passed = 0
            return
        }
        if beginning.duration(to: now).inSeconds >= horizon {
            let sample = Double(passed.magnitude) / horizon
            if passed != 0, speed?.take(sample) == nil { speed = Estimate(sample) }
            (beginning, passed) = (now, 0)
        }
        passed += rows
        heading = rows < 0 ? .start : .end
    }

    // The expected load time, at least a few frames, which are needed to measure a speed.
    private var horizon: Double { max(0.05, loadTime?.upper(4) ?? 0) }

    func rows(at end: ListEnd) -> Int {
        // Fifteen until both are known.
        guard loadTime != nil, let speed else { return clamped(max(15, Double(passed.magnitude))) }
        // After a turn the other end is not reached soon.
        guard end == heading else { return bounds.lowerBound }
        // One deviation suffices, since the time has four; more would mostly load in vain.
        return clamped(max(speed.upper(1) * horizon, Double(passed.magnitude)))
    }

    private func clamped(_ rows: Double) -> Int {
        Int(min(max(rows.rounded(.up), Double(bounds.lowerBound)), Double(bounds.upperBound)))
    }
}
