import Testing

@testable import PaginatorCore

@Suite struct RetryBudgetTests {
    @Test func `ten tokens and a tenth back per success`() {
        var budget = RetryBudget(tokens: 10, fading: nil)
        for _ in 0..<10 { #expect(budget.spend(at: .zero) == true) }
        #expect(budget.spend(at: .zero) == false)
        for _ in 0..<9 {
            budget.succeeded(at: .zero)
            #expect(budget.spend(at: .zero) == false)
        }
        budget.succeeded(at: .zero)
        #expect(budget.spend(at: .zero) == true)
        #expect(budget.spend(at: .zero) == false)
    }

    @Test func `it never holds more than it started with`() {
        var budget = RetryBudget(tokens: 2, fading: nil)
        for _ in 0..<50 { budget.succeeded(at: .zero) }
        #expect(budget.tokens(at: .zero) == 2)
    }

    @Test func `extreme settings are clamped`() {
        var none = RetryBudget(tokens: -1, fading: nil)
        none.succeeded(at: .zero)
        #expect(none.spend(at: .zero) == false)
        var generous = RetryBudget(tokens: .max, fading: nil)
        #expect(generous.spend(at: .zero) == true)
        generous.succeeded(at: .zero)
        #expect(generous.tokens(at: .zero).rounded(.down) == Double(Int32.max) - 1)
    }

    @Test func `what is not earned anew fades to the reserve`() {
        var budget = RetryBudget(tokens: 10, fading: .seconds(120))
        func at(_ seconds: Int) -> PaginatorInstant { .zero.advanced(by: .seconds(seconds)) }
        #expect(budget.tokens(at: at(0)) == 10)
        #expect(budget.tokens(at: at(60)) == 6)
        #expect(budget.tokens(at: at(30)) == 6)
        #expect(budget.tokens(at: at(120)) == 2)
        #expect(budget.tokens(at: at(10_000)) == 2)
        #expect(budget.spend(at: at(10_000)) == true)
        #expect(budget.spend(at: at(20_000)) == true)
        #expect(budget.spend(at: at(1_000_000)) == false)
    }

    /// A token takes fifteen seconds to fade, and ten successes to earn.
    @Test func `who asks often keeps a full budget and who asks seldom the reserve`() {
        for (successes, expected) in [(1, 10.0), (5, 2.0)] {
            var budget = RetryBudget(tokens: 10, fading: .seconds(120))
            for second in stride(from: 0, to: 1_000, by: successes) {
                budget.succeeded(at: .zero.advanced(by: .seconds(second)))
            }
            #expect(abs(budget.tokens(at: .zero.advanced(by: .seconds(1_000))) - expected) < 0.5)
        }
    }

    @Test func `a reserve is never more than the budget`() {
        var budget = RetryBudget(tokens: 1, fading: .zero)
        #expect(budget.tokens(at: .zero) == 1)
        #expect(budget.tokens(at: .distantFuture) == 1)
        var more = RetryBudget(tokens: 3, fading: .seconds(-5))
        #expect(more.tokens(at: .zero) == 3)
        #expect(more.tokens(at: .distantFuture) == 2)
    }

    @Test(arguments: [0.1, 0.5, 0.9])
    func `further attempts are one in ten of the successes however many fail`(failing: Double) {
        var budget = RetryBudget(tokens: 10, fading: nil)
        var random = SplitMix64(seed: 21)
        var (retries, successes) = (0, 0)
        func attempt() -> Bool {
            guard random.unitInterval() >= failing else { return false }
            successes += 1
            budget.succeeded(at: .zero)
            return true
        }
        for _ in 0..<10_000 where !attempt() {
            guard budget.spend(at: .zero) else { continue }
            retries += 1
            _ = attempt()
        }
        #expect(retries <= 10 + successes / 10)
        #expect(failing < 0.5 || retries >= successes / 10 - 1)
    }
}
