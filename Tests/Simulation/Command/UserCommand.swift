import PaginatorSimulation

/// Runs the users' worlds of some seeds, and tells of every one that fails in a new way.
struct UserCommand {
    let arguments: Arguments

    /// Returns whether every world kept its promises.
    func run() -> Bool {
        let seed = arguments.number("seed")
        if let seed, arguments.has("log") {
            for line in UserWorld.run(seed: UInt64(seed)).log { print(line) }
        }
        var kinds: [String: Int] = [:]
        let seeds = arguments.number("seeds") ?? (seed == nil ? 300 : 1)
        for number in 0..<seeds {
            let seed = UInt64((seed ?? 0) + number)
            guard let problem = UserWorld.run(seed: seed).problems.first else { continue }
            kinds[UserWorld.kind(problem), default: 0] += 1
            if kinds[UserWorld.kind(problem)] == 1 { print(UserWorld.report(seed: seed)) }
        }
        for (kind, count) in kinds.sorted(by: { $0.value > $1.value }) { print("\(count) worlds: \(kind)") }
        print("users' worlds: \(seeds), failed: \(kinds.values.reduce(0, +))")
        return kinds.isEmpty
    }
}
