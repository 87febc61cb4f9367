import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Lists over a source whose first offset is 1, as SCIM's `startIndex`.
@Suite struct ListFirstOffsetTests {
    /// A list of 91 items that begins at a key.
    private func stage(_ initialKey: String? = nil) -> ListStage {
        let stage = ListStage(style: .number, pageSize: 30) {
            $0.addressing = .offset
            $0.initialKey = initialKey
        }
        stage.source.otherwise { request in
            let start = Int(request.key) ?? 1
            let page = PaginatorPage(
                content: (start..<min(start + 30, 92)).map { SampleItem(id: $0, text: "") }, key: request.key,
                prevKey: start > 1 ? String(max(1, start - 30)) : nil,
                nextKey: start + 30 < 92 ? String(start + 30) : nil, total: 91)
            return SourceStep.page(page).insideFetch
        }
        stage.after { $0.loadNext() }
        return stage
    }

    @Test func `one item is left after the page that ends before the last`() {
        let stage = stage()
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(1...90))
        #expect(stage.list.status.placeholdersBefore == 0 && stage.list.status.placeholdersAfter == 1)
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(1...91) && stage.list.status.placeholdersAfter == 0)
    }

    @Test func `sixty items are before the page of offset 61`() {
        let stage = stage("61")
        #expect(stage.ids == Array(61...90))
        #expect(stage.list.status.placeholdersBefore == 60 && stage.list.status.placeholdersAfter == 1)
        for _ in 0..<2 { stage.after { $0.loadPrevious() } }
        #expect(stage.ids == Array(1...90) && stage.list.status.placeholdersBefore == 0)
    }
}
