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

    @Test func `what a list is told, and tells, is told apart by the bytes of its keys`() {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        #expect(PaginatorListRefresh.page(composed) != .page(decomposed))
        #expect(Set([PaginatorListRefresh.page(composed), .page(decomposed), .all]).count == 3)
        #expect(PaginatorListNotice.repeatedKey(composed) != .repeatedKey(decomposed))
    }
}
