import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// A list under stale-while-revalidate: what is old is shown at once, and what is new in its place.
@Suite struct ListPreviewTests {
    /// A stage whose list has seen pages "0" and "2", which are stale now, and is empty.
    private func staleStage() -> ListStage {
        let stage = ListStage { $0.policy = .staleWhileRevalidate }
        stage.after { $0.loadNext() }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["0", "2"] && stage.ids == [0, 1, 2, 3])
        stage.paginator.invalidate(.key("0"))
        stage.paginator.invalidate(.key("2"))
        stage.after { $0.reset() }
        stage.updates = []
        return stage
    }

    private func texts(_ stage: ListStage) -> [String] { stage.list.snapshot.map(\.text) }

    @Test func `a stale page is shown while the fresh one loads and then takes its place`() {
        let stage = staleStage()
        let old = stage.paginator.peek(key: "0", pageSize: 2)?.page.content.map(\.text)
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.loadNext() }
        #expect(stage.ids == [0, 1] && texts(stage) == old)
        #expect(stage.list.status.refresh.isLoading && stage.newKeys() == ["0"])
        let call = stage.source.pendingCalls[0]
        stage.source.answer(call, with: .success(stage.page("0", [0, 9], next: "2", text: "fresh")))
        stage.settle()
        #expect(stage.ids == [0, 9] && texts(stage) == ["fresh", "fresh"])
        #expect(!stage.list.status.refresh.isLoading && stage.newKeys() == [])
    }

    @Test func `the next page does likewise and joins the first`() {
        let stage = staleStage()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["0"])
        stage.source.script([.hang], forKey: "2")
        stage.after { $0.loadNext() }
        #expect(stage.ids == [0, 1, 2, 3] && stage.list.snapshot.gaps == [2], "it is older than the first page")
        #expect(stage.list.status.next.isLoading && stage.newKeys() == ["2"])
        let call = stage.source.pendingCalls[0]
        stage.source.answer(call, with: .success(stage.page("2", [2, 3], next: "4", previous: "0", text: "fresh")))
        stage.settle()
        #expect(texts(stage).suffix(2) == ["fresh", "fresh"])
        #expect(stage.ids == [0, 1, 2, 3] && stage.list.snapshot.gaps == [])
        stage.after { $0.loadNext() }
        #expect(stage.ids == [0, 1, 2, 3, 4, 5] && stage.newKeys() == ["4"])
    }

    @Test(arguments: [false, true])
    func `a gap before a stale page that is being renewed asks for that page no second time`(fromEnd: Bool) throws {
        let stage = staleStage()
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "2")
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["0", "2"] && stage.list.snapshot.gaps == [2])
        stage.after { $0.fillGap(at: 2, fromEnd: fromEnd) }
        #expect(stage.newKeys() == [])
        try stage.answer("2")
        #expect(stage.ids == [0, 1, 2, 3] && stage.list.snapshot.gaps == [] && stage.newKeys() == [])
    }

    @Test(arguments: [FetchPolicy.cacheFirst, .staleWhileRevalidate], SamplePages.Style.allCases)
    func `without a connection hints lead on over stale pages to the last one`(
        _ policy: FetchPolicy, _ style: SamplePages.Style
    ) {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(count: 50, style: style, pageSize: 10, connectivity: connectivity)
        for _ in 0..<5 { stage.after { $0.loadNext() } }
        stage.paginator.invalidate(.all)
        connectivity.set(.offline)
        stage.settle()
        let list = stage.makeOtherList {
            $0.addressing = style == .offset ? .offset : style == .number ? .pageNumber(first: 1) : .opaque
            ($0.policy, $0.prefetchDistance) = (policy, 5)
        }
        list.loadNext()
        stage.settle()
        for lower in 0..<46 {
            list.hint(visible: lower..<lower + 5)
            stage.settle()
        }
        #expect(list.snapshot.map(\.id) == Array(0..<50))
    }

    @Test func `when the renewal fails the stale page stays`() {
        let stage = staleStage()
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "0")
        stage.after { $0.loadNext() }
        #expect(stage.ids == [0, 1] && stage.newKeys() == ["0"])
        #expect(!stage.list.status.refresh.isLoading)
        stage.after { $0.loadNext() }
        #expect(stage.ids == [0, 1, 2, 3] && stage.newKeys() == ["2"])
    }

    @Test func `fresh pages are shown without a call`() {
        let stage = ListStage { $0.policy = .staleWhileRevalidate }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        _ = stage.newKeys()
        let other = stage.makeOtherList {
            $0.pageSize = 2
            $0.policy = .staleWhileRevalidate
        }
        for _ in 0..<2 {
            other.loadNext()
            stage.settle()
        }
        #expect(other.snapshot.map(\.id) == [0, 1, 2, 3] && stage.newKeys() == [])
    }

    @Test func `a page that the window dropped does not come back older than it was`() {
        let stage = ListStage {
            $0.policy = .staleWhileRevalidate
            $0.windowItems = 4
        }
        stage.after { $0.loadNext() }
        stage.source.script([.hang, .fail(.fatal(ListTrouble())).insideFetch], forKey: "0")
        stage.after { $0.refresh(.firstPage) }
        // So the caches keep the old page, which the list does not show any more.
        stage.paginator.invalidate(.all)
        stage.source.answer(
            stage.source.pendingCalls[0], with: .success(stage.page("0", [0, 1], next: "2", text: "new")))
        stage.settle()
        #expect(texts(stage) == ["new", "new"])
        for _ in 0..<2 {
            stage.after { $0.loadNext() }
            stage.after { $0.hint(visible: $0.snapshot.count - 1..<$0.snapshot.count) }
        }
        #expect(stage.ids == [2, 3, 4, 5])
        stage.updates = []
        stage.after { $0.loadPrevious() }
        #expect(stage.updates.allSatisfy { !$0.snapshot.contains { $0.id == 0 && $0.text != "new" } })
        #expect(stage.list.status.previous.error?.code == .sourceFailed)
        stage.after { $0.retry() }
        #expect(stage.ids.first == 0)
    }

    @Test func `a refresh that fails is told, also where an older page than the one shown stands in`() throws {
        var items = MachineItems<String>()
        var machine = ListMachine(config: PaginatorListConfig(), firstKey: "0")
        func lastLoad() throws -> UInt64 {
            try #require(machine.actions.compactMap { if case .fetch(let id, _, _) = $0 { id } else { nil } }.last)
        }
        let time = PaginatorInstant.zero.advanced(by: .seconds(1))
        let new = items.page([(1, "new")], previous: nil, next: "1", fetchedAt: time)
        let old = items.page(
            [(1, "old")], previous: nil, next: "1", fetchedAt: .zero,
            refreshError: PaginatorError(.sourceFailed, "The source failed."))
        machine.handle { $0.loadNext() }
        let first = try lastLoad()
        machine.handle { $0.arrived(first, new, isFinal: true) }
        machine.handle { $0.refresh(.firstPage, at: time) }
        let second = try lastLoad()
        machine.handle { $0.arrived(second, old, isFinal: true) }
        #expect(items.snapshot(of: machine).map { $0 } == ["new"])
        #expect(machine.status(at: time).refresh.error?.code == .sourceFailed)
    }
}
