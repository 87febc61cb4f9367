import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Pages that show no row: gaps beside them, and what is loaded after them.
@Suite struct ListHiddenPageTests {
    /// A stage whose source has these pages, and of each the answers in this order.
    private func stage(pageSize: Int = 2, _ answers: [String: [(ids: [Int], next: String?)]]) -> ListStage {
        let stage = ListStage(style: .cursor, pageSize: pageSize)
        for (key, pages) in answers {
            let steps = pages.map { SourceStep.page(stage.page(key, $0.ids, next: $0.next)).insideFetch }
            stage.source.script(steps, forKey: key)
        }
        return stage
    }

    @Test func `whoever asks for rows above while the list begins gets those before an empty first page`() {
        let stage = ListStage(style: .cursor) { $0.initialKey = "middle" }
        for page in [
            stage.page("middle", [], next: "after", previous: "before"), stage.page("before", [1, 2], next: "middle"),
            stage.page("after", [5, 6], previous: "middle"),
        ] { stage.source.script([.page(page).insideFetch], forKey: page.key) }
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == [1, 2] && stage.newKeys() == ["middle", "before"])
        stage.after { $0.loadNext() }
        #expect(stage.ids == [1, 2, 5, 6] && stage.newKeys() == ["after"])
    }

    @Test func `a gap after the only row above it is filled, though an empty page comes before that row`() {
        let stage = stage([
            "start": [([], "b")], "b": [([1], "c")], "c": [([2], "d")], "d": [([9], nil)],
        ])
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "d") }
        #expect(stage.ids == [1, 9] && stage.list.snapshot.gaps == [1])
        stage.after { $0.fillGap(at: 1) }
        #expect(stage.ids == [1, 2, 9] && stage.list.snapshot.gaps == [])
    }

    @Test func `a gap before a failed page whose rows all stand above it by now is filled without a request`() {
        // Others have deleted 0 to 2, and moved 4 before 3.
        let stage = stage(
            pageSize: 3,
            [
                "start": [([0, 1, 2], "b"), ([4, 3, 5], "c")], "b": [([3, 4, 5], "c")],
                "c": [([6, 7, 8], nil), ([6, 7, 8], nil)],
            ])
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(0..<9))
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "b")
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.ids == [4, 3, 5, 6, 7, 8] && stage.list.snapshot.gaps == [3])
        #expect(stage.list.status.refresh.error?.code == .sourceFailed)
        _ = stage.newKeys()
        stage.updates = []
        stage.after { $0.fillGap(at: 3) }
        #expect(stage.ids == [4, 3, 5, 6, 7, 8] && stage.list.snapshot.gaps == [])
        #expect(stage.newKeys() == [] && stage.updates.flatMap(\.notices) == [])
        #expect(stage.list.status.refresh == .idle)
    }
}
