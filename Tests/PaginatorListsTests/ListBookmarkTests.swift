import Foundation
import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

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
        let bytes = try JSONEncoder().encode(bookmark(of: before))
        let after = ListStage(pageSize: 10)
        try after.list.restore(JSONDecoder().decode(PaginatorListBookmark.self, from: bytes))
        after.settle()
        #expect(after.newKeys() == ["30"])
        #expect(after.ids == Array(30..<40))
        #expect(after.updates.last?.anchor == 4)
        after.after { $0.setPrefetchDistance(8) }
        #expect(after.newKeys() == ["40", "20"])
        #expect(after.ids == Array(20..<50))
        #expect(after.list.snapshot.gaps == [])
    }

    @Test func `where the first visible row is gone after a refresh the last one is come back to`() throws {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 5..<9) }
        stage.table.pages.remove(5..<6)
        stage.after { $0.refresh(.all) }
        let bookmark = try bookmark(of: stage)
        #expect(stage.ids.indices.contains(bookmark.item) && stage.ids[bookmark.item] == 8)
    }

    @Test func `the last visible row is come back to also if it has got another identity`() throws {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 5..<9) }
        stage.list.edits.begin(8) { $0 }.commit(with: SampleItem(id: 500, text: "renamed"))
        stage.settle()
        stage.after { $0.edits.remove(5) }
        let bookmark = try bookmark(of: stage)
        #expect(stage.ids.indices.contains(bookmark.item) && stage.ids[bookmark.item] == 500)
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

    // Somebody looked at item 70 of pages of ten, and left; then the table changed, and the list is another process's.
    private func restored(
        after change: (inout SamplePages) -> Void, distance: Int = 0, then act: (ListStage) -> Void = { _ in }
    ) throws -> ListStage {
        let before = ListStage(pageSize: 10)
        for _ in 0..<9 { before.after { $0.loadNext() } }
        before.after { $0.hint(visible: 70..<78) }
        let bytes = try JSONEncoder().encode(bookmark(of: before))
        let after = ListStage(pageSize: 10) { $0.prefetchDistance = distance }
        change(&after.table.pages)
        try after.list.restore(JSONDecoder().decode(PaginatorListBookmark.self, from: bytes))
        act(after)
        after.settle()
        #expect(after.complaints == [])
        return after
    }

    @Test(arguments: [false, true])
    func `pages that the window had dropped join the restored one after rows were inserted or removed`(
        _ isAtEnd: Bool
    ) throws {
        let before = ListStage(pageSize: 10) { $0.windowItems = 30 }
        for _ in 0..<6 { before.after { $0.loadNext() } }
        if isAtEnd {
            for _ in 0..<3 {
                before.after { $0.hint(visible: 0..<5) }
                before.after { $0.loadPrevious() }
            }
            before.table.pages.remove(3..<4)
            before.after { $0.edits.remove(3) }
        } else {
            before.table.pages.insert(5)
            let rows = Array(before.table.pages.items.prefix(5).reversed())
            before.after { $0.insertLive(rows) }
        }
        before.after { $0.hint(visible: 12..<16) }
        let after = ListStage(pageSize: 10)
        after.table.pages = before.table.pages
        try after.list.restore(bookmark(of: before))
        after.settle()
        for _ in 0..<5 {
            after.after { isAtEnd ? $0.loadNext() : $0.loadPrevious() }
            #expect(after.list.snapshot.gaps == [] && after.complaints == [])
        }
        #expect(after.ids.count >= 40)
    }

    @Test func `a row removed on a page that the window has dropped moves the keys of the pages behind it`() throws {
        let stage = ListStage(pageSize: 10) { $0.windowItems = 30 }
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        for _ in 0..<3 {
            stage.after { $0.hint(visible: 0..<5) }
            stage.after { $0.loadPrevious() }
        }
        #expect(stage.ids == Array(0..<30))
        stage.after { $0.edits.remove(33) }
        #expect(try bookmark(of: stage).keys == ["0", "10", "20", "30", "39", "49"])
    }

    private func looked(_ stage: ListStage) -> Int? { stage.updates.last?.anchor.map { stage.ids[$0] } }

    @Test(arguments: [0, 1, 5, 9, 10, 15, 19])
    func `an item is come back to that rows were inserted above`(_ rows: Int) throws {
        for distance in [0, 5, 15] {
            let stage = try restored(after: { $0.insert(rows, at: 3) }, distance: distance)
            #expect(looked(stage) == 70, "\(rows) rows, distance \(distance)")
        }
    }

    @Test(arguments: [1, 5, 9, 10])
    func `an item is come back to that rows were removed above`(_ rows: Int) throws {
        for distance in [0, 5, 15] {
            let stage = try restored(after: { $0.remove(3..<3 + rows) }, distance: distance)
            #expect(looked(stage) == 70, "\(rows) rows, distance \(distance)")
        }
    }

    @Test func `where the item is gone what stands in its place is come back to`() throws {
        let stage = try restored(after: { $0.remove(70..<71) })
        #expect(looked(stage) == 71)
    }

    @Test func `a list comes back to its own bookmark after pages' worth of rows above were removed`() throws {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.remove(0..<20)
        for id in 0..<20 { stage.list.edits.remove(id) }
        stage.settle()
        stage.after { $0.hint(visible: 15..<18) }
        #expect(stage.ids == Array(20..<40))
        let bookmark = try bookmark(of: stage)
        #expect(bookmark.keys == ["10"])
        try stage.list.restore(bookmark)
        stage.settle()
        #expect(looked(stage) == 35 && stage.complaints == [])
    }

    @Test func `a list comes back to its own bookmark after a page's worth of rows came above, with what is beside it`()
        throws
    {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        stage.clock.advance(by: .seconds(1))
        stage.insertLive(10)
        stage.after { $0.hint(visible: 32..<35) }
        let bookmark = try bookmark(of: stage)
        #expect(bookmark.keys[bookmark.page] == "30")
        try stage.list.restore(bookmark)
        stage.settle()
        #expect(looked(stage) == 22)
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == Array(10..<30) && stage.complaints == [])
    }

    @Test func `who looks elsewhere before the item is found stays there`() throws {
        let stage = try restored(after: { $0.insert(15, at: 3) }) { stage in
            while stage.ids.isEmpty { _ = stage.executor.runOne { _ in 0 } }
            stage.list.hint(visible: 6..<9)
        }
        #expect(looked(stage) == 61)
    }

    @Test func `a view that lays out what is restored does not stop the search`() throws {
        let stage = try restored(after: { $0.insert(15, at: 3) }) { stage in
            while stage.ids.isEmpty { _ = stage.executor.runOne { _ in 0 } }
            stage.list.hint(visible: 0..<8)
        }
        #expect(looked(stage) == 70)
    }

    @Test func `a page that fails beside the restored one ends the search`() throws {
        let stage = try restored(after: { $0.insert(15, at: 3) }) { stage in
            stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "80")
        }
        #expect(looked(stage) == 55)
    }

    @Test func `where a new page replaces the old one of a bookmark, the item is found on the page behind it`() throws {
        let stage = ListStage(pageSize: 10) { $0.policy = .staleWhileRevalidate }
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 25..<29) }
        let bookmark = try bookmark(of: stage)
        stage.table.pages.insert(10)
        stage.paginator.invalidate(.all)
        for key in ["20", "30"] { stage.source.script([.hang], forKey: key) }
        try stage.list.restore(bookmark)
        stage.settle()
        #expect(stage.ids == Array(20..<30) && looked(stage) == 25)
        // As a view does that has gone there.
        stage.after { $0.hint(visible: 5..<9) }
        try stage.answer("20")
        #expect(looked(stage) == 15, "what stands in its place now")
        let place = stage.updates.last?.anchor ?? 0
        stage.after { $0.hint(visible: place..<place + 4) }
        try stage.answer("30")
        #expect(looked(stage) == 25)
        #expect(stage.ids == Array(10..<30) && stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test(arguments: [false, true])
    func `where the item is gone from the new page, what stands in its place is come back to`(
        namesItem: Bool
    ) throws {
        let stage = ListStage(pageSize: 10) { $0.policy = .staleWhileRevalidate }
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 25..<29) }
        var bookmark = try bookmark(of: stage)
        if !namesItem {
            bookmark = try PaginatorListBookmark(
                scope: "", pageSize: 10, keys: bookmark.keys, page: bookmark.page, item: bookmark.item)
        }
        stage.table.pages.remove(25..<26)
        stage.paginator.invalidate(.all)
        stage.source.script([.hang], forKey: "20")
        try stage.list.restore(bookmark)
        stage.settle()
        stage.after { $0.hint(visible: 5..<9) }
        try stage.answer("20")
        #expect(looked(stage) == 26)
    }

    @Test func `a bookmark that knows no item is read as before`() throws {
        let bytes = Data(#"{"scope":"","pageSize":10,"keys":["60","70"],"page":1,"item":3}"#.utf8)
        let stage = ListStage(pageSize: 10)
        try stage.list.restore(JSONDecoder().decode(PaginatorListBookmark.self, from: bytes))
        stage.settle()
        #expect(looked(stage) == 73)
    }

    @Test func `identities that say the same of themselves name no item`() throws {
        struct Name: Hashable, Sendable, CustomStringConvertible {
            let id: Int
            var description: String { "name" }
        }
        let stage = ListStage(pageSize: 10)
        let list = PaginatorList(stage.paginator, id: { Name(id: $0.id) })
        list.loadNext()
        stage.settle()
        list.hint(visible: 4..<8)
        stage.settle()
        let found = Guarded<PaginatorListBookmark?>(nil)
        list.bookmark { bookmark in found.withLock { $0 = bookmark } }
        stage.settle()
        let bookmark = try #require(found.withLock { $0 })
        #expect(bookmark.item == 4 && bookmark.fingerprint == nil)
    }

    @Test func `any values are checked`() throws {
        struct Form: Codable {
            var scope = "s"
            var pageSize = 10
            var keys = ["0", "caf\u{e9}", "cafe\u{301}"]
            var page = 1
            var item = 4
        }
        func decoded(_ change: (inout Form) -> Void) throws -> PaginatorListBookmark {
            var form = Form()
            change(&form)
            return try JSONDecoder().decode(PaginatorListBookmark.self, from: JSONEncoder().encode(form))
        }
        #expect(try decoded { _ in }.keys.map { Array($0.utf8) } == Form().keys.map { Array($0.utf8) })
        let wrong: [(inout Form) -> Void] = [
            { $0.pageSize = 0 }, { $0.page = 3 }, { $0.page = -1 }, { $0.item = -1 }, { $0.keys = [] },
            { $0.keys[0] = "" }, { $0.keys[0] = $0.keys[1] }, { $0.keys[0] = String(repeating: "x", count: 4_097) },
            { $0.keys = (0...10_000).map(String.init) }, { $0.scope = String(repeating: "x", count: 4_097) },
        ]
        for change in wrong {
            let error = #expect(throws: PaginatorError.self) { try decoded(change) }
            #expect(error?.code == .invalidBookmark)
        }
    }

    @Test func `a bookmark is encoded as it is`() throws {
        let bookmark = try PaginatorListBookmark(
            scope: "user", pageSize: 3, keys: ["a", "\u{e9}", "e\u{301}"], page: 1, item: 2)
        let read = try JSONDecoder().decode(PaginatorListBookmark.self, from: JSONEncoder().encode(bookmark))
        #expect(read.keys.map { Array($0.utf8) } == bookmark.keys.map { Array($0.utf8) })
        #expect(read.scope == "user" && read.pageSize == 3 && read.page == 1 && read.item == 2)
        #expect(throws: PaginatorError.self) {
            try PaginatorListBookmark(scope: "", pageSize: 3, keys: ["a", "a"], page: 0, item: 0)
        }
    }

    @Test func `a bookmark of what is no longer shown does not bring its pages into another scope`() throws {
        let stage = ListStage(style: .cursor)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 2..<3) }
        let bookmark = try #require(stage.list.engine.machine.bookmark())
        stage.table.scopes["b"] = SamplePages(count: 9, style: .cursor)
        stage.after { $0.show(scope: "b") }
        // As when the switch came between the look at the scope and the message.
        stage.list.engine.feed { $0.restore(bookmark) }
        stage.settle()
        #expect(stage.ids == [0, 1] && stage.newKeys().suffix(1) == ["start"])
    }

    @Test func `rows and bookmarks tell of which scope they are, also while a switch keeps the old ones`() throws {
        let stage = ListStage(pageSize: 10) { $0.scope = "caf\u{E9}" }
        stage.table.scopes = ["cafe\u{301}": SamplePages(count: 40)]
        #expect(stage.list.status.scope.utf8.elementsEqual("caf\u{E9}".utf8))
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 23..<28) }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.show(scope: "cafe\u{301}") }
        #expect(stage.ids == Array(0..<30) && stage.list.status.scope.utf8.elementsEqual("caf\u{E9}".utf8))
        let bookmark = try bookmark(of: stage)
        #expect(throws: PaginatorError.self) { try stage.list.restore(bookmark) }
        let call = try #require(stage.source.calls.last)
        stage.source.answer(call, with: .success(stage.page("0", Array(0..<10), next: "10")))
        stage.settle()
        #expect(stage.list.status.scope.utf8.elementsEqual("cafe\u{301}".utf8))
        stage.list.show(scope: bookmark.scope)
        try stage.list.restore(bookmark)
        stage.settle()
        #expect(stage.ids == Array(20..<30) && stage.list.status.scope.utf8.elementsEqual("caf\u{E9}".utf8))
    }

    /// The files of each release; see `docs/formats.md`.
    private static let releases: URL = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while folder.lastPathComponent != "Tests" { folder.deleteLastPathComponent() }
        return folder.appending(path: "Formats")
    }()

    /// What the file of each release says.
    private func keptBookmark() throws -> PaginatorListBookmark {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 34..<38) }
        return try bookmark(of: stage)
    }

    @Test(arguments: (try? FileManager.default.contentsOfDirectory(atPath: releases.path)) ?? [])
    func `a bookmark of a release comes back to its item`(_ release: String) throws {
        let file = Self.releases.appending(path: release + "/bookmark.json")
        let kept = try JSONDecoder().decode(PaginatorListBookmark.self, from: Data(contentsOf: file))
        // An item is known by a hash, which has to stay the same.
        #expect(try kept.fingerprint == keptBookmark().fingerprint && kept.fingerprint != nil)
        let stage = ListStage(pageSize: 10)
        try stage.list.restore(kept)
        stage.settle()
        #expect(stage.newKeys() == ["30"] && stage.updates.last?.anchor == 4)
    }

    @Test func `a bookmark of a later release is refused, and one without a version is of the first`() throws {
        let text = String(decoding: try JSONEncoder().encode(keptBookmark()), as: UTF8.self)
        #expect(text.contains(#""version":1"#))
        func decode(_ version: String) throws -> PaginatorListBookmark {
            let other = text.replacing(#""version":1"#, with: version)
            return try JSONDecoder().decode(PaginatorListBookmark.self, from: Data(other.utf8))
        }
        #expect(try decode(#""note":"none""#).keys == keptBookmark().keys)
        let error = #expect(throws: PaginatorError.self) { try decode(#""version":2"#) }
        #expect(error?.code == .invalidBookmark && error?.description.contains("later version") == true)
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["PAGINATOR_WRITE_FORMATS"] != nil))
    func `writes the bookmark of a release`() throws {
        let release = try #require(ProcessInfo.processInfo.environment["PAGINATOR_WRITE_FORMATS"])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let folder = Self.releases.appending(path: release)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try encoder.encode(keptBookmark()).write(to: folder.appending(path: "bookmark.json"))
    }
}
