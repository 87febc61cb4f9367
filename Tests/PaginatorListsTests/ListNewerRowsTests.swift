import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What came to a list while a refresh was in flight is newer than the refresh's answer, and stays.
@Suite struct ListNewerRowsTests {
    private static let refreshes: [PaginatorListRefresh] = [.all, .firstPage, .keepingPlace, .page("0")]

    /// A stage with its first page, and a refresh whose answer is made now and comes later.
    private func stage(refreshing refresh: PaginatorListRefresh) throws -> (ListStage, () throws -> Void) {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh(refresh) }
        let answer = try #require(stage.table.pages.page(key: "0", pageSize: 10))
        return (
            stage,
            {
                let call = try #require(stage.source.pendingCalls.first { $0.request.key == "0" })
                stage.clock.advance(by: .seconds(1))
                stage.source.answer(call, with: .success(answer))
                stage.settle()
            }
        )
    }

    @Test(arguments: refreshes)
    func `a live row that comes during a refresh is still there after it`(refresh: PaginatorListRefresh) throws {
        let (stage, answer) = try stage(refreshing: refresh)
        stage.table.pages.insert(1)
        stage.after { $0.insertLive([SampleItem(id: 100, text: "live")]) }
        try answer()
        #expect(stage.ids == [100] + Array(0..<10))
        stage.after { $0.loadNext() }
        #expect(stage.ids == [100] + Array(0..<20))
        // The next refresh has it, once.
        stage.after { $0.refresh() }
        stage.after { $0.loadNext() }
        #expect(Array(stage.ids.prefix(11)) == [100] + Array(0..<10))
    }

    @Test(arguments: refreshes)
    func `an insert that is committed during a refresh is still there after it`(refresh: PaginatorListRefresh) throws {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        let sent = stage.list.edits.beginInsert(SampleItem(id: -1, text: "draft"))
        let direct = SampleItem(id: 101, text: "direct")
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh(refresh) }
        let old = try #require(stage.table.pages.page(key: "0", pageSize: 10))
        stage.table.pages.insert(2)
        sent.commit(with: SampleItem(id: 100, text: "sent"))
        stage.after { $0.edits.insert(direct) }
        let call = try #require(stage.source.pendingCalls.first { $0.request.key == "0" })
        stage.source.answer(call, with: .success(old))
        stage.settle()
        #expect(Set(stage.ids) == Set([100, 101] + Array(0..<10)))
        #expect(stage.ids.count == 12)
    }

    @Test(arguments: refreshes)
    func `a live value that comes during a refresh is not replaced by the older one`(
        refresh: PaginatorListRefresh
    ) throws {
        let (stage, answer) = try stage(refreshing: refresh)
        stage.after { $0.insertLive([SampleItem(id: 3, text: "newest")]) }
        try answer()
        #expect(stage.list.snapshot.first { $0.id == 3 }?.text == "newest")
        #expect(stage.ids == Array(0..<10))
    }

    @Test(arguments: refreshes)
    func `a row that the server has deleted goes with the next refresh`(refresh: PaginatorListRefresh) {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.table.pages.insert(1)
        stage.after { $0.insertLive([SampleItem(id: 100, text: "live")]) }
        #expect(stage.ids == [100] + Array(0..<10))
        stage.table.pages.remove(0..<1)
        stage.after { $0.refresh(refresh) }
        #expect(stage.ids == Array(0..<10))
    }

    @Test func `more live rows than a page holds are in order after the first page was loaded anew`() {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        for id in 100..<115 {
            stage.table.pages.insert(1)
            stage.list.insertLive([SampleItem(id: id, text: "live")])
        }
        stage.after { $0.refresh(.firstPage) }
        let table = stage.table.pages.items.map(\.id)
        let places = stage.ids.map { id in table.firstIndex(of: id) ?? -1 }
        #expect(places == places.sorted())
        for _ in 0..<4 where !stage.list.snapshot.gaps.isEmpty {
            stage.after { $0.fillGap(at: $0.snapshot.gaps[0]) }
        }
        #expect(stage.ids == Array(table.prefix(stage.ids.count)))
        #expect(stage.ids.count >= 25)
    }

    @Test func `live rows at the tail stay when they came during a refresh of the last page`() throws {
        let stage = ListStage(count: 5, pageSize: 10)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh() }
        let old = try #require(stage.table.pages.page(key: "0", pageSize: 10))
        stage.after { $0.insertLive([SampleItem(id: 100, text: "")], at: .tail) }
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(call, with: .success(old))
        stage.settle()
        #expect(stage.ids == [0, 1, 2, 3, 4, 100])
    }

    @Test(arguments: [SamplePages.Style.cursor, .offset], [false, true])
    func `a new row that the answer of a refresh already has is counted once`(
        _ style: SamplePages.Style, isLive: Bool
    ) throws {
        let stage = ListStage(style: style, isOneWay: true, pageSize: 10)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: stage.table.pages.firstKey)
        stage.after { $0.refresh() }
        let call = try #require(stage.source.pendingCalls.first)
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.insert(1)
        let row = stage.table.pages.items[0]
        stage.after { list in
            if isLive { list.insertLive([row]) } else { list.edits.insert(row) }
        }
        #expect(stage.list.status.total == 101)
        stage.source.answer(call, with: stage.table.answer(to: call.request))
        stage.settle()
        #expect(stage.ids == stage.firstRows(10))
        #expect(stage.list.status.total == 101)
    }
}
