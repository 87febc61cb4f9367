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

    @Test func retriesAreAboutOneInTenOfTheRequestsWhenMostFail() {
        var budget = RetryBudget(tokens: 10, refill: 0.1)
        var random = SplitMix64(seed: 21)
        var retries = 0
        for _ in 0..<10_000 {
            // Every request fails at first; half of the second attempts, and of those without one, come right.
            if budget.spend() { retries += 1 }
            if Bool.random(using: &random) { budget.succeeded() }
        }
        #expect((450...550).contains(retries))
    }
}
