extension PaginatorCounters: CustomStringConvertible {
    /// A table for display: the numbers that are not zero, then the durations. It contains no user data.
    public var description: String {
        var rows = PaginatorEvent.Kind.allCases.filter { self[$0] > 0 }.map { ($0.rawValue, String(self[$0])) }
        if failedAttempts > 0 { rows.append(("failed attempts", String(failedAttempts))) }
        if longestQueue > 0 { rows.append(("longest queue", String(longestQueue))) }
        rows += Self.rows("answered from", answers.map { ($0.key.rawValue, $0.value) })
        rows += Self.rows("failed with", failures.map { ($0.key.rawValue, $0.value) })
        rows += Self.rows("evicted by", evictions.map { ($0.key.rawValue, $0.value) })
        rows += Self.rows("verdict", verdicts.map { ($0.key, $0.value) })
        guard !rows.isEmpty else { return "nothing counted" }
        return (Self.aligned(rows.map { [$0.0, $0.1] }) + durationLines).joined(separator: "\n")
    }

    private var durationLines: [String] {
        let steps = Self.steps.map { ($0.label, durations(of: $0.kind)) }.filter { $0.1.count > 0 }
        guard !steps.isEmpty else { return [] }
        return Self.aligned(
            [["milliseconds", "count", "mean", "p50", "p99", "longest"]]
                + steps.map { label, summary in
                    let times = [summary.mean, summary.percentile(0.5), summary.percentile(0.99), summary.longest]
                    return [label, String(summary.count)] + times.map(\.inMillisecondsOfTwoDigits)
                })
    }

    private static var steps: [(label: String, kind: PaginatorEvent.Kind)] {
        [
            ("wait for a slot", .attemptStarted), ("source", .attemptEnded), ("decode", .decoded),
            ("validate", .validated),
            ("store hit", .storeHit), ("store miss", .storeMiss), ("store write", .stored),
            ("back-off", .retryScheduled),
            ("deliver", .callbackDelivered), ("load", .loadEnded), ("fetch", .fetchEnded),
        ]
    }

    private static func rows(_ title: String, _ numbers: [(String, Int)]) -> [(String, String)] {
        numbers.sorted { $0.0 < $1.0 }.map { ("\(title) \($0.0)", String($0.1)) }
    }

    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths = rows.reduce(rows[0].map(\.count)) { widths, row in zip(widths, row).map { max($0, $1.count) } }
        return rows.map { row in
            row.enumerated().map { column, text in
                let padding = String(repeating: " ", count: widths[column] - text.count)
                return column == 0 ? text + padding : padding + text
            }.joined(separator: "  ")
        }
    }
}

extension Duration {
    // With the digits of a percentile.
    fileprivate var inMillisecondsOfTwoDigits: String {
        let nanoseconds = DurationSummary.inTwoDigits(wholeNanoseconds)
        guard nanoseconds > 0 else { return "0" }
        let fraction = String(nanoseconds % 1_000_000 + 1_000_000).dropFirst()
        let decimals = min(6, max(0, 8 - String(nanoseconds).count))
        return "\(nanoseconds / 1_000_000)" + (decimals > 0 ? ".\(fraction.prefix(decimals))" : "")
    }

    var inMilliseconds: String {
        let microseconds = wholeNanoseconds / 1_000
        let decimals = String(abs(microseconds % 1_000))
        return "\(microseconds / 1_000)." + String(repeating: "0", count: 3 - decimals.count) + decimals
    }
}
