import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// A list that is made over pages that others have loaded, refreshed and let expire: it shows no page behind a newer one
/// that may have moved rows on to it.
@Suite struct ListLaterListTests {
    typealias Style = SamplePages.Style

    private func stage(_ style: Style, store: ScriptedStore<SampleItem>? = nil) -> ListStage {
        ListStage(style: style, pageSize: 10, store: store) { $0.addressing = Self.addressing(style) }
    }

    private static func addressing(_ style: Style) -> PaginatorListConfig.Addressing {
        switch style {
        case .offset: .offset
        case .number: .pageNumber(first: 1)
        case .cursor: .opaque
        }
    }

    // The list of a screen that is opened later, loaded by two pages.
    private func laterList(
        on stage: ListStage, _ style: Style, pages: Int = 2, _ configure: (inout PaginatorListConfig) -> Void = { _ in }
    ) -> PaginatorList<SampleItem, Int> {
        let list = stage.makeOtherList {
            $0.addressing = Self.addressing(style)
            configure(&$0)
        }
        for _ in 0..<pages {
            list.loadNext()
            stage.settle()
        }
        return list
    }

    @Test(
        arguments: [Style.offset, .number, .cursor],
        [FetchPolicy.cacheFirst, .staleWhileRevalidate, .cacheThenRenew])
    func `a list made after a refresh misses no row`(_ style: Style, _ policy: FetchPolicy) {
        let stage = stage(style)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.table.pages.insert(1)
        stage.after { $0.refresh() }
        let list = laterList(on: stage, style, pages: 3) { $0.policy = policy }
        #expect(list.snapshot.map(\.id) == stage.firstRows(30))
        #expect(list.snapshot.gaps.isEmpty)
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `a list made after edits that delete nothing loads no page again`(_ style: Style) {
        let stage = stage(style)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.clock.advance(by: .seconds(1))
        for id in 0..<12 {
            stage.list.edits.update(id) { item in SampleItem(id: item.id, text: "new") }
            stage.settle()
        }
        _ = stage.newKeys()
        let list = laterList(on: stage, style, pages: 3)
        #expect(list.snapshot.map(\.id) == stage.firstRows(30))
        #expect(stage.newKeys() == [])
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `a list made after a start from disk misses no row`(_ style: Style) {
        let store = ScriptedStore<SampleItem>(answersInside: true)
        let before = stage(style, store: store)
        for _ in 0..<3 { before.after { $0.loadNext() } }
        before.table.pages.insert(1)
        before.clock.advance(by: .seconds(5))
        before.after { $0.refresh() }
        let stage = stage(style, store: store)
        stage.clock.advance(by: .seconds(10))
        stage.table.pages = before.table.pages
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.ids == stage.firstRows(30))
        #expect(stage.complaints == [])
    }

    @Test func `what nobody changed is not asked for again`() {
        let stage = stage(.offset)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        _ = stage.newKeys()
        let list = laterList(on: stage, .offset, pages: 3)
        #expect(stage.newKeys() == [])
        #expect(list.snapshot.map(\.id) == stage.firstRows(30))
    }

    @Test func `a page behind a newer one is asked for once and then kept`() {
        let stage = stage(.offset)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.after { $0.refresh() }
        _ = stage.newKeys()
        _ = laterList(on: stage, .offset, pages: 3)
        #expect(stage.newKeys() == ["10", "20"])
        _ = laterList(on: stage, .offset, pages: 3)
        #expect(stage.newKeys() == [])
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `a first page that is renewed behind its preview takes the second one along`(_ style: Style) throws {
        let stage = stage(style)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.table.pages.insert(1)
        stage.paginator.invalidate(.identity(PageIdentity(key: stage.table.pages.firstKey, pageSize: 10)))
        stage.source.script([.hang], forKey: stage.table.pages.firstKey)
        let list = laterList(on: stage, style) { $0.policy = .staleWhileRevalidate }
        let call = try #require(stage.source.pendingCalls.last)
        let first = try #require(stage.table.pages.page(key: stage.table.pages.firstKey, pageSize: 10))
        stage.source.answer(call, with: .success(first))
        stage.settle()
        let shown = list.snapshot.map(\.id)
        let isTold = !list.snapshot.gaps.isEmpty
        #expect(shown == stage.firstRows(20) || isTold, "\(shown)")
    }

    @Test(arguments: [Style.offset, .number])
    func `where the older page is all there is a gap tells of it`(_ style: Style) {
        let stage = stage(style)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.table.pages.insert(1)
        stage.after { $0.refresh() }
        let keys = stage.source.keys
        stage.source.script([.fail(.retry(ListTrouble()))], forKey: keys[1])
        let list = laterList(on: stage, style) { $0.policy = .networkFirst }
        #expect(list.snapshot.map(\.id) == stage.firstRows(10) || list.snapshot.gaps == [10])
    }

    @Test func `behind a cursor what could not be renewed joins`() {
        let stage = stage(.cursor)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.refresh() }
        let list = laterList(on: stage, .cursor)
        #expect(list.snapshot.map(\.id) == stage.firstRows(20))
        #expect(list.snapshot.gaps.isEmpty)
    }

    @Test func `pages that come back into the window are not asked for anew`() {
        let stage = ListStage(pageSize: 10) { $0.windowItems = 30 }
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        for _ in 0..<3 { stage.after { $0.loadPrevious() } }
        _ = stage.newKeys()
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.newKeys() == [])
        #expect(stage.complaints == [])
    }

