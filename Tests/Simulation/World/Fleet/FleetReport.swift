import PaginatorCore

/// What an outage looks like from the backend, with and without what the library does against overload.
package struct FleetReport: Sendable {
    /// One way to behave, and what came of it.
    package struct Row: Sendable {
        package var name: String
        package var outage: Double
        package var worstMinute: Double
        package var peakAfter: Double
        package var recovery: Int
        /// The load by ten seconds, as a multiple of the normal one.
        package var loads: [Double]
    }

    package private(set) var rows: [Row] = []
    package let rate: Double
    package let clients: Int

    /// The library's defaults, and the same with something left out.
    package static var habits: [FleetSimulation.Habits] {
        let standard = PaginatorSchedulerConfig()
        var noFading = standard
        noFading.retryBudgetFading = nil
        var noBudget = standard
        noBudget.retryBudgetTokens = .max
        noBudget.retryBudgetFading = nil
        var noThrottle = standard
        noThrottle.throttlesFailingSource = false
        var nothing = noBudget
        nothing.throttlesFailingSource = false
        return [
            .init("defaults", standard),
            .init("without fading", noFading),
            .init("without budget", noBudget),
            .init("without throttling", noThrottle),
            .init("without budget and throttling", nothing),
            .init("without jitter, budget and throttling", nothing, hasJitter: false),
        ]
    }

    /// Ways to try again without any other care, and the defaults.
    package static var textbookHabits: [FleetSimulation.Habits] {
        var alone = PaginatorSchedulerConfig()
        alone.retryBudgetTokens = .max
        alone.retryBudgetFading = nil
        alone.throttlesFailingSource = false
        var atOnce = alone
        atOnce.backoffBase = .zero
        atOnce.backoffCap = .zero
        return [
            .init("no back-off", atOnce, hasJitter: false),
            .init("exponential back-off without jitter", alone, hasJitter: false),
            .init("exponential back-off with full jitter", alone),
            .init("defaults", PaginatorSchedulerConfig()),
        ]
    }

    /// Runs every way to behave.
    package init(clients: Int = 100_000, rate: Double, impatience: Double = 0, seed: UInt64 = 1) {
        self.rate = rate
        self.clients = clients
        for habits in Self.habits {
            var fleet = FleetSimulation(habits)
            fleet.clients = clients
            fleet.rate = rate
            fleet.impatience = impatience
            fleet.run(seed: seed)
            rows.append(
                Row(
                    name: habits.name, outage: fleet.loadInOutage, worstMinute: fleet.worstMinute,
                    peakAfter: fleet.peakAfter, recovery: fleet.recovery,
                    loads: stride(from: 180, to: fleet.end, by: 10).map { fleet.load($0..<($0 + 10)) }))
        }
    }

    /// The report as a table of Markdown.
    package var table: String {
        var text = "| \(clients) clients, \(rate) requests a second each | load in the outage | its worst minute "
        text += "| peak after it | served as before after |\n| --- | --- | --- | --- | --- |\n"
        for row in rows {
            text += "| \(row.name) | \(Self.shown(row.outage)) x | \(Self.shown(row.worstMinute)) x "
            text += "| \(Self.shown(row.peakAfter)) x | \(row.recovery) s |\n"
        }
        return text
    }

    /// The load over time as lines of text: one character for half a minute, in eighths of three times the normal load.
    package var plot: String {
        let marks = Array(" ▁▂▃▄▅▆▇█")
        var text = "load over time, a character for 30 s, full height for 3 x; down between the bars\n"
        for row in rows {
            var line = ""
            for index in stride(from: 0, to: row.loads.count - 2, by: 3) {
                if index * 10 + 180 == 300 || index * 10 + 180 == 900 { line += "|" }
                let load = row.loads[index..<(index + 3)].reduce(0, +) / 3
                line.append(marks[min(8, max(0, Int((load * 8 / 3).rounded())))])
            }
            text += line + "  " + row.name + "\n"
        }
        return text
    }

    /// The load over time as a picture.
    package var picture: String {
        let colors = ["#0a7d32", "#6a3d9a", "#b15928", "#1f78b4", "#ff7f00", "#e31a1c"]
        let (width, height, top) = (900.0, 360.0, 3.5)
        func x(_ index: Int) -> Double {
            50 + Double(index) / Double(max(1, (rows.first?.loads.count ?? 1) - 1)) * width
        }
        func y(_ load: Double) -> Double { 20 + height * (1 - min(load, top) / top) }
        var text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 520\" font-family=\"sans-serif\" "
        text += "font-size=\"13\">\n<rect width=\"1000\" height=\"520\" fill=\"white\"/>\n"
        text += "<rect x=\"\(x(12))\" y=\"20\" width=\"\(x(72) - x(12))\" height=\"\(height)\" fill=\"#eeeeee\"/>\n"
        for load in 0...3 {
            text += "<path d=\"M50 \(y(Double(load)))H950\" stroke=\"#cccccc\"/>"
            text += "<text x=\"20\" y=\"\(y(Double(load)) + 4)\">\(load) x</text>\n"
        }
        for (number, row) in rows.enumerated().reversed() {
            let points = row.loads.indices.map { "\(Self.shown(x($0))),\(Self.shown(y(row.loads[$0])))" }
            text += "<polyline fill=\"none\" stroke=\"\(colors[number % colors.count])\" stroke-width=\"1.6\" points=\""
            text += points.joined(separator: " ") + "\"/>\n"
        }
        for (number, row) in rows.enumerated() {
            let (left, down) = (60 + Double(number % 3) * 300, 420 + Double(number / 3) * 28)
            text += "<rect x=\"\(left)\" y=\"\(down - 10)\" width=\"14\" height=\"10\" "
            text += "fill=\"\(colors[number % colors.count])\"/>"
            text += "<text x=\"\(left + 20)\" y=\"\(down)\">\(row.name)</text>\n"
        }
        text += "<text x=\"50\" y=\"490\">Load on the backend as a multiple of the normal one, over 22 minutes; "
        text += "the backend is down for the ten minutes in gray.</text>\n</svg>\n"
        return text
    }

    static func shown(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
