import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Lists over a source that is addressed by offset, which load a page above others while rows come or go: nothing shows
/// whether the answer counts them already, and no row is missing.
@Suite struct ListUpwardRaceTests {
    /// How a list comes to load a page above one that it has.
    enum Way: CaseIterable, Sendable { case previous, gap, jump }

    /// Shows 40..<50, and for a gap 0..<10 before, while page "30" is on its way.
    private func stage(_ way: Way) -> ListStage {
        let stage = ListStage(count: 60, pageSize: 10) { $0.initialKey = way == .gap ? nil : "40" }
        stage.after { $0.loadNext() }
        if way == .gap { stage.after { $0.jump(to: "40") } }
        stage.source.script([.hang], forKey: "30")
        stage.after { list in
            switch way {
            case .previous: list.loadPrevious()
            case .gap: list.fillGap(at: 10, fromEnd: true)
            case .jump: list.jump(to: "30")
            }
        }
        return stage
    }

    private func answer(_ stage: ListStage, from pages: SamplePages) throws {
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(call, with: pages.answer(to: call.request))
        stage.settle()
    }

    /// Fills gaps and loads at both ends until there is no more.
    private func expectAll(_ stage: ListStage) {
        for _ in 0..<40 {
            if let gap = stage.list.snapshot.gaps.first {
                stage.after { $0.fillGap(at: gap) }
            } else if stage.list.status.hasPrevious {
                stage.after { $0.loadPrevious() }
            } else if stage.list.status.hasNext {
                stage.after { $0.loadNext() }
            } else {
                break
            }
            #expect(stage.complaints == [])
        }
        #expect(stage.ids == stage.table.pages.items.map(\.id) && stage.list.snapshot.gaps == [])
    }

    @Test(arguments: Way.allCases, [true, false])
    func `a row that comes while a page above is in flight skips no item`(_ way: Way, isAnswerOlder: Bool) throws {
        let stage = stage(way)
        let older = stage.table.pages
        stage.insertLive(1)
        try answer(stage, from: isAnswerOlder ? older : stage.table.pages)
        #expect(stage.complaints == [])
        // It is loaded by the key that it has by now; a jump goes to the row at that position.
        if way != .jump { #expect(Array(stage.ids.suffix(20)) == Array(30..<50)) }
        expectAll(stage)
    }

    @Test(arguments: [Way.previous, .gap], [true, false])
    func `rows that keep coming do not keep a page above away, and skip no item`(
        _ way: Way, isAnswerOlder: Bool
    ) throws {
        let stage = stage(way)
        stage.source.script([.hang], forKey: "31")
        stage.insertLive(1)
        try stage.answer("30")
        let older = stage.table.pages
        stage.insertLive(1)
        try answer(stage, from: isAnswerOlder ? older : stage.table.pages)
        #expect(stage.ids.contains(35) && stage.complaints == [])
        expectAll(stage)
    }

    @Test(arguments: [Way.gap, .jump], [true, false])
    func `removals that keep coming do not keep a page away, and skip no item`(
        _ way: Way, isAnswerOlder: Bool
    ) throws {
        let stage = ListStage(count: 60, pageSize: 10)
        stage.after { $0.loadNext() }
        if way == .gap { stage.after { $0.jump(to: "40") } }
        stage.source.otherwise { _ in .hang }
        stage.after { list in
            if way == .gap { list.fillGap(at: 10, fromEnd: true) } else { list.jump(to: "40") }
        }
        for id in [5, 6] {
            let older = stage.table.pages
            stage.table.pages.remove(5..<6)
            stage.after { $0.edits.remove(id) }
            try answer(stage, from: isAnswerOlder ? older : stage.table.pages)
        }
        #expect(stage.source.pendingCalls.isEmpty)
        #expect(stage.ids.contains(way == .gap ? 35 : 45) && stage.complaints == [])
        let table = stage.table
        stage.source.otherwise { .result(table.pages.answer(to: $0)).insideFetch }
        if let gap = stage.list.snapshot.gaps.first { stage.after { $0.fillGap(at: gap, fromEnd: true) } }
        #expect(stage.complaints == [])
        expectAll(stage)
    }

    @Test(arguments: [Way.previous, .jump], [true, false])
    func `more rows than a page has that keep coming skip no item`(_ way: Way, isAnswerOlder: Bool) throws {
        let stage = stage(way)
        stage.source.script([.hang], forKey: way == .jump ? "30" : "60")
        for _ in 0..<2 {
            let older = stage.table.pages
            stage.insertLive(30)
            try answer(stage, from: isAnswerOlder ? older : stage.table.pages)
        }
        #expect(stage.ids.count == 20 && stage.complaints == [])
        expectAll(stage)
    }

    @Test(arguments: [1, 2], [true, false])
    func `more rows than a page has that come while a list begins in the middle skip no item`(
        times: Int, isAnswerOlder: Bool
    ) throws {
        let stage = ListStage(count: 60, pageSize: 10) { $0.initialKey = "30" }
        stage.source.script(Array(repeating: .hang, count: times), forKey: "30")
        stage.after { $0.loadNext() }
        for _ in 0..<times {
            let older = stage.table.pages
            stage.insertLive(30)
            try answer(stage, from: isAnswerOlder ? older : stage.table.pages)
        }
        stage.after { $0.loadNext() }
        #expect(stage.ids.count == 20 && stage.complaints == [])
        expectAll(stage)
    }

    @Test(arguments: Way.allCases, [true, false])
    func `a row that the user adds while a page above is in flight skips no item`(
        _ way: Way, isAnswerOlder: Bool
    ) throws {
        let stage = stage(way)
        let older = stage.table.pages
        let draft = stage.list.edits.beginInsert(SampleItem(id: -1, text: ""))
        stage.settle()
        stage.table.pages.insert(1)
        let row = stage.table.pages.items[0]
        stage.after { _ in draft.commit(with: row) }
        try answer(stage, from: isAnswerOlder ? older : stage.table.pages)
        #expect(stage.complaints == [])
        expectAll(stage)
    }

    @Test func `a row that comes below while a page above is in flight moves nothing above`() throws {
        let stage = stage(.gap)
        _ = stage.newKeys()
        stage.table.pages.insert(1, at: 46)
        stage.after { $0.insertLive([SampleItem(id: 60, text: "")], at: .after(45)) }
        try stage.answer()
        #expect(stage.newKeys() == [] && stage.complaints == [])
        expectAll(stage)
    }

    @Test(arguments: [true, false])
    func `a removal that is committed during a jump leaves no item out above its page`(isAnswerOlder: Bool) throws {
        let stage = ListStage(count: 60, pageSize: 10)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "40")
        stage.after { $0.jump(to: "40") }
        let older = stage.table.pages
        stage.table.pages.remove(5..<6)
        stage.after { $0.edits.remove(5) }
        try answer(stage, from: isAnswerOlder ? older : stage.table.pages)
        #expect(stage.list.snapshot.gaps == [9])
        stage.after { $0.fillGap(at: 9, fromEnd: true) }
        #expect(stage.complaints == [])
        expectAll(stage)
    }

