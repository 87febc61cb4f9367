import Foundation

#if canImport(Darwin)
    import Darwin
#endif

/// What a run found, as Markdown and as JSON.
struct Report: Codable {
    struct Machine: Codable {
        let processor: String
        let processors: Int
        let system: String
        let loadBefore: String
        let loadAfter: String
        let seconds: Double
    }

    let date: String
    let isQuick: Bool
    let filter: String?
    let machine: Machine
    let measurements: [Measurement]
    let latencies: [Latencies]
    let growth: [GrowthCurve]
    let goals: [GoalFigure]
    let notes: [String]

    /// The unit of hit rates, which have a table of their own.
    static let percent = "%"

    var markdown: String {
        var lines = times
        if !latencies.isEmpty { lines += [""] + tails }
        if !hits.isEmpty { lines += ["", "| Hit rate | In percent |", "| --- | --- |"] + hits }
        if !growth.isEmpty { lines += [""] + curves }
        if !goals.isEmpty { lines += [""] + table }
        lines += [
            "",
            "Machine: \(machine.processor), \(machine.processors) processors, \(machine.system); load \(machine.loadBefore) before and \(machine.loadAfter) after, \(Int(machine.seconds)) s\(isQuick ? ", quick run" : "").",
        ]
        if !notes.isEmpty { lines += [""] + notes.map { "- \($0)" } }
        lines += [""] + goals.map(\.line)
        return lines.joined(separator: "\n")
    }

    private var times: [String] {
        var lines = [
            "| Row | Contender | Median | 10th to 90th percentile | To the row's first | Clock |",
            "| --- | --- | ---: | --- | ---: | --- |",
        ]
        var floors: [String: Measurement] = [:]
        for figure in measurements where figure.unit != Self.percent {
            let floor = floors[figure.row] ?? figure
            floors[figure.row] = floor
            let spread =
                figure.samples.count > 1
                ? "\(Self.text(figure.low, figure.unit)) to \(Self.text(figure.high, figure.unit))" : ""
            let factor =
                floor.contender == figure.contender || floor.unit != figure.unit
                ? "" : String(format: "%.2f", figure.median / floor.median)
            lines.append(
                "| \(figure.row) | \(figure.contender) | \(Self.text(figure.median, figure.unit)) | \(spread) | \(factor) | \(figure.clock?.rawValue ?? "") |"
            )
        }
        return lines
    }

    /// A line for each trace, with all policies.
    private var hits: [String] {
        var rows: [(row: String, policies: [String])] = []
        for figure in measurements where figure.unit == Self.percent {
            if rows.last?.row != figure.row { rows.append((figure.row, [])) }
            rows[rows.count - 1].policies.append(figure.contender + String(format: " %.2f", figure.median))
        }
        return rows.map { "| \($0.row) | \($0.policies.joined(separator: ", ")) |" }
    }

    private var tails: [String] {
        [
            "| Single operations | Contender | Median | 99 of 100 | Longest | Of |",
            "| --- | --- | ---: | ---: | ---: | ---: |",
        ]
            + latencies.map {
                "| \($0.row) | \($0.contender) | \(Self.text($0.median, "ns")) | \(Self.text($0.p99, "ns")) | \(Self.text($0.longest, "ns")) | \($0.count) |"
            }
    }

    private var curves: [String] {
        var lines = [
            "| Growth | Contender | Time an operation, by what is held | Grows | To the figure's first |",
            "| --- | --- | --- | ---: | ---: |",
        ]
        var floors: [String: GrowthCurve] = [:]
        for curve in growth {
            let floor = floors[curve.figure] ?? curve
            floors[curve.figure] = floor
            guard let small = curve.sizes.first(where: { $0 >= 1_000 }), let large = curve.sizes.last else { continue }
            let medians = zip(curve.sizes, curve.medians).map { "\($0): \(Self.text($1, "ns"))" }
            let own = String(format: "%.2f", curve.growth(from: small, to: large).percentile(0.5))
            let factor = curve.isFloor ? "" : String(format: "%.2f", curve.growth(to: floor, from: small, to: large))
            lines.append(
                "| \(curve.figure) | \(curve.contender) | \(medians.joined(separator: ", ")) | \(own) | \(factor) |")
        }
        return lines
    }

    private var table: [String] {
        ["| Goal's line | Measured | Goal | Floor in this run |", "| --- | ---: | --- | --- |"]
            + goals.map { goal in
                let floor = goal.floor.map { "\(GoalFigure.text($0.value)): \($0.what)" } ?? ""
                return
                    "| \(goal.name) | \(goal.valueText) | \(goal.relation) \(GoalFigure.text(goal.goal)) | \(floor) |"
            }
    }

    /// A figure with its unit, times in the unit that fits them.
    private static func text(_ value: Double, _ unit: String) -> String {
        guard unit == "ns" else {
            guard abs(value) < 1e15, value == value.rounded() else { return String(format: "%.3g \(unit)", value) }
            return "\(Int(value)) \(unit)"
        }
        if value >= 1e9 { return String(format: "%.3g s", value / 1e9) }
        if value >= 1e6 { return String(format: "%.3g ms", value / 1e6) }
        if value >= 1e4 { return String(format: "%.3g µs", value / 1e3) }
        return String(format: "%.1f ns", value)
    }

    static func load() -> String {
        var loads = [0.0, 0.0, 0.0]
        guard getloadavg(&loads, 3) == 3 else { return "unknown" }
        return loads.map { String(format: "%.2f", $0) }.joined(separator: " ")
    }

    static func processor() -> String {
        #if canImport(Darwin)
            var size = 0
            guard sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0) == 0, size > 0 else {
                return "unknown processor"
            }
            var text = [UInt8](repeating: 0, count: size)
            guard sysctlbyname("machdep.cpu.brand_string", &text, &size, nil, 0) == 0 else {
                return "unknown processor"
            }
            return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        #else
            // Not there on every system; the report then says that it is unknown.
            guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
                let line = text.split(separator: "\n").first(where: { $0.hasPrefix("model name") }),
                let name = line.split(separator: ":").last
            else { return "unknown processor" }
            return name.trimmingCharacters(in: .whitespaces)
        #endif
    }
}
