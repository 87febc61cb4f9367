import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// A list over a source that is addressed by offset, whose loads are answered in any order.
@Suite struct ListOffsetRaceTests {
    /// Answers calls in the order of the seed, until there are none.
    private func answerAll(_ stage: ListStage, seed: Int) -> [String] {
        var random = SeededRandom(seed: UInt64(seed))
        var order: [String] = []
        while true {
            let calls = stage.source.pendingCalls
            if calls.isEmpty { return order }
            let call = calls[random.number(in: 0..<calls.count)]
            order.append(call.request.key)
            stage.source.answer(call, with: stage.table.pages.answer(to: call.request))
            stage.settle()
        }
    }

    @Test(arguments: [true, false])
    func `a live row at the head that is deleted while the next page is in flight skips no item`(
        isAnswerOlder: Bool
    ) throws {
        let stage = ListStage(count: 60, pageSize: 10)
        stage.after { $0.loadNext() }
        stage.table.pages.insert(1)
        let row = stage.table.pages.items[0]
        stage.after { $0.insertLive([row]) }
        stage.source.script([.hang], forKey: "11")
        stage.after { $0.loadNext() }
        let call = try #require(stage.source.pendingCalls.first)
        let older = stage.table.pages
        stage.table.pages.remove(0..<1)
        stage.after { $0.edits.remove(row.id) }
        stage.source.answer(call, with: (isAnswerOlder ? older : stage.table.pages).answer(to: call.request))
        stage.settle()
        stage.loadToTheEnd()
        #expect(stage.ids == Array(0..<60) && stage.list.snapshot.gaps == [])
    }

    @Test func `a live row that comes during a refresh of all opens no gap below the first page`() throws {
        let stage = ListStage(count: 60, pageSize: 10)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh() }
        let call = try #require(stage.source.pendingCalls.first)
        let older = stage.table.pages.answer(to: call.request)
        stage.insertLive(1)
        stage.source.answer(call, with: older)
        stage.settle()
        #expect(stage.ids == stage.firstRows(11))
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["11"])
        #expect(stage.ids == stage.firstRows(21) && stage.list.snapshot.gaps == [])
        stage.loadToTheEnd()
        #expect(stage.ids == stage.firstRows(61) && stage.list.snapshot.gaps == [])
    }

    @Test(arguments: 0..<60, [false, true])
    func `a refresh that keeps the place beside the next page's load opens no gap where none is`(
        _ seed: Int, isNextUnderWay: Bool
    ) {
        let stage = ListStage(count: 100, pageSize: 20)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.table.pages.remove(0..<10)
        stage.after { $0.loadNext() }
        stage.source.otherwise { _ in .hang }
        stage.list.loadNext()
        if isNextUnderWay { stage.settle() }
        stage.after { $0.refresh(.keepingPlace) }
        let order = answerAll(stage, seed: seed)
        let table = stage.table
        stage.source.otherwise { .result(table.pages.answer(to: $0)).insideFetch }
        stage.loadToTheEnd()
        #expect(stage.complaints == [], "\(order)")
        #expect(stage.list.snapshot.gaps == [], "\(order), \(stage.updates.flatMap(\.notices)), \(stage.newKeys())")
    }
}
