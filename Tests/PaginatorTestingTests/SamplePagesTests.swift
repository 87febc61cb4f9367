import PaginatorCore
import PaginatorTesting
import Testing

@Suite struct SamplePagesTests {
    private func walk(_ pages: SamplePages, size: Int, limit: Int = 100) -> [[Int]] {
        var seen: [[Int]] = []
        var key: String? = pages.firstKey
        while let next = key, seen.count < limit, let page = pages.page(key: next, pageSize: size) {
            seen.append(page.content.map(\.id))
            key = page.nextKey
        }
        return seen
    }

    @Test(arguments: SamplePages.Style.allCases)
    func `following next keys gives every item once, in order`(style: SamplePages.Style) {
        let pages = SamplePages(count: 10, style: style)
        #expect(walk(pages, size: 4) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
        #expect(walk(SamplePages(count: 0, style: style), size: 4) == [[]])
    }

    @Test(arguments: SamplePages.Style.allCases)
    func `a page's neighbors name it in return`(style: SamplePages.Style) throws {
        let pages = SamplePages(count: 12, style: style)
        let first = try #require(pages.page(key: pages.firstKey, pageSize: 4))
        #expect(first.prevKey == nil)
        let next = try #require(first.nextKey)
        let second = try #require(pages.page(key: next, pageSize: 4))
        #expect(second.prevKey == first.key)
    }

    @Test func `keys that name no place have expired`() {
        let table = SamplePages(count: 5)
        for key in ["", "-1", "x", "6", "99999999999999999999"] {
            #expect(table.page(key: key, pageSize: 2) == nil)
        }
        let numbered = SamplePages(count: 5, style: .number)
        for key in ["0", "9", "\(Int.max)"] {
            #expect(numbered.page(key: key, pageSize: 2) == nil)
        }
        #expect(SamplePages(count: 5, style: .cursor).page(key: "after:7", pageSize: 2) == nil)
        #expect(table.page(key: "0", pageSize: .max)?.content.count == 5)
    }

    @Test func `plays short and empty pages, repeated cursors and cycles`() {
        var pages = SamplePages(count: 9)
        pages.shortPages = ["0": 1, "3": 0]
        #expect(walk(pages, size: 3) == [[0], [], [6, 7, 8]])
        pages.nextKeys["6"] = "0"
        #expect(walk(pages, size: 3, limit: 4) == [[0], [], [6, 7, 8], [0]])
    }

    @Test func `shifting rows move what an offset names, and not what a cursor names`() {
        var offsets = SamplePages(count: 6)
        var cursors = SamplePages(count: 6, style: .cursor)
        offsets.insert(2)
        cursors.insert(2)
        #expect(offsets.page(key: "2", pageSize: 2)?.content.map(\.id) == [0, 1])
        #expect(cursors.page(key: "after:1", pageSize: 2)?.content.map(\.id) == [2, 3])
        offsets.remove(0..<3)
        #expect(offsets.items.map(\.id) == [1, 2, 3, 4, 5])
    }

    @Test func `computes neighbor keys only where it can`() {
        let table = SamplePages(count: 10)
        #expect(table.neighborKeys(of: "4", pageSize: 4) == NeighborKeys(previous: "0", next: "8"))
        #expect(table.neighborKeys(of: "8", pageSize: 4) == NeighborKeys(previous: "4", next: nil))
        #expect(SamplePages(count: 10, style: .cursor).neighborKeys(of: "start", pageSize: 4) == nil)
    }

    @Test func `texts follow from the seed and hold the awkward ones`() {
        #expect(SamplePages(count: 50, seed: 3).items == SamplePages(count: 50, seed: 3).items)
        #expect(SamplePages(count: 50, seed: 3).items != SamplePages(count: 50, seed: 4).items)
        #expect(SamplePages.texts.contains("") && SamplePages.texts.contains { $0.utf8.count > 1_000 })
    }

    @Test func `serves a scripted source`() async throws {
        let source = ScriptedDataSource(serving: SamplePages(count: 5))
        #expect(source.firstKey == "0")
        #expect(source.neighborKeys(of: "0", pageSize: 2)?.next == "2")
        let answer = await withCheckedContinuation { continuation in
            _ = source.fetch(SourceRequest(identity: PageIdentity(key: "4", pageSize: 2))) {
                continuation.resume(returning: $0)
            }
        }
        #expect(try answer.get().content.map(\.id) == [4])
    }

    @Test func `seeded random numbers repeat`() {
        var first = SeededRandom(seed: 7)
        var second = SeededRandom(seed: 7)
        #expect((0..<20).map { _ in first.next() } == (0..<20).map { _ in second.next() })
        #expect((0..<100).allSatisfy { _ in (3..<5).contains(first.number(in: 3..<5)) })
        #expect(first.number(in: 4..<4) == 4)
        #expect(!first.chance(0) && first.chance(1))
    }
}
