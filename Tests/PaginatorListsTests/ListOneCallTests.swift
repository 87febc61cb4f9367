import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Pages that one call asked for in another order than they stand. A list that is made later goes on over them without
/// asking for them again, as the rows have had no time to move.
@Suite struct ListOneCallTests {
    typealias Style = SamplePages.Style

    private func stage(
        _ style: Style, store: ScriptedStore<SampleItem>? = nil, connectivity: ScriptedConnectivity? = nil,
        initialKey: String? = nil
    ) -> ListStage {
        ListStage(style: style, pageSize: 10, store: store, connectivity: connectivity) {
            $0.addressing = Self.addressing(style)
            $0.initialKey = initialKey
        }
    }

    private static func addressing(_ style: Style) -> PaginatorListConfig.Addressing {
        switch style {
        case .offset: .offset
        case .number: .pageNumber(first: 1)
        case .cursor: .opaque
        }
    }

    // The key of a page, counted from 0, while no row has moved.
    private static func key(_ page: Int, _ style: Style) -> String {
        switch style {
        case .offset: "\(page * 10)"
        case .number: "\(page + 1)"
        case .cursor: page == 0 ? "start" : "after:\(page * 10 - 1)"
        }
    }

    private func laterList(on stage: ListStage, _ style: Style, pages: Int) -> PaginatorList<SampleItem, Int> {
        let list = stage.makeOtherList { $0.addressing = Self.addressing(style) }
        for _ in 0..<pages {
            list.loadNext()
            stage.settle()
        }
        return list
    }

    // Each answer takes a second.
    private func prefetch(_ pages: [Int], on stage: ListStage, _ style: Style) {
        let keys = pages.map { Self.key($0, style) }
        for key in keys { stage.source.script([.hang], forKey: key) }
        stage.paginator.prefetch(keys: keys, pageSize: 10)
        stage.settle()
        while let call = stage.source.pendingCalls.first {
            stage.clock.advance(by: .seconds(1))
            stage.source.answer(call, with: stage.table.pages.answer(to: call.request))
            stage.settle()
        }
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `pages of one prefetch fit together`(_ style: Style) {
        let connectivity = ScriptedConnectivity()
        let stage = stage(style, connectivity: connectivity)
        prefetch([4, 3, 1, 2, 0], on: stage, style)
        #expect(stage.newKeys() == [4, 3, 1, 2, 0].map { Self.key($0, style) })
        let list = laterList(on: stage, style, pages: 5)
        #expect(stage.newKeys() == [])
        #expect(list.snapshot.map(\.id) == Array(0..<50) && list.snapshot.gaps.isEmpty)
        connectivity.set(.offline)
        let other = laterList(on: stage, style, pages: 5)
        #expect(other.snapshot.map(\.id) == Array(0..<50) && other.snapshot.gaps.isEmpty)
        #expect(other.status.staleError == nil)
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `they still do after a start from disk`(_ style: Style) {
        let store = ScriptedStore<SampleItem>(answersInside: true)
        let before = stage(style, store: store)
        before.clock.advance(by: .milliseconds(1_234_567))
        prefetch([4, 3, 1, 2, 0], on: before, style)
        let stage = stage(style, store: store)
        stage.clock.advance(by: .milliseconds(7_654_321))
        let list = laterList(on: stage, style, pages: 5)
        #expect(stage.newKeys() == [])
        #expect(list.snapshot.map(\.id) == Array(0..<50) && list.snapshot.gaps.isEmpty)
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `pages of calls one after the other do not`(_ style: Style) {
        let stage = stage(style)
        prefetch([1], on: stage, style)
        stage.table.pages.insert(1)
        prefetch([0], on: stage, style)
        _ = stage.newKeys()
        let list = laterList(on: stage, style, pages: 2)
        #expect(list.snapshot.map(\.id) == stage.firstRows(20))
        #expect(list.snapshot.gaps.isEmpty && stage.newKeys().count == 1)
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `a page that is refreshed after the call takes those behind it along`(_ style: Style) {
        let stage = stage(style)
        prefetch([4, 3, 1, 2, 0], on: stage, style)
        stage.table.pages.insert(1)
        let first = PageRequest(key: Self.key(0, style), pageSize: 10)
        stage.paginator.refresh(first)
        stage.settle()
        let list = laterList(on: stage, style, pages: 5)
        #expect(list.snapshot.map(\.id) == stage.firstRows(50) && list.snapshot.gaps.isEmpty)
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `pages of one fetch around a page fit together`(_ style: Style) {
        let stage = stage(style)
        stage.paginator.fetchAround(
            key: Self.key(2, style), pageSize: 10, depthLevel: 2, listener: PaginatorFetchAroundListener())
        stage.settle()
        #expect(stage.newKeys().count == 5)
        let list = laterList(on: stage, style, pages: 5)
        #expect(stage.newKeys() == [])
        #expect(list.snapshot.map(\.id) == Array(0..<50) && list.snapshot.gaps.isEmpty)
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `pages of one refresh that begins in the middle fit together`(_ style: Style) {
        let stage = stage(style)
        for _ in 0..<5 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 20..<25) }
        _ = stage.newKeys()
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.newKeys() == [2, 1, 3, 0, 4].map { Self.key($0, style) })
        let list = laterList(on: stage, style, pages: 5)
        #expect(stage.newKeys() == [])
        #expect(list.snapshot.map(\.id) == Array(0..<50) && list.snapshot.gaps.isEmpty)
    }

    // A list that was opened in the middle and has scrolled up, with a pause before each page.
    private func scrolledUp(_ style: Style, pause: Duration) -> ListStage {
        let stage = stage(style, initialKey: Self.key(4, style))
        stage.after { $0.loadNext() }
        for _ in 0..<4 {
            stage.clock.advance(by: pause)
            stage.after { $0.loadPrevious() }
        }
        #expect(stage.ids == Array(0..<50))
        _ = stage.newKeys()
        return stage
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `pages of one walk up fit together`(_ style: Style) {
        let stage = scrolledUp(style, pause: .seconds(20))
        let list = laterList(on: stage, style, pages: 5)
        #expect(stage.newKeys() == [])
        #expect(list.snapshot.map(\.id) == Array(0..<50) && list.snapshot.gaps.isEmpty)
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `pages of a walk that rested do not`(_ style: Style) {
        let stage = scrolledUp(style, pause: .seconds(70))
        let list = laterList(on: stage, style, pages: 5)
        #expect(stage.newKeys() == (1..<5).map { Self.key($0, style) })
        #expect(list.snapshot.map(\.id) == Array(0..<50) && list.snapshot.gaps.isEmpty)
    }
}
