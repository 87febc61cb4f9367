/// What each way of loading ahead makes a user wait, and what it costs, on every link and in every style of scrolling.
package struct ScrollingReport: Sendable {
    /// A link, a style and a size of pages.
    private struct Cell: Hashable {
        var link: String
        var style: ScrollingStyle
        var pageSize: Int
    }

    private typealias Outcome = ScrollingSession.Outcome

    private var outcomes: [PrefetchMethod: [Cell: Outcome]] = [:]
    private let pageSizes: [Int]
    private let seeds: Int
    private let minutes: Double

    package init(seeds: Int = 8, minutes: Double = 30, pageSizes: [Int] = [20, 30, 50]) {
        (self.seeds, self.minutes, self.pageSizes) = (max(1, seeds), minutes, pageSizes)
        for method in PrefetchMethod.allCases {
            for link in SimulatedLink.all {
                for style in ScrollingStyle.allCases {
                    for pageSize in pageSizes {
                        var session = ScrollingSession(link, style, method, pageSize: pageSize)
                        session.minutes = minutes
                        var sum = Outcome()
                        for seed in 1...self.seeds { sum += session.run(seed: UInt64(seed)) }
                        outcomes[method, default: [:]][Cell(link: link.name, style: style, pageSize: pageSize)] = sum
                    }
                }
            }
        }
    }

    private func sum(_ method: PrefetchMethod, where isMeant: (Cell) -> Bool = { _ in true }) -> Outcome {
        var sum = Outcome()
        for (cell, outcome) in outcomes[method] ?? [:] where isMeant(cell) { sum += outcome }
        return sum
    }

    /// Lines of Markdown, and then one figure a line behind a colon.
    package var lines: [String] {
        var lines = [
            "\(seeds) sessions of \(Int(minutes)) minutes for each link, style and size of pages "
                + "(\(pageSizes.map(String.init).joined(separator: ", ")) rows)", "",
            "| Distance | waiting | worst | requests to the need | worst | bytes never shown | worst | all three goals |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        ]
        for method in PrefetchMethod.allCases {
            let cells = Array((outcomes[method] ?? [:]).values)
            let sum = sum(method)
            let worst = (
                cells.map(\.waiting).max() ?? 0, cells.map(\.requestsToNeed).max() ?? 0, cells.map(\.unseen).max() ?? 0
            )
            let good = cells.count(where: Self.isGood)
            lines.append(
                "| \(method.rawValue) | \(percent(sum.waiting)) | \(percent(worst.0)) "
                    + "| \(FleetReport.shown(sum.requestsToNeed)) | \(FleetReport.shown(worst.1)) "
                    + "| \(percent(sum.unseen)) | \(percent(worst.2)) | \(good) of \(cells.count) |")
        }
        lines += ["", "| Waiting | " + PrefetchMethod.allCases.map(\.rawValue).joined(separator: " | ") + " |"]
        lines.append("| --- |" + String(repeating: " ---: |", count: PrefetchMethod.allCases.count))
        for link in SimulatedLink.all {
            for style in ScrollingStyle.allCases {
                let figures = PrefetchMethod.allCases.map { method in
                    percent(sum(method) { $0.link == link.name && $0.style == style }.waiting)
                }
                lines.append("| \(link.name), \(style.rawValue) | " + figures.joined(separator: " | ") + " |")
            }
        }
        lines += [
            "",
            "| Requests to the need, bytes never shown | "
                + PrefetchMethod.allCases.map(\.rawValue).joined(separator: " | ") + " |",
        ]
        lines.append("| --- |" + String(repeating: " ---: |", count: PrefetchMethod.allCases.count))
        for style in ScrollingStyle.allCases {
            for pageSize in pageSizes {
                let figures = PrefetchMethod.allCases.map { method in
                    let sum = sum(method) { $0.style == style && $0.pageSize == pageSize }
                    return "\(FleetReport.shown(sum.requestsToNeed)), \(percent(sum.unseen))"
                }
                lines.append("| \(style.rawValue), \(pageSize) rows | " + figures.joined(separator: " | ") + " |")
            }
        }
        let adaptive = sum(.adaptive)
        let missed = (outcomes[.adaptive] ?? [:]).count { cell, outcome in
            !Self.isGood(outcome) && outcomes[.clairvoyant]?[cell].map(Self.isGood) ?? false
        }
        lines += [""]
        for method in [PrefetchMethod.none, .fixed, .texture, .paging] {
            let share = FleetReport.shown(100 * adaptive.waited / sum(method).waited)
            lines.append("adaptive, percent of the waiting with \(method.rawValue): \(share)")
        }
        return lines + [
            "adaptive, percent of the time waiting: \(FleetReport.shown(100 * adaptive.waiting)) (goal: at most 1)",
            "adaptive, requests to the need: \(FleetReport.shown(adaptive.requestsToNeed)) (goal: at most 1.05)",
            "adaptive, percent of bytes never shown: \(FleetReport.shown(100 * adaptive.unseen)) (goal: at most 5)",
            "adaptive, cells with a missed goal that is reached where one knows all: \(missed) (goal: 0)",
        ]
    }

    private static func isGood(_ outcome: Outcome) -> Bool {
        outcome.waiting <= 0.01 && outcome.requestsToNeed <= 1.05 && outcome.unseen <= 0.05
    }

    private func percent(_ share: Double) -> String { FleetReport.shown(100 * share) + " %" }
}
