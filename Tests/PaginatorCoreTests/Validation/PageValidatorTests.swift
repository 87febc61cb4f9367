import Dispatch
import PaginatorTesting
import Testing

@testable import PaginatorCore

private struct OddOnly: PageValidator {
    func judge(_ page: PaginatorPage<Int>, in context: ValidationContext) -> PageVerdict {
        page.content.allSatisfy { $0 % 2 == 1 } ? .accept : .fail(reason: "even")
    }
}

/// Calls like those of users; it stands for the initializer of a paginator.
private func validator(_ validator: AnyPageValidator<Int> = .acceptAll) -> AnyPageValidator<Int> { validator }
private func validator(_ validator: some PageValidator<Int>) -> AnyPageValidator<Int> { AnyPageValidator(validator) }

@Suite struct PageValidatorTests {
    private let clock = ManualPaginatorClock()

    private func page(_ content: [Int], key: String = "k") -> PaginatorPage<Int> {
        PaginatorPage(content: content, key: key)
    }

    private func context(
        _ origin: PageOrigin = .memory, age: Duration = .zero, stale: Bool = false, key: String = "k"
    ) -> ValidationContext {
        ValidationContext(
            identity: PageIdentity(key: key, pageSize: 3), origin: origin, age: age, isStale: stale,
            wallTime: clock.wallTime)
    }

    private func answer(
        _ validator: AnyPageValidator<Int>, _ page: PaginatorPage<Int>, _ context: ValidationContext
    ) async -> PageVerdict {
        await withCheckedContinuation { continuation in
            validator.judgeFetched(page, in: context) { continuation.resume(returning: $0) }
        }
    }

    @Test func `call sites read well`() {
        _ = validator()
        _ = validator(.expiry(maxAge: .minutes(5)).and(.notEmpty()))
        _ = validator(.keyMatch)
        _ = validator(OddOnly())
        _ = validator(.notEmpty().and(OddOnly()))
        _ = validator(OddOnly().and(.notEmpty()).and(.expiry()))
        _ = validator(.closure { page, _ in page.content.count > 3 ? .accept : .dropAndReload }.and(.keyMatch))
    }

    @Test
    func `a page whose checksum is not the one that came with it is loaded again, and refused when that is no better`()
        async
    {
        func answer(from revisions: [String?]) async -> (Result<FetchedPage<Int>, PaginatorError>, calls: Int) {
            let source = ScriptedDataSource<Int>()
            source.script(
                revisions.map { .page(PaginatorPage(content: [1, 2], key: "0", revision: $0)) }, forKey: "0")
            let paginator = CallbackPaginator(
                dataSource: source, validator: AnyPageValidator<Int>.checksum { String($0.reduce(0, +)) })
            let result = await withCheckedContinuation { continuation in
                paginator.fetch(key: "0", pageSize: 2) { continuation.resume(returning: $0) }
            }
            return (result, source.calls.count)
        }
        var (result, calls) = await answer(from: ["3"])
        #expect((try? result.get().content) == [1, 2] && calls == 1)
        (result, calls) = await answer(from: ["4", "3"])
        #expect((try? result.get().content) == [1, 2] && calls == 2)
        (result, calls) = await answer(from: [nil])
        #expect((try? result.get().content) == [1, 2] && calls == 1)
        (result, calls) = await answer(from: ["4", "5"])
        guard case .failure(let error) = result else { return #expect(Bool(false), "a damaged page was answered") }
        #expect(error.code == .rejectedByValidation && calls == 2)
    }

    @Test func `expiry refuses cached pages that are stale or too old, and accepts fetched ones`() {
        let byState = AnyPageValidator<Int>.expiry()
        #expect(byState.judge(page([1]), in: context(age: .days(100))) == .accept)
        #expect(byState.judge(page([1]), in: context(stale: true)) == .dropAndReload)
        #expect(byState.judge(page([1]), in: context(.source, stale: true)) == .accept)
        let byAge = AnyPageValidator<Int>.expiry(maxAge: .minutes(5), verdict: .useButRefresh)
        #expect(byAge.judge(page([1]), in: context(.store, age: .seconds(299))) == .accept)
        #expect(byAge.judge(page([1]), in: context(.store, age: .seconds(300))) == .useButRefresh)
        #expect(byAge.judge(page([1]), in: context(stale: true)) == .useButRefresh)
        #expect(byAge.judge(page([1]), in: context(.source, age: .days(1))) == .accept)
        #expect(AnyPageValidator<Int>.expiry(maxAge: .seconds(-1)).judge(page([]), in: context()) == .dropAndReload)
    }

    @Test func `key match compares bytes`() {
        let match = AnyPageValidator<Int>.keyMatch
        #expect(match.judge(page([], key: "caf\u{e9}"), in: context(key: "caf\u{e9}")) == .accept)
        #expect(match.judge(page([], key: "cafe\u{301}"), in: context(key: "caf\u{e9}")) != .accept)
    }

    @Test func `not empty judges pages without items`() {
        #expect(AnyPageValidator<Int>.notEmpty().judge(page([1]), in: context()) == .accept)
        let fetched = AnyPageValidator<Int>.notEmpty().judge(page([]), in: context(.source))
        #expect(fetched == .fail(reason: "the page is empty"))
        #expect(AnyPageValidator<Int>.notEmpty().judge(page([]), in: context(.store)) == .dropAndReload)
        #expect(
            AnyPageValidator<Int>.notEmpty(else: .useButRefresh).judge(page([]), in: context()) == .useButRefresh)
    }

