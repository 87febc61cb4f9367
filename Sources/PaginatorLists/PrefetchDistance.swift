import PaginatorCore

/// How many rows a list loads ahead: as many as are scrolled past in the time that a load takes.
///
/// Speed and time are each estimated as TCP estimates the time of an answer, by a smoothed mean and deviations above it
/// (RFC 6298). Only a list that moves tells how fast it is scrolled: after a stop it is expected to go on as before.
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
    // In rows a second, whichever way.
    private var speed: Estimate?
    // The stretch that is measured now: when it began, and the rows passed since, less than zero for up.
    private var beginning = PaginatorInstant.zero
    private var passed = 0
    private var isUp = false

    init(bounds: ClosedRange<Int>) {
        // No list is as long; and every number of rows stays one.
        let most = 1 << 24
        self.bounds = min(max(0, bounds.lowerBound), most)...min(max(0, bounds.upperBound), most)
    }

    mutating func loaded(in time: Duration) {
        let seconds = max(0, time.inSeconds)
        if loadTime?.take(seconds) == nil { loadTime = Estimate(seconds) }
    }

    mutating func scrolled(by rows: Int, at now: PaginatorInstant) {
        guard rows != 0 else { return }
        // Nobody scrolls past more at once: that is a jump, which says nothing of what follows it.
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
        isUp = rows < 0
    }

    // How long a load may take, at least a few frames of a screen, in which a speed can be told.
    private var horizon: Double { max(0.05, loadTime?.upper(4) ?? 0) }

    func rows(atStart: Bool) -> Int {
        // Fifteen until both are known.
        guard loadTime != nil, let speed else { return clamped(max(15, Double(passed.magnitude))) }
        // Who has turned round does not come to the other end soon.
        guard atStart == isUp else { return bounds.lowerBound }
        // One deviation is enough, since the time has four: more is mostly loaded for nobody.
        return clamped(max(speed.upper(1) * horizon, Double(passed.magnitude)))
    }

    private func clamped(_ rows: Double) -> Int {
        Int(min(max(rows.rounded(.up), Double(bounds.lowerBound)), Double(bounds.upperBound)))
    }
}
