import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Pages without rows: such a page proves that nothing is missing before it only where it is past the end.
@Suite struct ListEmptyPageTests {
    private func fillGaps(_ stage: ListStage) {
        for _ in 0..<6 where !stage.list.snapshot.gaps.isEmpty {
            stage.after { $0.fillGap(at: $0.snapshot.gaps[0]) }
        }
    }

    @Test func `rows that have come on an empty page are found once the page before it was refreshed`() {
        let stage = ListStage(style: .cursor, pageSize: 10)
        let first = stage.page("start", Array(0..<10), next: "more")
        stage.source.script(Array(repeating: .page(first).insideFetch, count: 2), forKey: "start")
        stage.source.script(
            [
                .page(stage.page("more", [], previous: "start")).insideFetch,
                .page(stage.page("more", [10, 11], previous: "start")).insideFetch,
            ], forKey: "more")
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(0..<10) && stage.list.snapshot.gaps == [])
        #expect(stage.list.status.next == .endReached)
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.list.snapshot.gaps == [10], "the empty page is older")
        #expect(stage.updates.flatMap(\.notices) == [.gapOpened])
        fillGaps(stage)
        #expect(stage.ids == Array(0..<12) && stage.list.snapshot.gaps == [])
    }

    @Test func `rows before an empty page past the end are missing while the page above names another one`() {
        let stage = ListStage(count: 25, pageSize: 10)
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "25") }
        #expect(stage.ids == Array(0..<10) && stage.list.snapshot.gaps == [10])
        fillGaps(stage)
        #expect(stage.ids == Array(0..<25) && stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test func `an empty page that names a next one is not past the end, so rows may be missing before it`() {
        let stage = ListStage(style: .cursor, pageSize: 10)
        for page in [
            stage.page("start", [0, 1]), stage.page("between", [2, 3], next: "far"),
            stage.page("far", [], next: "farther", previous: "between"),
        ] { stage.source.script([.page(page).insideFetch], forKey: page.key) }
        stage.after { $0.loadNext() }
        #expect(stage.list.status.next == .endReached)
        stage.after { $0.jump(to: "far") }
        #expect(stage.ids == [0, 1] && stage.list.snapshot.gaps == [2])
        stage.after { $0.fillGap(at: 2) }
        #expect(stage.ids == [0, 1, 2, 3])
    }

    // A list of two rows a page, of which five rows are left, back at a bookmark, by default among fifty pages.
    private func restored(
        to page: Int, of keys: [String] = stride(from: 0, to: 100, by: 2).map(String.init), namesNext: Bool = false
    ) throws -> ListStage {
        let stage = ListStage(count: 5)
        stage.source.otherwise { [table = stage.table] request in
            let isPastEnd = Int(request.key).map { $0 >= 5 } ?? true
            let next = namesNext ? Int(request.key).map { String($0 + 2) } : nil
            let page = PaginatorPage<SampleItem>(content: [], key: request.key, nextKey: next)
            return isPastEnd ? .page(page).insideFetch : .result(table.answer(to: request)).insideFetch
        }
        try stage.list.restore(PaginatorListBookmark(scope: "", pageSize: 2, keys: keys, page: page, item: 0))
        stage.settle()
        return stage
    }

    @Test func `a bookmark behind the end leads to the last rows, and asks for nothing further behind`() throws {
        let stage = try restored(to: 5)
        #expect(stage.ids == [4] && stage.newKeys() == ["10", "8", "6", "4"])
        #expect(stage.list.status.next == .endReached && stage.complaints == [])
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == [2, 3, 4] && stage.complaints == [])
    }

    @Test func `a bookmark so far behind the end that no rows are near it leads to the first page`() throws {
        let stage = try restored(to: 40)
        #expect(stage.ids == [0, 1] && stage.list.status.refresh == .idle)
        let keys = stage.newKeys()
        #expect(keys.first == "80" && keys.last == "0" && Set(keys).count == keys.count && keys.count < 20)
        #expect(stage.updates.flatMap(\.notices) == [.restarted])
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(0..<5) && stage.list.status.next == .endReached && stage.complaints == [])
    }

    @Test(arguments: [(["80", "90"], 0), (["80"], 0), (stride(from: 48, through: 80, by: 2).map { "\($0)" }, 16)])
    func `it does so however few pages the list had before that place`(_ keys: [String], _ page: Int) throws {
        let stage = try restored(to: page, of: keys)
        #expect(stage.ids == [0, 1] && stage.newKeys().last == "0" && stage.complaints == [])
        #expect(stage.updates.flatMap(\.notices) == [.restarted])
    }

    @Test func `it does so after some empty pages if each of them names a next one`() throws {
        let stage = try restored(to: 40, namesNext: true)
        #expect(stage.newKeys() == stride(from: 80, through: 114, by: 2).map { "\($0)" } + ["0"])
        #expect(stage.ids == [0, 1] && stage.list.status.refresh == .idle && stage.complaints == [])
        #expect(stage.updates.flatMap(\.notices) == [.restarted])
    }

    @Test func `a list that began again where nothing was near does so again when a key expires`() throws {
        let stage = try restored(to: 40)
        stage.source.script([.fail(.keyExpired(ListTrouble())).insideFetch], forKey: "2")
        stage.after { $0.loadNext() }
        #expect(stage.ids == [0, 1] && stage.list.status.next == .idle)
        #expect(stage.updates.flatMap(\.notices) == [.restarted, .restarted])
    }

    @Test(arguments: [false, true], [FetchPolicy.cacheFirst, .cacheOnly])
    func `an empty page that names no other one leads to the first page, unless the caches alone are read`(
        isJump: Bool, policy: FetchPolicy
    ) throws {
        let stage = ListStage(style: .cursor) { $0.policy = policy }
        stage.source.script([.page(stage.page("far", [])).insideFetch], forKey: "far")
        stage.paginator.fetch(key: "far", pageSize: 2) { _ in }
        stage.settle()
        if isJump {
            stage.list.jump(to: "far")
        } else {
            try stage.list.restore(PaginatorListBookmark(scope: "", pageSize: 2, keys: ["far"], page: 0, item: 0))
        }
        stage.settle()
        #expect(stage.list.status.hasLoaded && stage.ids == (policy == .cacheOnly ? [] : [0, 1]))
        #expect(stage.newKeys() == (policy == .cacheOnly ? ["far"] : ["far", "start"]))
    }

    @Test(arguments: [nil, "day"] as [String?])
    func `a list without rows above the page that it begins with does not begin again`(_ initialKey: String?) {
        let stage = ListStage(style: .cursor) { ($0.initialKey, $0.maxEmptyPages) = (initialKey, 3) }
        stage.source.otherwise { [unowned stage] in
            .page(stage.page($0.key, [], previous: $0.key + "-")).insideFetch
        }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys().count == 5 && stage.updates.flatMap(\.notices) == [])
    }

    @Test func `that an older page without rows stands in is told at the end once a view looks there`() {
        let stage = ListStage(count: 0, pageSize: 10)
        stage.after { $0.loadNext() }
        #expect(stage.list.status.next == .endReached)
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "0")
        stage.after { $0.reset() }
        stage.after { $0.loadNext() }
        #expect(stage.list.status.hasLoaded && stage.list.status.staleError?.code == .sourceFailed)
        #expect(stage.list.status.next == .idle)
        stage.after { $0.hint(visible: 0..<1) }
        #expect(stage.list.status.next.error?.code == .sourceFailed)
    }
}
