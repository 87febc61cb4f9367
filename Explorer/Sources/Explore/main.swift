import CExplorer
import Foundation

@testable import PaginatorCore

// scripts/explore says what the arguments mean.
let programs =
    oncePrograms + ticketPrograms + mailboxPrograms + driverPrograms + cachePrograms + editPrograms + storePrograms
    + filePrograms

var preemptions = 3
var limit = Int.max
var schedule: [Int8]?
var wanted: [String] = []
var arguments = CommandLine.arguments.dropFirst().makeIterator()
while let argument = arguments.next() {
    switch argument {
    case "--preemptions": preemptions = arguments.next().flatMap { Int($0) } ?? preemptions
    case "--limit": limit = arguments.next().flatMap { Int($0) } ?? limit
    case "--schedule": schedule = arguments.next()?.split(separator: ",").compactMap { Int8($0) }
    default: wanted.append(argument)
    }
}
for name in wanted where !programs.contains(where: { $0.name == name }) {
    print("error: there is no program '\(name)'; the programs are: \(programs.map(\.name).joined(separator: " "))")
    exit(2)
}

func grouped(_ number: Int) -> String {
    let digits = String(number)
    return digits.enumerated().map { index, digit in
        index > 0 && (digits.count - index).isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
    }.joined()
}

func fail(_ program: Program, _ finding: Finding) -> Never {
    print("explore \(program.name): \(finding.complaint ?? "")")
    print("  threads: \(program.about)")
    print(
        "  again with: scripts/explore \(program.name) --schedule \(finding.schedule.map(String.init).joined(separator: ","))"
    )
    exit(1)
}

// Threads get their numbers, and the library's constants are made, before anything is explored.
_ = CurrentThread.current
let explorer = Explorer(preemptions: preemptions, limit: limit)
let threads = Program("threads", "") {
    Run(threads: (0..<EXPLORER_THREADS).map { _ in { _ = CurrentThread.current } }) { nil }
}
if let finding = explorer.run(threads, []).complaint { print("error: \(finding)") }

var total = 0
for program in programs where wanted.isEmpty || wanted.contains(program.name) {
    if let schedule {
        let finding = explorer.run(program, schedule)
        if finding.complaint != nil { fail(program, finding) }
        print("explore \(program.name): this schedule is right")
        continue
    }
    // Once for what the library makes when it is first used.
    let first = explorer.run(program, [])
    if first.complaint != nil { fail(program, first) }
    let (failure, schedules, mostChoices, isWhole) = explorer.explore(program)
    if let failure { fail(program, failure) }
    total += schedules
    fflush(nil)
    print(
        "explore \(program.name): \(isWhole ? "all" : "the first") \(grouped(schedules)) schedules, "
            + "up to \(mostChoices) choices each: \(program.about)")
}
if schedule == nil {
    print("explore: \(grouped(total)) schedules with at most \(preemptions) preemptions, nothing found")
}
