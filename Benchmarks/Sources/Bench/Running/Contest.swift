/// One way to do a row's work.
struct Contender {
    let name: String
    /// How many operations one run makes; `nil` for as many as its contest says.
    var operations: Int?
    /// Runs them, and times them by the watch.
    let run: (inout Stopwatch) throws -> Void

    init(_ name: String, operations: Int? = nil, run: @escaping (inout Stopwatch) throws -> Void) {
        self.name = name
        self.operations = operations
        self.run = run
    }
}

/// A row: contenders that do the same work, measured in interleaved rounds.
struct Contest {
    let row: String
    var clock: BenchClock = .thread
    /// How many operations one run makes.
    let operations: Int
    var rounds = 15
    /// After so many seconds no further round begins, so that a slow machine gives fewer samples and not a long run; three
    /// rounds are run in any case.
    var seconds = 20.0
    let contenders: [Contender]
}

/// What a contender of a row took, in nanoseconds an operation, one sample a round.
struct Measurement: Codable {
    let row: String
    let contender: String
    let unit: String
    let clock: BenchClock?
    let samples: [Double]

    var median: Double { samples.percentile(0.5) }
    var low: Double { samples.percentile(0.1) }
    var high: Double { samples.percentile(0.9) }

    /// The median of the rounds' ratios to another contender: what disturbs a whole round disturbs both.
    func ratio(to other: Measurement) -> Double {
        zip(samples, other.samples).map { $0 / $1 }.percentile(0.5)
    }
}

/// How long single operations of a contender took.
struct Latencies: Codable {
    let row: String
    let contender: String
    let count: Int
    let median: Double
    let p99: Double
    let longest: Double

    init(_ row: String, _ contender: String, _ nanoseconds: [Double]) {
        self.row = row
        self.contender = contender
        count = nanoseconds.count
        median = nanoseconds.percentile(0.5)
        p99 = nanoseconds.percentile(0.99)
        longest = nanoseconds.max() ?? .nan
    }
}

extension [Double] {
    /// The value below which a fraction of the samples lies; NaN without samples.
    func percentile(_ fraction: Double) -> Double {
        let sorted = sorted()
        guard let last = sorted.last else { return .nan }
        let place = fraction * Double(sorted.count - 1)
        let lower = Int(place)
        guard lower + 1 < sorted.count else { return last }
        return sorted[lower] + (sorted[lower + 1] - sorted[lower]) * (place - Double(lower))
    }
}
