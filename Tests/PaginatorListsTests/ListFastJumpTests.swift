import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Jumps in a list whose own first page is still on its way: pages stand in the same order, whichever comes first.
@Suite struct ListFastJumpTests {
    private func page(_ key: String, _ ids: [Int], next: String?, previous: String?) -> PaginatorPage<SampleItem> {
        PaginatorPage(content: ids.map { SampleItem(id: $0, text: "") }, key: key, prevKey: previous, nextKey: next)
    }

    /// What a list shows that begins with one page and at once jumps to another.
    private func shown(
        _ own: PaginatorPage<SampleItem>, jump other: PaginatorPage<SampleItem>,
        _ placement: PaginatorListPlacement = .automatic, isFaster: Bool
    ) throws -> [Int] {
        let stage = ListStage(style: .cursor) { $0.initialKey = own.key }
        for page in [own, other] { stage.source.script([.hang], forKey: page.key) }
        stage.list.loadNext()
        stage.after { $0.jump(to: other.key, placement: placement) }
        for page in isFaster ? [other, own] : [own, other] {
            let call = try #require(stage.source.pendingCalls.first { $0.request.key == page.key })
            stage.source.answer(call, with: .success(page))
            stage.settle()
        }
        #expect(stage.list.snapshot.gaps == [2])
        #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == other.content.first?.id)
        return stage.ids
    }

    @Test(arguments: [PaginatorListPlacement.automatic, .start, .end], [false, true])
    func `the page of a jump goes to the end unless it is to go to the start`(
        _ placement: PaginatorListPlacement, isFaster: Bool
    ) throws {
        let day = page("day 1", [10, 11], next: "before 11", previous: "after 10")
        // Each names what is newer, too.
        for key in ["start", "day 2"] {
            let own = page(key, [40, 41], next: "before 41", previous: "after 40")
            let ids = try shown(own, jump: day, placement, isFaster: isFaster)
            #expect(ids == (placement == .start ? [10, 11, 40, 41] : [40, 41, 10, 11]), "\(key)")
        }
    }

    @Test(arguments: [PaginatorListPlacement.automatic, .start, .end], [false, true])
    func `in a chat, the page of a jump goes to the start unless it is to go to the end`(
        _ placement: PaginatorListPlacement, isFaster: Bool
    ) throws {
        let newest = page("start", [40, 41], next: nil, previous: "before 40")
        let day = page("day 1", [10, 11], next: "after 11", previous: "before 10")
        let ids = try shown(newest, jump: day, placement, isFaster: isFaster)
        #expect(ids == (placement == .end ? [40, 41, 10, 11] : [10, 11, 40, 41]))
    }

    @Test(arguments: [false, true])
    func `the source's first page goes before a later one at which the list begins if it leads forward alone`(
        isFaster: Bool
    ) throws {
        let day = page("day 1", [10, 11], next: "before 11", previous: "after 10")
        for first in [
            page("start", [40, 41], next: "before 41", previous: nil),
            page("start", [40, 41], next: "before 41", previous: "after 40"),
            page("start", [40, 41], next: nil, previous: "before 40"),
        ] {
            let ids = try shown(day, jump: first, isFaster: isFaster)
            #expect(ids == (first.prevKey == nil ? [40, 41, 10, 11] : [10, 11, 40, 41]))
        }
    }
}
