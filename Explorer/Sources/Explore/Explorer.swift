import CExplorer

/// One run of a program: fresh objects, what each thread does with them, and what must hold afterwards.
struct Run {
    let threads: [@Sendable () -> Void]
    /// What does not hold that must hold.
    let complaint: () -> String?
}

/// A small program whose every schedule is run.
struct Program: Sendable {
    let name: String
    /// What the threads do.
    let about: String
    let make: @Sendable () -> Run

    init(_ name: String, _ about: String, make: @escaping @Sendable () -> Run) {
        self.name = name
        self.about = about
        self.make = make
    }
}

/// What the workers get by reference.
private final class Threads: Sendable {
    let bodies: [@Sendable () -> Void]

    init(_ bodies: [@Sendable () -> Void]) {
        self.bodies = bodies
    }
}

/// What one schedule has come to.
struct Finding {
    let choices: [explorer_choice]
    let complaint: String?

    var schedule: [Int8] { choices.map(\.chosen) }
}

/// Runs a program under one schedule after the other, depth first.
struct Explorer {
    /// How often a thread that could go on is made to wait, in one schedule.
    let preemptions: Int
    let limit: Int

    /// The first schedule under which something does not hold, and how many were run, with the most choices of one.
    func explore(_ program: Program) -> (failure: Finding?, schedules: Int, mostChoices: Int, isWhole: Bool) {
        var schedules = 0
        var mostChoices = 0
        var given: [Int8] = []
        var earlier: [explorer_choice] = []
        while true {
            let finding = run(program, given, earlier)
            schedules += 1
            mostChoices = max(mostChoices, finding.choices.count)
            if finding.complaint != nil { return (finding, schedules, mostChoices, false) }
            guard let next = schedule(after: finding.choices) else { return (nil, schedules, mostChoices, true) }
            if schedules >= limit { return (nil, schedules, mostChoices, false) }
            given = next
            earlier = finding.choices
        }
    }

    /// Runs one schedule: the given choices, and after them whoever is at it.
    func run(_ program: Program, _ given: [Int8], _ earlier: [explorer_choice] = []) -> Finding {
        let run = program.make()
        let races = explorer_races()
        let threads = Threads(run.threads)
        let end = withExtendedLifetime(threads) {
            explorer_run(
                Int32(run.threads.count),
                { context, worker in
                    guard let context else { return }
                    Unmanaged<Threads>.fromOpaque(context).takeUnretainedValue().bodies[Int(worker)]()
                }, Unmanaged.passUnretained(threads).toOpaque(), given, Int32(given.count))
        }
        var count: Int32 = 0
        let made = explorer_choices(&count)
        let choices = (0..<Int(count)).compactMap { made?[$0] }
        let isSame = zip(choices, earlier).prefix(max(0, given.count - 1)).allSatisfy {
            $0.enabled == $1.enabled && $0.current == $1.current
        }
        let complaint: String? =
            switch end {
            case EXPLORER_DEADLOCK: "no thread can go on"
            case EXPLORER_HANG: "a thread does not come back"
            case EXPLORER_ENDLESS: "the program does not end"
            case EXPLORER_DIVERGED: "the program did something else under the same schedule"
            default:
                if explorer_races() > races {
                    "a data race"
                } else if !isSame {
                    "the program did something else under the same schedule"
                } else {
                    run.complaint()
                }
            }
        return Finding(choices: choices, complaint: complaint)
    }

    /// The next one, or `nil` after the last.
    private func schedule(after choices: [explorer_choice]) -> [Int8]? {
        var before = [0]
        for choice in choices { before.append(before[before.count - 1] + (choice.isPreemption(choice.chosen) ? 1 : 0)) }
        for (index, choice) in choices.enumerated().reversed() {
            for other in choice.order.drop(while: { $0 != choice.chosen }).dropFirst()
            where before[index] + (choice.isPreemption(other) ? 1 : 0) <= preemptions {
                return choices[..<index].map(\.chosen) + [other]
            }
        }
        return nil
    }
}

extension explorer_choice {
    func isPreemption(_ thread: Int8) -> Bool { could_go_on != 0 && thread != current }

    /// Who may go on, in the order in which that is tried: first who is taken without being told.
    var order: [Int8] {
        let enabled = (0..<Int8(EXPLORER_THREADS)).filter { self.enabled >> $0 & 1 == 1 }
        return could_go_on == 0 ? enabled : [current] + enabled.filter { $0 != current }
    }
}
