import PaginatorSimulation

/// Runs the users' worlds of some seeds, and tells of every one that fails in a new way.
struct UserCommand {
    let arguments: Arguments

    private var without: Set<UserPromise> {
        func promises(_ name: String) -> Set<UserPromise>? {
            arguments.text(name).map { Set($0.split(separator: ",").compactMap { UserPromise(rawValue: String($0)) }) }
        }
        if let only = promises("only") { return Set(UserPromise.allCases).subtracting(only) }
        return promises("without") ?? []
    }

    /// Returns whether every world kept its promises.
    func run() -> Bool {
        if arguments.has("stories") { return tellStories() }
        let seed = arguments.number("seed")
        var kinds: [Substring: Int] = [:]
        let seeds = arguments.number("seeds") ?? (seed == nil ? 300 : 1)
        for number in 0..<seeds {
            let seed = UInt64((seed ?? 0) + number)
            guard let problem = UserWorld.run(seed: seed, without: without).problems.first else { continue }
            kinds[UserWorld.promise(problem), default: 0] += 1
            if kinds[UserWorld.promise(problem)] != 1, !arguments.has("each") { continue }
            print(
                arguments.has("brief")
                    ? "seed \(seed): \(problem)"
                    : UserWorld.report(seed: seed, without: without, tellsAll: arguments.has("log")))
        }
        for (kind, count) in kinds.sorted(by: { $0.value > $1.value }) { print("\(count) worlds: \(kind)") }
        print("users' worlds: \(seeds), failed: \(kinds.values.reduce(0, +))")
        return kinds.isEmpty
    }

    private func tellStories() -> Bool {
        var isGood = true
        for story in UserStory.all where story.description.contains(arguments.text("stories") ?? "") {
            let runs = (UInt64(0)..<8).map { story.run(seed: $0, without: without) }
            let worst = runs.first { !$0.problems.isEmpty } ?? runs[0]
            if arguments.has("log") { for line in worst.log { print(line) } }
            print(
                "\(worst.problems.isEmpty ? "holds" : "FAILS"): \(story)\(worst.problems.map { "\n    " + $0 }.joined())"
            )
            isGood = isGood && worst.problems.isEmpty
        }
        return isGood
    }
}
