import Foundation

/// One run of the benchmarks: what was measured, and the goals' figures.
final class Session {
    let isQuick: Bool
    private(set) var measurements: [Measurement] = []
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

    /// Runs the contenders in turn, one warm-up round first, each round in another order.
    @discardableResult
    func run(_ contest: Contest) throws -> [Measurement] {
        progress(contest.row)
        var samples = [[Double]](repeating: [], count: contest.contenders.count)
        let rounds = isQuick ? max(3, contest.rounds / 4) : contest.rounds
        for round in -1..<rounds {
            for step in contest.contenders.indices {
                let index = (step + max(0, round)) % contest.contenders.count
                let contender = contest.contenders[index]
                var watch = Stopwatch(contest.clock)
                try contender.run(&watch)
                guard round >= 0 else { continue }
                samples[index].append(Double(watch.elapsed) / Double(contender.operations ?? contest.operations))
            }
        }
        let measured = contest.contenders.indices.map {
            Measurement(
                row: contest.row, contender: contest.contenders[$0].name, unit: "ns", clock: contest.clock,
                samples: samples[$0])
        }
        measurements += measured
        return measured
    }

    /// Adds a figure that is not a time an operation.
    func record(_ row: String, _ contender: String, _ value: Double, unit: String) {
        measurements.append(
            Measurement(row: row, contender: contender, unit: unit, clock: nil, samples: [value]))
    }

    /// Adds figures of which the median counts.
    func record(_ row: String, _ contender: String, samples: [Double], unit: String, clock: BenchClock? = nil) {
        measurements.append(
            Measurement(row: row, contender: contender, unit: unit, clock: clock, samples: samples))
    }

    /// Adds a goal's line: the median of the rounds' ratios of one contender to another.
    func ratio(_ name: String, of first: Measurement, to second: Measurement, _ goal: Goal) {
        let ratios = zip(first.samples, second.samples).map { $0 / $1 }
        ratio(name, ratios.percentile(0.5), goal)
    }

    func ratio(_ name: String, _ value: Double, _ goal: Goal) {
        goals.append(GoalFigure(kind: .ratio, name: name, value: value, relation: goal.relation, goal: goal.value))
    }

    func count(_ name: String, _ value: Double, _ goal: Goal) {
        goals.append(GoalFigure(kind: .count, name: name, value: value, relation: goal.relation, goal: goal.value))
    }

    /// Says something that the table cannot, such as what was skipped and why.
    func note(_ text: String) {
        notes.append(text)
    }

    func progress(_ text: String) {
        FileHandle.standardError.write(Data("-- \(text)\n".utf8))
    }
}

/// The value that a figure is to keep, above or below.
struct Goal {
    let relation: String
    let value: Double

    static func atMost(_ value: Double) -> Goal { Goal(relation: "<=", value: value) }
    static func atLeast(_ value: Double) -> Goal { Goal(relation: ">=", value: value) }
    static func exactly(_ value: Double) -> Goal { Goal(relation: "==", value: value) }
}

/// A figure that has a goal; whether it is met is the reader's to say.
struct GoalFigure: Codable {
    enum Kind: String, Codable { case ratio, count }

    let kind: Kind
    let name: String
    let value: Double
    let relation: String
    let goal: Double

    var line: String { "\(kind.rawValue) \(name) \(number(value)) \(relation) \(number(goal))" }

    private func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(format: "%.3f", value)
    }
}
