import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct FallbackDataSourceTests {
    private struct Down: Error {}
    private struct Missing: Error {}

    private let first = ScriptedDataSource<Int>(keepsAnswered: true, otherwise: { _ in .hang })
    private let second = ScriptedDataSource<Int>(
        firstKey: "other", keepsAnswered: true, otherwise: { _ in .hang })

    private let executor = SimulatedExecutor()

    private func ask(
        _ source: some PaginatorDataSource<Int>, _ key: String = "k", scope: String = ""
    ) -> (answers: SourceAnswers<Int>, handle: SourceCancellation) {
        defer { executor.runAll() }
        return source.ask(key, scope: scope, caller: TestCaller(executor: executor))
    }

    private func answer(
        _ source: ScriptedDataSource<Int>, _ index: Int, with result: Result<PaginatorPage<Int>, SourceError>
    ) {
        source.answer(source.calls[index], with: result)
        executor.runAll()
    }

    private func page(_ content: [Int]) -> Result<PaginatorPage<Int>, SourceError> {
        .success(PaginatorPage(content: content, key: "k"))
    }

    @Test func `the second source is not asked while the first one answers`() {
        let source = first.fallback(to: second)
        let call = ask(source)
        answer(first, 0, with: page([1]))
        #expect(call.answers.page?.content == [1])
        #expect(second.calls.isEmpty)
        #expect(source.firstKey == "0")
    }

    @Test func `a call that no paginator makes has as much time as an attempt has by default`() {
        let request = SourceRequest(identity: PageIdentity(key: "k", pageSize: 10))
        #expect(request.timeLeft == PaginatorConfig().attemptTimeout)
    }

    @Test func `a failure asks the second source with the same request`() {
        let call = ask(first.fallback(to: second), scope: "s")
        answer(first, 0, with: .failure(.retry(Down())))
        #expect(call.answers.all.isEmpty)
        #expect(second.calls[0].request == first.calls[0].request)
        answer(second, 0, with: page([2]))
        #expect(call.answers.page?.content == [2])
    }

    @Test func `an expired key does not fall back, nor what the rule refuses`() {
        let expired = ask(first.fallback(to: second))
        answer(first, 0, with: .failure(.keyExpired(Down())))
        #expect(expired.answers.error?.isKeyExpired == true)
        let patient = first.fallback(to: second) { failure, request in !failure.isRetryable || request.attempt > 2 }
        let retried = ask(patient)
        answer(first, 1, with: .failure(.retry(Down())))
        #expect(retried.answers.error?.isRetryable == true)
        #expect(second.calls.isEmpty)
    }

    @Test(arguments: [
        (
            SourceError.retry(Down(), after: .seconds(2)), SourceError.retry(Missing(), after: .seconds(9)), true,
            9 as Int?
        ),
        (.retry(Down(), after: .seconds(2)), .fatal(Missing()), true, 2),
        (.fatal(Down()), .retry(Missing()), true, nil),
        (.fatal(Down()), .fatal(Missing()), false, nil),
        (.fatal(Down()), .keyExpired(Missing()), false, nil),
    ])
    func `when both fail, both errors are kept, and a retry is worth it if either says so`(
        failures: (SourceError, SourceError, Bool, Int?)
    ) throws {
        let call = ask(first.fallback(to: second))
        answer(first, 0, with: .failure(failures.0))
        answer(second, 0, with: .failure(failures.1))
        let error = try #require(call.answers.error)
        #expect(error.isRetryable == failures.2 && !error.isKeyExpired)
        #expect(error.statedDelay == failures.3.map { .seconds($0) })
        let both = try #require(error.underlying as? FallbackFailure)
        #expect(both.first.underlying is Down && both.second.underlying is Missing)
    }

    @Test func `cancel reaches whichever source runs`() {
        let source = first.fallback(to: second)
        ask(source, "a").handle.cancel()
        #expect(first.calls[0].isCancelled)
        let call = ask(source, "b")
        answer(first, 1, with: .failure(.fatal(Down())))
        call.handle.cancel()
        #expect(!first.calls[1].isCancelled && second.calls[0].isCancelled)
    }

    @Test func `the second source, which may block, is not called on the thread of the first one's answer`() {
        let call = ask(first.fallback(to: second))
        first.answer(first.calls[0], with: .failure(.retry(Down())))
        #expect(second.calls.isEmpty)
        executor.runAll()
        answer(second, 0, with: page([2]))
        #expect(call.answers.page?.content == [2])
    }

    @Test func `a second source that is no longer needed is not called`() {
        let call = ask(first.fallback(to: second))
        first.answer(first.calls[0], with: .failure(.retry(Down())))
        call.handle.cancel()
        executor.runAll()
        #expect(second.calls.isEmpty && call.answers.all.isEmpty)
    }

    @Test func `answers inside fetch cancel nothing`() {
        let inside = ScriptedDataSource<Int>(otherwise: { _ in SourceStep.fail(.fatal(Down())).insideFetch })
        let call = ask(inside.fallback(to: inside))
        #expect(call.answers.all.count == 1)
        #expect(inside.calls.allSatisfy { !$0.isCancelled })
    }

    @Test(arguments: UInt64(0)..<100)
    func `every call is answered exactly once, whatever the sources do`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let source = first.fallback(to: second)
        var calls: [(answers: SourceAnswers<Int>, handle: SourceCancellation)] = []
        var answersAtCancel: [Int: Int] = [:]
        for _ in 0..<60 {
            let inner = random.chance(0.5) ? first : second
            switch random.number(in: 0..<6) {
            case 0, 1: calls.append(ask(source, "\(calls.count)"))
            case 2 where !calls.isEmpty:
                let victim = random.number(in: 0..<calls.count)
                calls[victim].handle.cancel()
                answersAtCancel[victim] = answersAtCancel[victim] ?? calls[victim].answers.all.count
            default:
                guard let call = inner.calls.randomElement(using: &random) else { continue }
                let result = random.chance(0.5) ? page([1]) : .failure(.retry(Down()))
                inner.answer(call, with: result, times: random.number(in: 1..<3))
                executor.runAll()
            }
        }
        for call in first.pendingCalls { first.answer(call, with: .failure(.fatal(Down()))) }
        executor.runAll()
        for call in second.pendingCalls { second.answer(call, with: page([2])) }
        for (index, call) in calls.enumerated() {
            #expect(call.answers.all.count == answersAtCancel[index] ?? 1, "seed \(seed) call \(index)")
        }
    }
}