    @Test(arguments: [true, false], [true, false])
    func `a removal that is committed while a dropped page comes back skips no item`(
        isAnswerOlder: Bool, isAbove: Bool
    ) throws {
        let stage = ListStage(count: 80, pageSize: 10) { $0.windowItems = 20 }
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        if !isAbove { for _ in 0..<4 { stage.after { $0.loadPrevious() } } }
        #expect(stage.ids == (isAbove ? Array(40..<60) : Array(0..<20)))
        let key = isAbove ? "30" : "20"
        stage.paginator.clear(key: key)
        stage.settle()
        stage.source.script([.hang], forKey: key)
        stage.after { isAbove ? $0.loadPrevious() : $0.loadNext() }
        let older = stage.table.pages
        stage.table.pages.remove(5..<6)
        stage.after { $0.edits.remove(5) }
        try answer(stage, from: isAnswerOlder ? older : stage.table.pages)
        #expect(stage.ids.contains(isAbove ? 30 : 20) && stage.list.snapshot.gaps == [])
        for _ in 0..<3 {
            #expect(stage.complaints == [])
            stage.after { isAbove ? $0.loadPrevious() : $0.loadNext() }
        }
        #expect(stage.complaints == [])
    }

    @Test(arguments: [true, false], [true, false])
    func `a row that comes while a list begins in the middle skips no item`(
        isAnswerOlder: Bool, isBookmark: Bool
    ) throws {
        let stage = ListStage(count: 60, pageSize: 10) { $0.initialKey = "30" }
        stage.source.script([.hang], forKey: "30")
        if isBookmark {
            let keys = ["20", "30", "40"]
            try stage.list.restore(PaginatorListBookmark(scope: "", pageSize: 10, keys: keys, page: 1, item: 4))
            stage.settle()
        } else {
            stage.after { $0.loadNext() }
        }
        let older = stage.table.pages
        stage.insertLive(1)
        try answer(stage, from: isAnswerOlder ? older : stage.table.pages)
        stage.after { $0.loadNext() }
        #expect(stage.complaints == [] && stage.list.snapshot.gaps == [])
        expectAll(stage)
    }
}
