import Foundation

/// One run of the benchmarks: what was measured, and the goals' figures.
final class Session {
    let isQuick: Bool
    private(set) var measurements: [Measurement] = []
    private(set) var latencies: [Latencies] = []
    private(set) var growth: [GrowthCurve] = []
    private(set) var goals: [GoalFigure] = []
    private(set) var notes: [String] = []
    let folder: URL

    init(isQuick: Bool) throws {
        self.isQuick = isQuick
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("paginator-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch { progress("\(folder.path) stays: \(error)") }
    }

    /// A number of operations, a tenth of it in a quick run.
    func scaled(_ count: Int) -> Int { isQuick ? max(1, count / 10) : count }

    /// Runs the contenders in turn and adds what they took to the table.
    @discardableResult
    func run(_ contest: Contest) throws -> [Measurement] {
        let measured = try measure(contest)
        measurements += measured
        return measured
    }

    /// Runs the contenders in turn, one warm-up round first, each round in another order.
    func measure(_ contest: Contest) throws -> [Measurement] {
        progress(contest.row)
        var samples = [[Double]](repeating: [], count: contest.contenders.count)
        let rounds = isQuick ? max(3, contest.rounds / 4) : contest.rounds
        let begin = BenchClock.wall.nanoseconds
        for round in -1..<rounds {
            if round >= 3, Double(BenchClock.wall.nanoseconds - begin) > contest.seconds * 1e9 { break }
            for step in contest.contenders.indices {
                let index = (step + max(0, round)) % contest.contenders.count
                let contender = contest.contenders[index]
                var watch = Stopwatch(contest.clock)
                try contender.run(&watch)
                guard round >= 0 else { continue }
                samples[index].append(Double(watch.elapsed) / Double(contender.operations ?? contest.operations))
            }
        }
        return contest.contenders.indices.map {
            Measurement(
                row: contest.row, contender: contest.contenders[$0].name, unit: "ns", clock: contest.clock,
                samples: samples[$0])
        }
    }

    /// Adds a figure that is not a time an operation.
    func record(_ row: String, _ contender: String, _ value: Double, unit: String) {
        record(row, contender, samples: [value], unit: unit)
    }

    /// Adds figures of which the median counts.
    func record(_ row: String, _ contender: String, samples: [Double], unit: String, clock: BenchClock? = nil) {
        measurements.append(
            Measurement(row: row, contender: contender, unit: unit, clock: clock, samples: samples))
    }

    /// Adds how long single operations took, in nanoseconds.
    func record(_ row: String, _ contender: String, latencies times: [Double]) {
        latencies.append(Latencies(row, contender, times))
    }

    func record(_ curves: [GrowthCurve]) {
        growth += curves
    }

    /// Adds a goal's line: the median of the rounds' ratios of one contender to another.
    func ratio(_ name: String, of first: Measurement, to second: Measurement, _ goal: Goal, floor: Floor? = nil) {
        ratio(name, first.ratio(to: second), goal, floor: floor)
    }

    /// Adds a goal's line; without a value it says that the row was skipped.
    func ratio(_ name: String, _ value: Double?, _ goal: Goal, floor: Floor? = nil) {
        goals.append(
            GoalFigure(
                kind: .ratio, name: name, value: value, relation: goal.relation, goal: goal.value, floor: floor))
    }

    /// Adds a goal's line; without a value it says that the row was skipped.
    func count(_ name: String, _ value: Double?, _ goal: Goal, floor: Floor? = nil) {
        goals.append(
            GoalFigure(
                kind: .count, name: name, value: value, relation: goal.relation, goal: goal.value, floor: floor))
    }

    /// Says something that the table cannot, such as what was skipped and why.
    func note(_ text: String) {
        notes.append(text)
        progress(text)
    }

    func progress(_ text: String) {
        FileHandle.standardError.write(Data("-- \(text)\n".utf8))
    }
}
