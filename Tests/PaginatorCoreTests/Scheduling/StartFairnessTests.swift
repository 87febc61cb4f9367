import Testing

@testable import PaginatorCore

@Suite struct StartFairnessTests {
    private func at(_ seconds: Int64) -> PaginatorInstant { .zero.advanced(by: .seconds(seconds)) }

    @Test func `a task ages after the bound`() {
        let fairness = StartFairness(bound: .seconds(2))
        #expect(!fairness.isAged(.zero, at: at(2)))
        #expect(fairness.isAged(.zero, at: at(2).advanced(by: .nanoseconds(1))))
        #expect(StartFairness(bound: .seconds(-5)).isAged(.zero, at: PaginatorInstant(nanoseconds: 1)))
    }

    @Test func `the first aged task starts at once, the next one after seven others`() {
        var fairness = StartFairness(bound: .seconds(2))
        #expect(!fairness.isDue(.zero, at: at(1)))
        #expect(fairness.isDue(.zero, at: at(3)))
        fairness.started(oldestAged: true)
        for _ in 0..<7 {
            #expect(!fairness.isDue(.zero, at: at(3)))
            fairness.started(oldestAged: false)
        }
        #expect(fairness.isDue(.zero, at: at(3)))
    }

    @Test func `urgent work loses at most an eighth`() {
        var fairness = StartFairness(bound: .zero)
        var lost = 0
        for start in 1...800 {
            let isDue = fairness.isDue(.zero, at: at(1))
            if isDue { lost += 1 }
            fairness.started(oldestAged: isDue)
            #expect(lost <= (start + 7) / 8)
        }
        #expect(lost == 100)
    }
}
