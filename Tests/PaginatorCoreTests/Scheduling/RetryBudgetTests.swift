import PaginatorCore
import Testing

@Suite struct RetryBudgetTests {
    @Test func tenTokensAndATenthBackPerSuccess() {
        var budget = RetryBudget(tokens: 10, refill: 0.1)
        for _ in 0..<10 { #expect(budget.spend() == true) }
        #expect(budget.spend() == false)
        for _ in 0..<9 {
            budget.succeeded()
            #expect(budget.spend() == false)
        }
        budget.succeeded()
        #expect(budget.spend() == true)
        #expect(budget.spend() == false)
    }

    @Test func itNeverHoldsMoreThanItStartedWith() {
        var budget = RetryBudget(tokens: 2, refill: 1)
        for _ in 0..<50 { budget.succeeded() }
        #expect(budget.tokens == 2)
    }

    @Test func extremeSettingsAreClamped() {
        var none = RetryBudget(tokens: -1, refill: .infinity)
        none.succeeded()
        #expect(none.spend() == false)
        var generous = RetryBudget(tokens: .max, refill: .nan)
        #expect(generous.spend() == true)
        generous.succeeded()
        #expect(generous.tokens == Double(Int32.max) - 1)
    }

    @Test(arguments: [0.1, 0.5, 0.9])
    func furtherAttemptsAreOneInTenOfTheSuccessesHoweverManyFail(failing: Double) {
        var budget = RetryBudget(tokens: 10, refill: 0.1)
        var random = SplitMix64(seed: 21)
        var (retries, successes) = (0, 0)
        func attempt() -> Bool {
            guard random.unitInterval() >= failing else { return false }
            successes += 1
            budget.succeeded()
            return true
        }
        for _ in 0..<10_000 where !attempt() {
            guard budget.spend() else { continue }
            retries += 1
            _ = attempt()
        }
        #expect(retries <= 10 + successes / 10)
        #expect(failing < 0.5 || retries >= successes / 10 - 1)
    }
}
