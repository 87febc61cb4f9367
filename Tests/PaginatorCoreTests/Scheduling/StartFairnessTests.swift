import Testing

@testable import PaginatorCore

@Suite struct StartFairnessTests {
    private func at(_ seconds: Int64) -> PaginatorInstant { .zero.advanced(by: .seconds(seconds)) }

    @Test func aTaskAgesAfterTheBound() {
        let fairness = StartFairness(bound: .seconds(2))
        #expect(!fairness.isAged(.zero, at: at(2)))
        #expect(fairness.isAged(.zero, at: at(2).advanced(by: .nanoseconds(1))))
        #expect(StartFairness(bound: .seconds(-5)).isAged(.zero, at: PaginatorInstant(nanoseconds: 1)))
    }

    @Test func theFirstAgedTaskHasItsTurnAtOnceTheNextAfterSevenOthers() {
        var fairness = StartFairness(bound: .seconds(2))
        #expect(!fairness.isTurn(of: .zero, at: at(1)))
        #expect(fairness.isTurn(of: .zero, at: at(3)))
        fairness.started(oldestAged: true)
        for _ in 0..<7 {
            #expect(!fairness.isTurn(of: .zero, at: at(3)))
            fairness.started(oldestAged: false)
        }
        #expect(fairness.isTurn(of: .zero, at: at(3)))
    }

    @Test func urgentWorkLosesAtMostAnEighth() {
        var fairness = StartFairness(bound: .zero)
        var lost = 0
        for start in 1...800 {
            let isTurn = fairness.isTurn(of: .zero, at: at(1))
            if isTurn { lost += 1 }
            fairness.started(oldestAged: isTurn)
            #expect(lost <= (start + 7) / 8)
        }
        #expect(lost == 100)
    }
}
