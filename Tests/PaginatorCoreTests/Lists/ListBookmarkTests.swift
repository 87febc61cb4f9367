import Foundation
import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Leaving a list and coming back to it.
@Suite struct ListBookmarkTests {
    private func bookmark(of stage: ListStage) throws -> PaginatorListBookmark {
        let found = Guarded<PaginatorListBookmark?>(nil)
        stage.list.bookmark { bookmark in found.withLock { $0 = bookmark } }
        stage.settle()
        return try #require(found.withLock { $0 })
    }

    @Test func `what was visible comes first and the rest when it is wanted`() throws {
        let before = ListStage(pageSize: 10)
        for _ in 0..<6 { before.after { $0.loadNext() } }
        before.after { $0.hint(visible: 34..<38) }
        let bytes = try bookmark(of: before).bytes
        let after = ListStage(pageSize: 10)
        try after.list.restore(PaginatorListBookmark(bytes: bytes))
        after.settle()
        #expect(after.newKeys() == ["30"])
        #expect(after.ids == Array(30..<40))
        #expect(after.updates.last?.anchor == 4)
        after.after { $0.setPrefetchDistance(8) }
        #expect(after.newKeys() == ["40", "20"])
        #expect(after.ids == Array(20..<50))
        #expect(after.list.snapshot.gaps == [])
    }

    @Test func `a bookmark of another list is refused`() throws {
        let stage = ListStage(pageSize: 10)
        let other = try PaginatorListBookmark(scope: "other", pageSize: 10, keys: ["0"], page: 0, item: 0)
        #expect(throws: PaginatorError.self) { try stage.list.restore(other) }
        #expect(stage.newKeys() == [])
    }

    @Test func `an expired bookmark begins at the first key`() throws {
        let stage = ListStage(pageSize: 10)
        try stage.list.restore(PaginatorListBookmark(scope: "", pageSize: 10, keys: ["0", "9999"], page: 1, item: 3))
        stage.settle()
        #expect(stage.newKeys() == ["9999", "0"])
        #expect(stage.ids == Array(0..<10))
    }

    @Test func `any bytes are safe`() throws {
        let good = try PaginatorListBookmark(
            scope: "s", pageSize: 10, keys: ["0", "caf\u{e9}", "cafe\u{301}"], page: 1, item: 4)
        #expect(try PaginatorListBookmark(bytes: good.bytes) == good)
        var random = SeededRandom(seed: 7)
        for _ in 0..<2_000 {
            var bytes = good.bytes
            for _ in 0..<random.number(in: 1..<4) {
                switch random.number(in: 0..<3) {
                case 0: bytes[random.number(in: 0..<bytes.count)] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes = Array(bytes.prefix(random.number(in: 1..<bytes.count + 1)))
                default: bytes.append(UInt8.random(in: 0...255, using: &random))
                }
            }
            do {
                let read = try PaginatorListBookmark(bytes: bytes)
                #expect(read.keys.indices.contains(read.page) && read.item >= 0)
            } catch {
                #expect(error.code == .invalidBookmark)
            }
        }
        #expect(throws: PaginatorError.self) { try PaginatorListBookmark(bytes: []) }
    }

    @Test func `a bookmark is codable and checked`() throws {
        let bookmark = try PaginatorListBookmark(
            scope: "user", pageSize: 3, keys: ["a", "\u{e9}", "e\u{301}"], page: 1, item: 2)
        let encoded = try JSONEncoder().encode(bookmark)
        #expect(try JSONDecoder().decode(PaginatorListBookmark.self, from: encoded) == bookmark)
        let bad = try JSONEncoder().encode([UInt8]([1, 0]))
        #expect(throws: PaginatorError.self) { try JSONDecoder().decode(PaginatorListBookmark.self, from: bad) }
        #expect(throws: PaginatorError.self) {
            try PaginatorListBookmark(scope: "", pageSize: 3, keys: ["a", "a"], page: 0, item: 0)
        }
    }
}
