import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Pages that lose an item to an edit while they are being loaded. After a launch nobody knows of the removal, so with
/// offsets as keys the item after such a page would be skipped.
@Suite struct RemovedWhileLoadingTests {
    @Test(arguments: ["2", "cursor", nil] as [String?])
    func `a page is stored stale if it lost an item on its way, and its next key is a number`(next: String?) throws {
        let rig = FetchRig(hasStore: true)
        rig.hangSource()
        let caller = rig.fetch("1")
        rig.paginator.edits(id: \.id).remove(7)
        rig.run()
        let call = try #require(rig.source.pendingCalls.first)
        let items = [SampleItem(id: 7, text: "gone"), SampleItem(id: 8, text: "stays")]
        rig.source.answer(call, with: .success(PaginatorPage(content: items, key: "1", nextKey: next)))
        rig.run()
        #expect(caller.listener.page?.content.map(\.id) == [8] && caller.isStale == false)
        let stored = try #require(rig.store?.pages[rig.identity("1")])
        #expect(stored.page.content.map(\.id) == [8])
        #expect(stored.isInvalidated == (next == "2"))
        #expect(rig.paginator.peek(key: "1", pageSize: 10)?.isStale == false, "this process knows of the removal")
    }

    @Test func `a page is stored fresh if an edit only changed it on its way`() throws {
        let rig = FetchRig(hasStore: true)
        rig.hangSource()
        rig.fetch("1")
        rig.paginator.edits(id: \.id).update(1) { SampleItem(id: $0.id, text: "new") }
        rig.answer("1")
        let stored = try #require(rig.store?.pages[rig.identity("1")])
        #expect(stored.page.content.map(\.text) == ["new"] && !stored.isInvalidated)
    }

    @Test(arguments: [true, false])
    func `a page is stored stale if its last part lost an item on its way`(isRemoved: Bool) throws {
        let rig = PartRig(hasStore: true)
        rig.script.withLock { ($0.hangs, $0.gives) = (true, 10) }
        let caller = rig.fetch(nil)
        rig.answer()
        if isRemoved { rig.paginator.edits(id: { (item: SampleItem) in item.id }).remove(25) }
        rig.script.withLock { $0.gives = nil }
        rig.answer()
        #expect(rig.calls == [0..<10, 10..<30] && caller.count == (isRemoved ? 29 : 30))
        let stored = try #require(rig.store?.pages.values.first)
        #expect(stored.isInvalidated == isRemoved)
    }
}