    // A list that was opened at its sixth page and has scrolled up: what lies above is newer. The window has dropped the rest.
    private func scrolledUp(_ style: Style, _ connectivity: ScriptedConnectivity? = nil) -> ListStage {
        let stage = ListStage(style: style, pageSize: 10, connectivity: connectivity) {
            $0.addressing = Self.addressing(style)
            $0.windowItems = 30
            $0.initialKey = style == .offset ? "50" : style == .number ? "6" : "after:49"
        }
        stage.after { $0.loadNext() }
        for _ in 0..<5 { stage.after { $0.loadPrevious() } }
        return stage
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `pages that come back below newer ones are not asked for anew, either`(_ style: Style) {
        let stage = scrolledUp(style)
        #expect(stage.ids == Array(0..<30))
        _ = stage.newKeys()
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.newKeys() == [])
        #expect(stage.ids == Array(30..<60) && stage.list.snapshot.gaps.isEmpty)
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `without a connection they come back as they were`(_ style: Style) {
        let connectivity = ScriptedConnectivity()
        let stage = scrolledUp(style, connectivity)
        connectivity.set(.offline)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(30..<60) && stage.list.snapshot.gaps.isEmpty)
        #expect(stage.list.status.staleError == nil)
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `a page that has not changed stays linked, whichever refresh ends first`(_ style: Style) throws {
        let stage = stage(style)
        let other = stage.makeOtherList { $0.addressing = Self.addressing(style) }
        for _ in 0..<3 {
            other.loadNext()
            stage.after { $0.loadNext() }
        }
        stage.source.otherwise { _ in .hang }
        stage.after { $0.refresh(.page(stage.source.keys[1])) }
        stage.after { $0.refresh(.firstPage) }
        for _ in 0..<2 {
            let call = try #require(stage.source.pendingCalls.last)
            let page = try #require(stage.table.pages.page(key: call.request.key, pageSize: 10))
            stage.source.answer(call, with: .success(page))
            stage.settle()
        }
        #expect(stage.list.snapshot.gaps.isEmpty && other.snapshot.gaps.isEmpty)
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `gaps before what stood in go when the connection is back`(_ style: Style) {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(style: style, pageSize: 10, connectivity: connectivity) {
            $0.addressing = Self.addressing(style)
        }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.after { $0.refresh() }
        connectivity.set(.offline)
        let list = laterList(on: stage, style, pages: 3)
        #expect(list.snapshot.gaps == (style == .cursor ? [] : [10]))
        connectivity.set([])
        stage.settle()
        #expect(list.snapshot.map(\.id) == Array(0..<30) && list.snapshot.gaps.isEmpty)
        #expect(list.status.staleError == nil)
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `hints lead on over what stands in without a connection`(_ style: Style) {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(style: style, pageSize: 10, connectivity: connectivity) {
            $0.addressing = Self.addressing(style)
        }
        for _ in 0..<5 { stage.after { $0.loadNext() } }
        stage.after { $0.refresh() }
        connectivity.set(.offline)
        let list = laterList(on: stage, style, pages: 1) { $0.prefetchDistance = 5 }
        for lower in 0..<46 {
            list.hint(visible: lower..<lower + 5)
            stage.settle()
        }
        #expect(list.snapshot.map(\.id) == Array(0..<50))
    }

    // A list whose loads wait for a connection, over three pages, the first of which was refreshed.
    private func waitingStage(_ style: Style, _ connectivity: ScriptedConnectivity) -> ListStage {
        let stage = ListStage(style: style, pageSize: 10, connectivity: connectivity, waitsForConnectivity: true) {
            $0.addressing = Self.addressing(style)
        }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.after { $0.refresh() }
        connectivity.set(.offline)
        return stage
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `without a connection a cached page comes at once, though loads wait for one`(_ style: Style) {
        let connectivity = ScriptedConnectivity()
        let stage = waitingStage(style, connectivity)
        let list = laterList(on: stage, style, pages: 3)
        #expect(list.snapshot.map(\.id) == Array(0..<30))
        #expect(list.snapshot.gaps == (style == .cursor ? [] : [10]))
        #expect(list.status.staleError?.code == .offline)
        list.loadNext()
        stage.settle()
        #expect(list.status.next == .loading, "no cache has the fourth page")
        connectivity.set([])
        stage.settle()
        #expect(list.snapshot.map(\.id) == Array(0..<40) && list.snapshot.gaps.isEmpty)
        #expect(list.status.staleError == nil)
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `so does the page behind one that the list itself has refreshed`(_ style: Style) {
        let connectivity = ScriptedConnectivity()
        let stage = waitingStage(style, connectivity)
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(0..<20) && stage.list.snapshot.gaps == [10])
        #expect(stage.list.status.staleError?.code == .offline)
        connectivity.set([])
        stage.settle()
        #expect(stage.ids == Array(0..<20) && stage.list.snapshot.gaps.isEmpty)
        #expect(stage.list.status.staleError == nil)
    }

    @Test func `a list that asks the caches alone waits for no connection`() {
        let connectivity = ScriptedConnectivity()
        let stage = waitingStage(.offset, connectivity)
        let list = laterList(on: stage, .offset, pages: 3) { $0.policy = .cacheOnly }
        #expect(list.snapshot.map(\.id) == Array(0..<30) && list.status.staleError == nil)
        _ = stage.newKeys()
        connectivity.set([])
        stage.settle()
        #expect(stage.newKeys() == [])
    }

    @Test(arguments: [Style.offset, .number, .cursor])
    func `a jump to the page right behind the last one opens no gap`(_ style: Style) {
        let stage = stage(style)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.after { $0.refresh() }
        let keys = Array(stage.newKeys().prefix(2))
        let list = laterList(on: stage, style, pages: 1)
        list.jump(to: keys[1])
        stage.settle()
        #expect(list.snapshot.map(\.id) == Array(0..<20) && list.snapshot.gaps.isEmpty)
        #expect(stage.newKeys() == [keys[1]])
    }

    @Test(arguments: [PaginatorRowPlace<Int>.head, .tail])
    func `rows of which a list hears only after a page that was requested since do not stand beyond it`(
        _ place: PaginatorRowPlace<Int>
    ) {
        var (machine, items) = (ListMachine(config: PaginatorListConfig(), firstKey: "0"), MachineItems<Int>())
        machine.handle { $0.loadNext() }
        let page = items.page(
            [(141, 141), (142, 142)], previous: nil, next: nil, fetchedAt: PaginatorInstant(nanoseconds: 10))
        machine.handle { $0.arrived($0.lastNumber, page, isFinal: true) }
        // Of these rows, the last one was committed after the page was requested.
        for (number, commit) in [(1, 2), (2, 9), (3, 20)] {
            let (row, own) = (items.row(100 + number, 100 + number), items.place(place))
            machine.handle { $0.insert([row], own, token: UInt64(number), at: PaginatorInstant(nanoseconds: 1)) }
            machine.handle {
                $0.settle(UInt64(number), .committedValue(row), at: PaginatorInstant(nanoseconds: Int64(commit)))
            }
        }
        #expect(Array(items.snapshot(of: machine)) == (place == .head ? [103, 141, 142] : [141, 142, 103]))
        #expect(machine.invariantViolations() == [])
    }

    @Test func `a row of which a list hears late has its edits, and the rows that follow it, where a page has it`() {
        func time(_ number: Int64) -> PaginatorInstant { PaginatorInstant(nanoseconds: number) }
        var (machine, items) = (ListMachine(config: PaginatorListConfig(), firstKey: "0"), MachineItems<Int>())
        machine.handle { $0.loadNext() }
        let page = items.page([(42, 42), (43, 43)], previous: nil, next: nil, fetchedAt: time(10))
        machine.handle { $0.arrived($0.lastNumber, page, isFinal: true) }
        let (draft, after, row) = (items.row(1, 1), items.row(2, 2), items.row(42, 42))
        let change = items.change { $0 + 100 }
        machine.handle { $0.insert([draft], .head, token: 1, at: time(1)) }
        machine.handle { $0.insert([after], .after(draft.id), token: 2, at: time(2)) }
        machine.handle { $0.edit(3, draft.id, change, at: time(3)) }
        machine.handle { $0.settle(1, .committedValue(row), at: time(9)) }
        #expect(Array(items.snapshot(of: machine)) == [142, 2, 43])
        #expect(machine.invariantViolations() == [])
    }

    @Test(arguments: [FetchPolicy.cacheOnly, .cacheFirst])
    func `a list that asks the caches alone renews nothing when a source that pushes has lost events`(
        _ policy: FetchPolicy
    ) {
        var config = PaginatorListConfig()
        config.policy = policy
        var (machine, items) = (ListMachine(config: config, firstKey: "0"), MachineItems<Int>())
        func fetches() -> Int {
            defer { machine.actions = [] }
            return machine.actions.count { if case .fetch = $0 { true } else { false } }
        }
        machine.handle { $0.loadNext() }
        #expect(fetches() == 1)
        let page = items.page([(1, 1)], previous: nil, next: nil, fetchedAt: .zero)
        machine.handle { $0.arrived($0.lastNumber, page, isFinal: true) }
        machine.handle { $0.reload(.selected(.all), at: PaginatorInstant(nanoseconds: 1)) }
        #expect(fetches() == (policy == .cacheOnly ? 0 : 1))
    }

    @Test(arguments: [FetchPolicy.cacheOnly, .cacheFirst])
    func `nor does it renew the page that it was reading when the events were lost`(_ policy: FetchPolicy) {
        var config = PaginatorListConfig()
        config.policy = policy
        var (machine, items) = (ListMachine(config: config, firstKey: "0"), MachineItems<Int>())
        machine.handle { $0.loadNext() }
        machine.actions = []
        let time = PaginatorInstant(nanoseconds: 1)
        machine.handle { list in
            list.invalidated(.selected(.all), at: time)
            list.reload(.selected(.all), at: time)
        }
        let page = items.page([(1, 1)], previous: nil, next: nil, fetchedAt: .zero)
        machine.handle { $0.arrived($0.lastNumber, page, isFinal: true) }
        let fetches = machine.actions.count { if case .fetch = $0 { true } else { false } }
        #expect(fetches == (policy == .cacheOnly ? 0 : 1))
    }

    @Test(arguments: [FetchPolicy.cacheOnly, nil])
    func `a list that asks the caches alone fills no gap from the source`(_ policy: FetchPolicy?) {
        let stage = ListStage(pageSize: 10, defaultPolicy: policy == nil ? .cacheOnly : .cacheFirst) {
            $0.policy = .cacheFirst
        }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.refresh(.firstPage) }
        let list = laterList(on: stage, .offset, pages: 3) { $0.policy = policy }
        #expect(list.snapshot.map(\.id) == Array(0..<20) && list.snapshot.gaps == [10])
        _ = stage.newKeys()
        for fromEnd in [false, true] {
            list.fillGap(at: 10, fromEnd: fromEnd)
            stage.settle()
        }
        #expect(stage.newKeys() == [])
        #expect(list.snapshot.gaps == [10] && list.snapshot.map(\.id) == Array(0..<20))
    }
}
