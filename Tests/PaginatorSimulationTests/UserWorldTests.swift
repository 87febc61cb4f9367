import PaginatorSimulation
import Testing

/// What users ask of their lists, in random worlds and in histories that random worlds reach seldom; see
/// `scripts/simulate users`.
@Suite struct UserWorldTests {
    @Test(arguments: 0..<10)
    func `A user finds every row once, in order, and as new as asked for`(_ group: Int) {
        for number in 0..<30 {
            let seed = UInt64(group * 30 + number)
            if UserWorld.notServed.contains(seed) { continue }
            let report = UserWorld.report(seed: seed)
            #expect(report.isEmpty, "\(report)")
            if !report.isEmpty { return }
        }
    }

    @Test(arguments: UserStory.all.filter(\.isServed))
    func `A user is served in histories that seldom happen`(_ story: UserStory) {
        for seed in UInt64(0)..<3 {
            let problems = story.run(seed: seed).problems
            #expect(problems.isEmpty, "\(story), seed \(seed): \(problems)")
            if !problems.isEmpty { return }
        }
    }

    @Test func `The same seed gives the same world`() {
        for seed in UInt64(0)..<8 {
            #expect(UserWorld.run(seed: seed).log == UserWorld.run(seed: seed).log, "seed \(seed)")
        }
    }
}
