import Foundation

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
    let goals: [GoalFigure]
    let notes: [String]

    var markdown: String {
        var lines = [
            "| Row | Contender | Median | 10th to 90th percentile | To the row's first | Clock |",
            "| --- | --- | ---: | --- | ---: | --- |",
        ]
        var floors: [String: Measurement] = [:]
        for figure in measurements {
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
        lines += [
            "",
            "Machine: \(machine.processor), \(machine.processors) processors, \(machine.system); load \(machine.loadBefore) before and \(machine.loadAfter) after, \(Int(machine.seconds)) s\(isQuick ? ", quick run" : "").",
        ]
        if !notes.isEmpty { lines += [""] + notes.map { "- \($0)" } }
        lines += [""] + goals.map(\.line)
        return lines.joined(separator: "\n")
    }

    /// A figure with its unit, times in the unit that fits them.
    private static func text(_ value: Double, _ unit: String) -> String {
        guard unit == "ns" else {
            return value == value.rounded() ? "\(Int(value)) \(unit)" : String(format: "%.3g \(unit)", value)
        }
        if value >= 1e9 { return String(format: "%.3g s", value / 1e9) }
        if value >= 1e6 { return String(format: "%.3g ms", value / 1e6) }
        if value >= 1e4 { return String(format: "%.3g µs", value / 1e3) }
        return String(format: "%.1f ns", value)
    }

    static func load() -> String {
        guard let text = try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8) else { return "unknown" }
        return text.split(separator: " ").prefix(3).joined(separator: " ")
    }

    static func processor() -> String {
        guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("model name") }),
            let name = line.split(separator: ":").last
        else { return "unknown processor" }
        return name.trimmingCharacters(in: .whitespaces)
    }
}
