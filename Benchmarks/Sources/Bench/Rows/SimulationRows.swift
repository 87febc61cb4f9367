import Foundation

// The library in virtual time: its own simulation, in a process of its own.
extension Group {
    static let simulation = Group(name: "simulation") { session in
        guard let program = Command.path("PAGINATOR_BENCH_SIMULATE") else {
            session.note("simulation: SKIPPED, PAGINATOR_BENCH_SIMULATE does not name the program; use scripts/bench")
            for line in Simulated.goals { line(session, nil) }
            return
        }
        let simulated = Simulated(program: program)
        try worlds(session, simulated)
        try prefetch(session, simulated)
        try scrolling(session, simulated)
        try outage(session, simulated)
    }

    /// Worlds of fifty lists and five events a second, each seed twice.
    private static func worlds(_ session: Session, _ simulated: Simulated) throws {
        session.progress("simulated worlds")
        let seeds = session.isQuick ? 3 : 20
        var speeds: [Double] = []
        var traces: Set<Substring> = []
        var broken = 0
        for _ in 0..<2 {
            // A world that breaks a promise ends the program with another status.
            do {
                let lines = try simulated.lines(["--seeds", "\(seeds)", "--brief"])
                speeds.append(Simulated.number(after: "simulated against real time: ", in: lines) ?? .nan)
                traces.formUnion(lines.filter { $0.hasPrefix("traces: ") })
            } catch {
                session.note("simulation: \(error)")
                broken += 1
            }
        }
        session.record(
            "simulated worlds of 50 lists, 5 events a second", "against real time", samples: speeds, unit: "x")
        session.count("simulation-times-real-time-on-one-core", speeds.percentile(0.5), .atLeast(10_000))
        session.count("simulation-runs-with-a-broken-promise", Double(broken), .exactly(0))
        session.count("simulation-other-traces-of-the-same-\(seeds)-seeds", Double(traces.count - 1), .exactly(0))
    }

    private static func prefetch(_ session: Session, _ simulated: Simulated) throws {
        session.progress("simulated prefetch")
        let lines = try simulated.lines(["prefetch"])
        let row = "1,000 pages read, 50 ms a call, a page used in 50 ms"
        for (name, beginning) in [
            ("no prefetch", "stalled without prefetch: "), ("prefetch two pages ahead", "stalled with prefetch: "),
        ] {
            session.record(row, name, Simulated.number(after: beginning, in: lines) ?? .nan, unit: "s stalled")
        }
        let stalls = Simulated.number(after: "stalls with prefetch against without: ", in: lines)
        let requests = Simulated.number(after: "requests with prefetch against without: ", in: lines)
        session.ratio("prefetch-stalls-to-none", stalls, .atMost(0.1))
        session.ratio("prefetch-requests-to-none", requests, .atMost(1.05))
    }

    /// Four links, four styles of scrolling, three sizes of pages.
    private static func scrolling(_ session: Session, _ simulated: Simulated) throws {
        session.progress("simulated scrolling")
        let lines = try simulated.lines(["scrolling", "--seeds", session.isQuick ? "1" : "8"])
        for other in ["none", "fixed 15", "Texture, 2 screens", "Paging 3"] {
            let share = Simulated.number(after: "adaptive, percent of the waiting with \(other): ", in: lines)
            session.record(
                "scrolling over links from 2G to 5G: adaptive waiting, of that with", other, share ?? .nan, unit: "%")
        }
        for name in [
            "first row of a stream", "first 10 rows as a part", "all rows of a stream", "part and rest",
        ] {
            let share = Simulated.number(after: "\(Simulated.page), \(name) to the whole page at once: ", in: lines)
            session.record("\(Simulated.page), to the whole page at once", name, share ?? .nan, unit: "x")
        }
        for (goal, beginning) in zip(Simulated.scrollingGoals, Simulated.scrollingLines) {
            goal(session, Simulated.number(after: beginning, in: lines))
        }
    }

    private static func outage(_ session: Session, _ simulated: Simulated) throws {
        session.progress("simulated outage")
        let lines = try simulated.lines(["outage"])
        for rate in Simulated.rates {
            let line = lines.filter { $0.hasPrefix("outage, \(rate) ") }
            let load = Simulated.number(after: ": load ", in: line)
            let peak = Simulated.number(after: "peak after ", in: line)
            session.ratio("outage-load-at-\(rate)-requests-a-second", load, .atMost(1.1))
            session.ratio("outage-peak-after-at-\(rate)-requests-a-second", peak, .atMost(1.2))
        }
        for name in [
            "no back-off", "exponential back-off without jitter", "exponential back-off with full jitter", "defaults",
        ] {
            let line = lines.filter { $0.hasPrefix("\(name): ") }
            for (figure, beginning) in [
                ("load in the outage", "load "), ("its worst minute", "worst minute "),
                ("peak after it", "peak after "),
            ] {
                session.record(
                    "2,000 clients, a request a second each, ten minutes' outage: \(figure)", name,
                    Simulated.number(after: beginning, in: line) ?? .nan, unit: "x")
            }
        }
    }
}

/// The program that `scripts/simulate` builds.
private struct Simulated {
    let program: String

    static let rates = ["5.0", "1.0", "0.2", "0.1"]

    static let scrollingLines = [
        "adaptive, percent of the time waiting: ", "adaptive, requests to the need: ",
        "adaptive, percent of bytes never shown: ",
        "adaptive, cells with a missed goal that is reached where one knows all: ",
        "\(page), first row of a stream to the whole page at once: ",
    ]

    static let page = "a page of 200 rows on 2G"

    static var scrollingGoals: [(Session, Double?) -> Void] {
        [
            { $0.count("scrolling-percent-of-the-time-waiting", $1, .atMost(1)) },
            { $0.ratio("scrolling-requests-to-the-need", $1, .atMost(1.05)) },
            { $0.count("scrolling-percent-of-bytes-never-shown", $1, .atMost(5)) },
            { $0.count("scrolling-goals-missed-that-can-be-reached", $1, .exactly(0)) },
            { $0.ratio("partial-page-first-row-to-whole-page-on-2g", $1, .atMost(0.25)) },
        ]
    }

    /// The goals' lines without values.
    static var goals: [(Session, Double?) -> Void] {
        [
            { $0.count("simulation-times-real-time-on-one-core", $1, .atLeast(10_000)) },
            { $0.count("simulation-runs-with-a-broken-promise", $1, .exactly(0)) },
            { $0.ratio("prefetch-stalls-to-none", $1, .atMost(0.1)) },
            { $0.ratio("prefetch-requests-to-none", $1, .atMost(1.05)) },
            { $0.ratio("outage-load", $1, .atMost(1.1)) },
            { $0.ratio("outage-peak-after", $1, .atMost(1.2)) },
        ] + scrollingGoals
    }

    func lines(_ arguments: [String]) throws -> [Substring] {
        // Tables of hashed values are walked in the same order in each run.
        try Command.run(program, arguments, with: ["SWIFT_DETERMINISTIC_HASHING": "1"]).split(separator: "\n")
    }

    static func number(after text: String, in lines: [Substring]) -> Double? {
        for line in lines {
            guard let range = line.range(of: text) else { continue }
            return Double(line[range.upperBound...].prefix { $0.isNumber || $0 == "." })
        }
        return nil
    }
}