    @Test func `of two verdicts the worse counts, and of equal ones the first`() async {
        let verdicts: [PageVerdict] = [.accept, .useButRefresh, .dropAndReload, .fail(reason: "x")]
        for (worse, left) in verdicts.enumerated() {
            for (other, right) in verdicts.enumerated() {
                let both = AnyPageValidator<Int>.closure { _, _ in left }.and(.closure { _, _ in right })
                #expect(both.judge(page([]), in: context()) == verdicts[max(worse, other)])
                let slow = AnyPageValidator<Int>.closure { _, _, completion in completion(left) }
                #expect(
                    await answer(slow.and(.closure { _, _ in right }), page([]), context(.source))
                        == verdicts[max(worse, other)])
            }
        }
        let failures = AnyPageValidator<Int>.closure { _, _ in .fail(reason: "1") }
            .and(.closure { _, _ in .fail(reason: "2") })
        #expect(failures.judge(page([]), in: context()) == .fail(reason: "1"))
    }

    @Test func `fetched pages are judged one after the other, and not further after a failure`() async {
        let log = Handshake<[String]>([])
        @Sendable func slow(_ name: String, _ verdict: PageVerdict) -> AnyPageValidator<Int> {
            .closure { _, _, completion in
                log.update { $0.append("\(name) begins") }
                DispatchQueue.global().async {
                    log.update { $0.append("\(name) ends") }
                    completion(verdict)
                }
            }
        }
        let chain = slow("a", .useButRefresh).and(slow("b", .fail(reason: "no"))).and(slow("c", .accept))
        #expect(await answer(chain, page([1]), context(.source)) == .fail(reason: "no"))
        #expect(log.read { $0 } == ["a begins", "a ends", "b begins", "b ends"])
        #expect(chain.judge(page([1]), in: context()) == .accept)
    }

    @Test func `a validator that answers twice is heard once`() {
        let count = Handshake(0)
        let twice = AnyPageValidator<Int>.closure { _, _, completion in
            completion(.accept)
            completion(.dropAndReload)
        }
        twice.and(twice).judgeFetched(page([]), in: context(.source)) { verdict in
            #expect(verdict == .accept)
            count.update { $0 += 1 }
        }
        #expect(count.read { $0 } == 1)
    }

    @Test func `synchronous validators need no waiting for`() {
        #expect(AnyPageValidator<Int>.expiry().and(.notEmpty()).isSynchronous)
        #expect(!AnyPageValidator<Int>.notEmpty().and(OddOnly()).isSynchronous)
    }
}
