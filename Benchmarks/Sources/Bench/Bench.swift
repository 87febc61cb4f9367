import Foundation

/// Runs the benchmarks and prints what they measured; it judges nothing.
@main
enum Bench {
    static let usage = """
        usage: bench [--filter NAME] [--quick] [--json FOLDER] [--svg FILE] [--list]
          --filter NAME   runs the groups whose name contains NAME; may be given several times
          --quick         a tenth of the work: to see that everything runs, not for figures to tell
          --json FOLDER   writes the figures to a dated file in FOLDER too
          --svg FILE      writes the growth of every figure to FILE as a picture
          --list          prints the groups' names
        """

    static func main() throws {
        if CommandLine.arguments.dropFirst().first == "--child" {
            return try Child.run(Array(CommandLine.arguments.dropFirst(2)))
        }
        var filters: [String] = []
        var isQuick = false
        var jsonFolder: String?
        var picture: String?
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--filter": if let name = arguments.popFirst() { filters.append(name) }
            case "--quick": isQuick = true
            case "--svg": picture = arguments.popFirst()
            case "--json": jsonFolder = arguments.popFirst()
            case "--list":
                for group in Group.all { print(group.name) }
                return
            default:
                print(usage)
                exit(argument == "--help" ? 0 : 1)
            }
        }
        let session = try Session(isQuick: isQuick)
        let start = Date()
        let loadBefore = Report.load()
        for group in Group.all where filters.isEmpty || filters.contains(where: group.name.contains) {
            let begin = BenchClock.wall.nanoseconds
            do {
                try group.run(session)
            } catch {
                session.note("\(group.name): FAILED, \(error)")
            }
            let seconds = Double(BenchClock.wall.nanoseconds - begin) * 1e-9
            session.progress("\(group.name) took \(Int(seconds.rounded())) s")
        }
        let version = ProcessInfo.processInfo.operatingSystemVersionString
        let report = Report(
            date: ISO8601DateFormatter().string(from: start), isQuick: isQuick,
            filter: filters.isEmpty ? nil : filters.joined(separator: ","),
            machine: Report.Machine(
                processor: Report.processor(), processors: ProcessInfo.processInfo.activeProcessorCount,
                system: version, loadBefore: loadBefore, loadAfter: Report.load(),
                seconds: Date().timeIntervalSince(start)),
            measurements: session.measurements, latencies: session.latencies, growth: session.growth,
            goals: session.goals, notes: session.notes)
        print(report.markdown)
        fflush(nil)
        if let picture, !session.growth.isEmpty {
            let caption =
                "Time of an operation by what is held, both axes logarithmic; dashed: the floor. "
                + "Measured \(report.date.prefix(10)), load \(loadBefore) before."
            try Data(GrowthPicture(curves: session.growth, caption: caption).svg.utf8).write(
                to: URL(fileURLWithPath: picture))
        }
        if let jsonFolder {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            let name = report.date.replacingOccurrences(of: ":", with: "")
            let file = URL(fileURLWithPath: jsonFolder).appendingPathComponent("bench-\(name).json")
            try encoder.encode(report).write(to: file)
            session.progress("figures in \(file.path)")
        }
    }
}

/// Rows that share what they prepare.
struct Group: Sendable {
    let name: String
    let run: @Sendable (Session) throws -> Void
}
