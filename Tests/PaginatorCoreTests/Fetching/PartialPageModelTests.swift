import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Random parts of one page, whose source changes it, fails, gives more or less than asked, and forgets where parts go on.
@Suite struct PartialPageModelTests {
    private struct Asked {
        let caller: Caller
        let part: PagePart?
    }

    @Test(arguments: 0..<60)
    func `whatever happens, a page is the beginning of one state of it, and at least what was asked for`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let rig = PartRig(hasStore: seed % 2 == 0) { $0.maxAttempts = 2 }
        rig.script.withLock { ($0.hangs, $0.lifetime) = (true, .seconds(40)) }
        var asked: [Asked] = []
        for _ in 0..<80 {
            let isWhole = rig.cached.map { $0.continuation == nil } ?? false
            let isCleared = step(rig, &asked, &random)
            rig.run()
            #expect(rig.violations.isEmpty)
            if isWhole, !isCleared { #expect(rig.cached?.content.count == PartRig.pageSize, "no part takes its place") }
            if let cached = rig.cached { check(cached) }
        }
        rig.script.withLock { ($0.hangs, $0.gives, $0.forgetsContinuations) = (false, nil, false) }
        for _ in 0..<100 where !rig.source.pendingCalls.isEmpty { rig.answer() }
        for _ in 0..<20 {
            rig.clock.advance(by: .seconds(10))
            rig.run()
        }
        for one in asked {
            #expect(one.caller.endedOnce)
            check(one)
        }
        #expect(rig.paginator.engine.isIdle)
        #expect(rig.fetch(nil).count == PartRig.pageSize)
        rig.store.map { store in
            for page in store.pages.values { #expect(page.page.continuation == nil) }
        }
    }

    /// Does something, and says whether it was a clear.
    private func step(_ rig: PartRig, _ asked: inout [Asked], _ random: inout SplitMix64) -> Bool {
        let choice = Int.random(in: 0..<16, using: &random)
        switch choice {
        case 0..<4:
            let parts: [PagePart?] = [nil, nil, .items(Int.random(in: 1...35, using: &random)), .bytes(900)]
            let policies: [FetchPolicy?] = [nil, nil, .networkOnly, .staleWhileRevalidate, .cacheOnly]
            let part = parts.randomElement(using: &random) ?? nil
            let policy = policies.randomElement(using: &random) ?? nil
            asked.append(Asked(caller: rig.start(part, policy: policy), part: part))
        case 4..<8: rig.answer()
        case 8:
            let start = rig.source.pendingCalls.first?.request.continuation.flatMap { Int($0) } ?? 0
            if start < PartRig.pageSize - 1 {
                let end = Int.random(in: start + 1..<PartRig.pageSize, using: &random)
                rig.show(upTo: end, continuation: Bool.random(using: &random) ? nil : "")
            }
        case 9: rig.fail(Bool.random(using: &random) ? .retry(FetchRig.Outage()) : .fatal(FetchRig.Outage()))
        case 10: _ = asked.randomElement(using: &random)?.caller.execution.cancel()
        case 11: rig.paginator.invalidate(.all)
        case 12: rig.paginator.clear(key: "0")
        case 13: rig.script.withLock { $0.version += 1 }
        case 14: rig.clock.advance(by: .seconds(Int.random(in: 1...30, using: &random)))
        default:
            let gives = Bool.random(using: &random) ? nil : Int.random(in: 1...12, using: &random)
            let forgets = Int.random(in: 0..<4, using: &random) == 0
            rig.script.withLock { ($0.gives, $0.forgetsContinuations) = (gives, forgets) }
        }
        return choice == 12
    }

    private func check(_ page: PaginatorPage<SampleItem>) {
        #expect(page.content.map(\.id) == Array(0..<page.content.count), "without a hole, and nothing twice")
        #expect(Set(page.content.map(\.text)).count <= 1, "of one state")
        #expect((page.continuation == nil) == (page.content.count == PartRig.pageSize))
        #expect((page.nextKey != nil) == (page.continuation == nil))
    }

    private func check(_ asked: Asked) {
        var shown = 0
        for preview in asked.caller.listener.previews {
            check(preview.page)
            guard preview.isPartial else { continue }
            #expect(preview.content.count > shown, "more each time")
            shown = preview.content.count
        }
        guard let page = asked.caller.listener.page else { return }
        check(page)
        guard page.continuation != nil else { return }
        switch asked.part {
        case .items(let items): #expect(page.content.count >= items)
        case .bytes(let bytes): #expect(page.byteCount >= bytes / 2)
        default: Issue.record("All of the page was asked for.")
        }
    }
}
