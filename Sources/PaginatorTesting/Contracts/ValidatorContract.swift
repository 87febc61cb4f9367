import Dispatch
public import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Contract {
    /// The contract of ``/PaginatorCore/PageValidator``, to run on your own validator.
    ///
    /// ```swift
    /// Contract.validator(accepts: [good], refuses: [unsigned]) { SignatureValidator(key: key) }
    ///     .checkAll { XCTFail($0, file: $1, line: $2) }
    /// ```
    ///
    /// - Parameters:
    ///   - accepted: pages that the validator must accept when they are fetched by their own key, and that it must not
    ///     drop from memory or the store when they are fresh.
    ///   - refused: pages that must not be cached when they are fetched by their own key; none by default.
    ///   - limit: the longest real time of one judgement; 10 seconds by default.
    ///   - make: returns a validator.
    public static func validator<T: Sendable>(
        accepts accepted: [PaginatorPage<T>], refuses refused: [PaginatorPage<T>] = [], limit: Duration = .seconds(10),
        make: @escaping @Sendable () throws -> any PageValidator<T>
    ) -> Contract {
        let contract = ValidatorContract(accepted: accepted, refused: refused, limit: limit, make: make)
        return Contract(cases: ValidatorContract<T>.cases) { try contract.run($0, seed: $1, fail: $2) }
    }
}

struct ValidatorContract<T: Sendable>: Sendable {
    static var cases: [String] {
        ["accepts", "refuses", "answers once", "same again", "parallel", "odd pages"]
    }

    let accepted: [PaginatorPage<T>]
    let refused: [PaginatorPage<T>]
    let limit: Duration
    let make: @Sendable () throws -> any PageValidator<T>

    func run(_ name: String, seed: UInt64, fail: @escaping @Sendable (String) -> Void) throws {
        let validator = try make()
        switch name {
        case "accepts":
            for page in accepted {
                let verdict = judgeFetched(page, by: validator, fail)
                if verdict?.isRefusal != false { fail("the good page \(page.key) gets \(text(verdict))") }
                for origin in [PageOrigin.memory, .store] {
                    let verdict = validator.judge(page, in: context(page, origin))
                    if verdict.isRefusal { fail("the good page \(page.key) gets \(verdict) from \(origin)") }
                }
            }
        case "refuses":
            for page in refused {
                let verdict = judgeFetched(page, by: validator, fail)
                if verdict?.isRefusal == false { fail("the bad page \(page.key) gets \(text(verdict))") }
            }
        case "answers once": answersOnce(validator, fail)
        case "same again": sameAgain(validator, fail)
        case "parallel": parallel(validator, fail)
        default: oddPages(validator, fail)
        }
    }

    private func answersOnce(_ validator: any PageValidator<T>, _ fail: (String) -> Void) {
        let answers = (accepted + refused).flatMap { page in
            (0..<5).map { _ in
                let answer = ContractAnswer<PageVerdict>()
                validator.judgeFetched(page, in: context(page, .source), completion: answer.take)
                return answer
            }
        }
        for answer in answers where answer.wait(limit) == nil { fail("a judgement was not given within \(limit)") }
        let surplus = answers.count { $0.count > 1 }
        if surplus > 0 { fail("\(surplus) of \(answers.count) judgements were given more than once") }
    }

    private func sameAgain(_ validator: any PageValidator<T>, _ fail: (String) -> Void) {
        for page in accepted + refused {
            for context in contexts(page) {
                let verdicts = (0..<5).map { _ in validator.judge(page, in: context) }
                if Set(verdicts).count > 1 { fail("the page \(page.key) gets different verdicts: \(verdicts)") }
            }
            let verdicts = (0..<5).compactMap { _ in judgeFetched(page, by: validator, { _ in }) }
            if Set(verdicts).count > 1 { fail("the fetched page \(page.key) gets different verdicts: \(verdicts)") }
        }
    }

    private func parallel(_ validator: any PageValidator<T>, _ fail: @escaping @Sendable (String) -> Void) {
        let pages = accepted + refused
        let jobs = pages.flatMap { page in contexts(page).map { (page, $0, validator.judge(page, in: $0)) } }
        guard !jobs.isEmpty else { return }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for index in 0..<200 {
                let (page, context, expected) = jobs[(index + thread) % jobs.count]
                let verdict = validator.judge(page, in: context)
                if verdict != expected { fail("on many threads the page \(page.key) gets \(verdict), not \(expected)") }
            }
        }
    }

    private func oddPages(_ validator: any PageValidator<T>, _ fail: (String) -> Void) {
        for key in ["", "k", "é", "e\u{301}", "\u{0}", String(repeating: "k", count: 5_000)] {
            let page = PaginatorPage<T>(
                content: [], key: key, expirationTime: .distantPast, prevKey: key, nextKey: key, byteCount: -1)
            for context in contexts(page) { _ = validator.judge(page, in: context) }
            _ = judgeFetched(page, by: validator, fail)
        }
    }

    private func judgeFetched(
        _ page: PaginatorPage<T>, by validator: any PageValidator<T>, _ fail: (String) -> Void
    ) -> PageVerdict? {
        let answer = ContractAnswer<PageVerdict>()
        validator.judgeFetched(page, in: context(page, .source), completion: answer.take)
        let verdict = answer.wait(limit)
        if verdict == nil { fail("the page \(page.key.prefix(40)) was not judged within \(limit)") }
        return verdict
    }

    private func contexts(_ page: PaginatorPage<T>) -> [ValidationContext] {
        PageOrigin.allCases.flatMap { origin in
            [Duration.zero, .seconds(1), .days(400)].flatMap { age in
                [false, true].map { context(page, origin, age: age, isStale: $0) }
            }
        }
    }

    private func context(
        _ page: PaginatorPage<T>, _ origin: PageOrigin, age: Duration = .zero, isStale: Bool = false
    ) -> ValidationContext {
        ValidationContext(
            identity: PageIdentity(key: page.key, pageSize: max(1, page.content.count)), origin: origin, age: age,
            isStale: isStale, wallTime: Date(timeIntervalSince1970: 1_767_225_600))
    }

    private func text(_ verdict: PageVerdict?) -> String { verdict.map { "\($0)" } ?? "no verdict" }
}

extension PageVerdict {
    /// Whether a fetched page with this verdict is not cached, and a cached one not used.
    fileprivate var isRefusal: Bool { self != .accept && self != .useButRefresh }
}
