import PaginatorCore
import PaginatorTesting
import Testing

/// A validator that refuses empty pages, with one flaw.
private final class BrokenValidator: PageValidator {
    private let flaw: String
    private let calls = Guarded(0)

    init(_ flaw: String) { self.flaw = flaw }

    func judge(_ page: PaginatorPage<SampleItem>, in context: ValidationContext) -> PageVerdict {
        let number = calls.withLock { calls in
            calls += 1
            return calls
        }
        switch flaw {
        case "refuses everything": return .fail(reason: "no")
        case "accepts everything": return .accept
        case "drops pages in memory" where context.origin == .memory: return .dropAndReload
        case "fails pages of the store" where context.origin == .store: return .fail(reason: "no")
        case "by turns" where number % 2 == 0: return .useButRefresh
        case "later otherwise" where number > 100: return .useButRefresh
        default: return page.content.isEmpty ? .dropAndReload : .accept
        }
    }

    func judgeFetched(
        _ page: PaginatorPage<SampleItem>, in context: ValidationContext,
        completion: @escaping @Sendable (PageVerdict) -> Void
    ) {
        if flaw == "mute" || flaw == "mute for odd pages" && page.byteCount == 0 && page.prevKey != nil { return }
        completion(judge(page, in: context))
        if flaw == "twice" { completion(.accept) }
    }
}

@Suite struct ValidatorContractTests {
    private static let good = PaginatorPage(content: SamplePages(count: 3).items, key: "0", nextKey: "3")
    private static let empty = PaginatorPage<SampleItem>(content: [], key: "3")

    @Test(
        arguments: [
            ("accepts", "refuses everything"), ("accepts", "mute"), ("accepts", "drops pages in memory"),
            ("accepts", "fails pages of the store"), ("refuses", "accepts everything"),
            ("answers once", "twice"), ("answers once", "mute"), ("same again", "by turns"),
            ("parallel", "later otherwise"), ("odd pages", "mute for odd pages"),
        ])
    func `each case finds a validator that breaks it`(_ name: String, _ flaw: String) {
        let failures = FailureList()
        Contract.validator(accepts: [Self.good], refuses: [Self.empty], limit: .milliseconds(20)) {
            BrokenValidator(flaw)
        }.check(name, report: failures.report)
        #expect(!failures.all.isEmpty)
    }

    @Test(arguments: Contract.validator(accepts: [good], make: { AnyPageValidator.acceptAll }).cases)
    func `every built-in validator keeps the contract`(_ name: String) {
        let open: [@Sendable () -> AnyPageValidator<SampleItem>] = [
            { .acceptAll }, { .keyMatch }, { .expiry() }, { .expiry(maxAge: .zero, verdict: .useButRefresh) },
            { .notEmpty(else: .useButRefresh) }, { .closure { _, _ in .accept } },
        ]
        for make in open {
            Contract.validator(accepts: [Self.good, Self.empty], make: make).check(name, report: toTesting)
        }
        let strict: [@Sendable () -> any PageValidator<SampleItem>] = [
            { AnyPageValidator<SampleItem>.notEmpty() },
            { AnyPageValidator<SampleItem>.notEmpty(else: .dropAndReload) },
            { AnyPageValidator<SampleItem>.keyMatch.and(.notEmpty()).and(.expiry()) },
            { AnyPageValidator<SampleItem>.acceptAll.and(.notEmpty()) },
            { AnyPageValidator(BrokenValidator("nothing")) }, { BrokenValidator("nothing") },
            // It answers twice, and is asked once more than it likes; the wrapper passes on the first answer.
            { AnyPageValidator(BrokenValidator("twice")) },
            {
                AnyPageValidator<SampleItem>.closure(
                    cached: { page, _ in page.content.isEmpty ? .dropAndReload : .accept },
                    fetched: { page, _, completion in
                        QueueExecutor.work.run {
                            completion(page.content.isEmpty ? .fail(reason: "empty") : .accept)
                        }
                    })
            },
        ]
        for make in strict {
            Contract.validator(accepts: [Self.good], refuses: [Self.empty], make: make).check(name, report: toTesting)
        }
    }
}
