import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

@Suite struct ListObservationTests {
    @Test func `the end of an observation is no answer of a fetch`() {
        let stage = ListStage(pageSize: 4)
        let observation = stage.list.observe { _ in }
        stage.settle()
        let before = stage.paginator.counters[.callbackDelivered]
        #expect(observation.cancel())
        stage.settle()
        #expect(stage.paginator.counters[.callbackDelivered] == before)
    }

    @Test func `each update follows the one before it, so that its difference is computed once`() {
        let stage = ListStage()
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.updates.count > 3)
        for (before, update) in zip(stage.updates, stage.updates.dropFirst()) {
            #expect(before.numbers.isFollowed(by: update.numbers))
        }
    }

    @Test func `what a list is told, and tells, is told apart by the bytes of its keys`() {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        #expect(PaginatorListRefresh.page(composed) != .page(decomposed))
        #expect(Set([PaginatorListRefresh.page(composed), .page(decomposed), .all]).count == 3)
        #expect(PaginatorListNotice.repeatedKey(composed) != .repeatedKey(decomposed))
    }

    @Test func `an update in place of earlier ones has their notices, of which the last 256 stay`() throws {
        let stage = ListStage(style: .cursor)
        // Pages that name themselves as the next one.
        for key in ["start", "other"] {
            stage.source.script([.page(stage.page(key, [key == "other" ? 1 : 0], next: key)).insideFetch], forKey: key)
            stage.after { key == "other" ? $0.jump(to: key) : $0.loadNext() }
            stage.after { $0.loadNext() }
        }
        let told = stage.updates.filter { !$0.notices.isEmpty }
        #expect(told.map(\.notices) == [[.repeatedKey("start")], [.repeatedKey("other")]])
        var update = try #require(told.last).replacing(told[0])
        #expect(update.notices == [.repeatedKey("start"), .repeatedKey("other")])
        for _ in 0..<255 { update = told[1].replacing(update) }
        #expect(update.notices == Array(repeating: .repeatedKey("other"), count: 256))
    }
}
