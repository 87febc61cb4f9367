import Foundation

// What it costs to depend on the core alone: the time of a clean release build, and what it adds to a program.
extension Group {
    static let consumer = Group(name: "consumer") { session in
        guard let tool = Command.path("PAGINATOR_BENCH_CONSUMER"),
            let package = Command.path("PAGINATOR_BENCH_PACKAGE"), let grdb = Command.path("PAGINATOR_BENCH_GRDB")
        else {
            session.note("consumer: SKIPPED, PAGINATOR_BENCH_CONSUMER does not name the tool; use scripts/bench")
            session.ratio("consumer-release-build-to-grdb", nil, .atMost(0.4))
            session.count("consumer-stripped-megabytes", nil, .atMost(1.5))
            return
        }
        session.progress("clean release builds of two consumers")
        var seconds: [Substring: Double] = [:]
        var megabytes: [Substring: Double] = [:]
        for line in try Command.run(tool, [package, grdb]).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 3, let time = Double(words[1]), let size = Double(words[2]) else { continue }
            seconds[words[0]] = time
            megabytes[words[0]] = size / 1_000_000
        }
        for (name, contender) in [("core", "PaginatorCore alone"), ("grdb", "GRDB 7.10 alone")] {
            let (time, size) = (seconds[name[...]] ?? .nan, megabytes[name[...]] ?? .nan)
            session.record("clean release build of a consumer", contender, time, unit: "s")
            session.record("its stripped program", contender, size, unit: "MB")
        }
        session.ratio(
            "consumer-release-build-to-grdb", (seconds["core"] ?? .nan) / (seconds["grdb"] ?? .nan), .atMost(0.4))
        session.count("consumer-stripped-megabytes", megabytes["core"], .atMost(1.5))
    }
}
