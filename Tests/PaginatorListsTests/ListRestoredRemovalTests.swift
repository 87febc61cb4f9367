import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Lists that were restored, and know the pages beside the visible one by their keys alone.
@Suite struct ListRestoredRemovalTests {
    @Test(arguments: [false, true])
    func `a removal skips no item on a page that came into the caches while it was pending`(
        isBegunBefore: Bool
    ) throws {
        let stage = ListStage(count: 60, pageSize: 10)
        let edits = stage.paginator.edits(id: \.id)
        let begun = isBegunBefore ? edits.begin(5) { _ in nil } : nil
        stage.settle()
        let list = stage.makeOtherList { $0.addressing = .offset }
        let keys = ["0", "10", "20"]
        try list.restore(PaginatorListBookmark(scope: "", pageSize: 10, keys: keys, page: 0, item: 0))
        stage.settle()
        let removal = begun ?? edits.begin(5) { _ in nil }
        stage.settle()
        // The server counts the removal already when another screen asks for the next page.
        stage.table.pages.remove(5..<6)
        stage.paginator.prefetch(keys: ["10"], pageSize: 10)
        stage.settle()
        removal.commit()
        stage.settle()
        list.loadNext()
        stage.settle()
        #expect(list.snapshot.map(\.id) == stage.firstRows(19) && list.snapshot.gaps == [])
    }
}
