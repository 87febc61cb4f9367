/// How the time of an operation grows with what is held.
struct GrowthCurve: Codable {
    let figure: String
    let contender: String
    /// Whether others are read beside it.
    let isFloor: Bool
    let clock: BenchClock
    let sizes: [Int]
    /// Nanoseconds an operation, by size, one sample a round.
    let samples: [[Double]]

    var medians: [Double] { samples.map { $0.percentile(0.5) } }

    /// How many times longer an operation takes at a size than at another, round by round.
    func growth(from small: Int, to large: Int) -> [Double] {
        guard let first = sizes.firstIndex(of: small), let last = sizes.firstIndex(of: large) else { return [] }
        return zip(samples[last], samples[first]).map { $0 / $1 }
    }

    func growth(to floor: GrowthCurve, from small: Int, to large: Int) -> Double {
        zip(growth(from: small, to: large), floor.growth(from: small, to: large)).map { $0 / $1 }.percentile(0.5)
    }
}

/// One figure at several sizes, all in one contest, so that a disturbance meets every size.
struct GrowthContest {
    let figure: String
    var clock: BenchClock = .thread
    let sizes: [Int]
    /// How many operations one run makes.
    let operations: Int
    var rounds = 7
    /// The first is the floor: what it does, the others do as well.
    let contenders: [(name: String, run: (_ size: Int, inout Stopwatch) throws -> Void)]
}

extension Session {
    /// Runs the contest and adds its curves.
    @discardableResult
    func run(_ contest: GrowthContest) throws -> [GrowthCurve] {
        var contenders: [Contender] = []
        for size in contest.sizes {
            for contender in contest.contenders {
                contenders.append(Contender("\(contender.name) \(size)") { try contender.run(size, &$0) })
            }
        }
        let measured = try measure(
            Contest(
                row: "growth: \(contest.figure)", clock: contest.clock, operations: contest.operations,
                rounds: contest.rounds, contenders: contenders))
        let width = contest.contenders.count
        let curves = contest.contenders.indices.map { number in
            GrowthCurve(
                figure: contest.figure, contender: contest.contenders[number].name, isFloor: number == 0,
                clock: contest.clock, sizes: contest.sizes,
                samples: contest.sizes.indices.map { measured[$0 * width + number].samples })
        }
        record(curves)
        return curves
    }
}
