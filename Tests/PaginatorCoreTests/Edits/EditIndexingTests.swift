import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Where the index of items by their identities is made.
@Suite struct EditIndexingTests {
    @Test func `an edit does not wait for the index of more than two pages`() {
        let rig = FetchRig()
        for key in ["1", "2", "3"] { rig.fetch(key) }
        let looks = Guarded(0)
        let edits = rig.paginator.edits { (item: SampleItem) in
            looks.withLock { $0 += 1 }
            return item.id
        }
        func looksOfAnEdit() -> Int {
            let before = looks.withLock { $0 }
            // No page has it.
            edits.update(99) { $0 }
            let after = looks.withLock { $0 }
            rig.run()
            return after - before
        }
        let first = looksOfAnEdit()
        #expect(first >= 3, "each page is searched")
        #expect(looksOfAnEdit() == first, "and not indexed at once, too")
        #expect(looksOfAnEdit() == 0)
    }
}
