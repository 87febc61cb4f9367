import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// A list over a mediator that refreshes its first page, when the server has got rows above.
@Suite struct MediatorRefreshListTests {
    private struct Down: Error {}

    /// A list of pages of three rows. The server answers when the test says so, with the rows that it has then.
    private final class Stage {
        let executor = SimulatedExecutor()
        let clock = ManualPaginatorClock()
        let table: Guarded<[Int]>
        let server = Guarded(Array(1...12))
        let remote = ScriptedDataSource<Int>(firstKey: "r0", otherwise: { _ in .hang })
        let paginator: CallbackPaginator<Int>
        let list: PaginatorList<Int, Int>

        init(saved: [Int] = [], skipsInitialRefresh: Bool = false, hasOffsets: Bool = false) {
            let table = Guarded(saved)
            self.table = table
            let local = ClosureDataSource<Int>(firstKey: "0") { request, completion in
                let start = Int(request.key) ?? 0
                let content = table.withLock { Array($0.dropFirst(start).prefix(request.pageSize)) }
                let isFull = content.count == request.pageSize
                completion(
                    .success(
                        PaginatorPage(
                            content: content, key: request.key, nextKey: isFull ? "\(start + content.count)" : nil)))
                return .none
            }
            let source = MediatorDataSource(
                local: local, remote: remote, resumeKey: { _, _ in "r\(saved.count)" }, refreshesFirstPage: true,
                skipsInitialRefresh: skipsInitialRefresh
            ) { page, _, isRefresh, completion in
                table.withLock { rows in
                    if isRefresh { rows = [] }
                    let known = rows
                    rows += page.content.filter { !known.contains($0) }
                }
                completion(.success(()))
            }
            var config = PaginatorConfig()
            config.simulate(on: executor, clock: clock)
            paginator = CallbackPaginator(dataSource: source, config: config)
            var listConfig = PaginatorListConfig()
            listConfig.pageSize = 3
            listConfig.prefetchDistance = 0
            if hasOffsets { listConfig.addressing = .offset }
            list = PaginatorList(paginator, id: { $0 }, config: listConfig)
        }

        var rows: [Int] { Array(list.snapshot) }

        func now(_ body: (PaginatorList<Int, Int>) -> Void) {
            executor.immediately { body(list) }
        }

        /// Has the server answer the first call that waits. Returns whether there was one.
        @discardableResult
        func answerOne(fails: Bool = false) -> Bool {
            guard let call = remote.pendingCalls.first else { return false }
            let start = Int(call.request.key.dropFirst()) ?? 0
            let rows = server.withLock { Array($0.dropFirst(start).prefix(3)) }
            let page = PaginatorPage(
                content: rows, key: call.request.key, nextKey: rows.count == 3 ? "r\(start + 3)" : nil)
            executor.immediately {
                remote.answer(call, with: fails ? .failure(.retry(Down())) : .success(page))
            }
            return true
        }

        /// Has the server answer the calls that wait, and those that follow.
        func answer() { while answerOne() {} }

        func load(_ pages: Int) {
            for _ in 0..<pages {
                now { $0.loadNext() }
                answer()
            }
        }

        func addRowsAbove() {
            server.withLock { $0 = [-1, 0] + $0 }
        }
    }

    @Test(arguments: [false, true])
    func `a refresh in place shows the new rows and all that follow them`(hasOffsets: Bool) {
        let stage = Stage(hasOffsets: hasOffsets)
        stage.load(2)
        #expect(stage.rows == Array(1...6))
        stage.addRowsAbove()
        stage.now { $0.refresh(.keepingPlace) }
        #expect(stage.remote.pendingCalls.map(\.request.key) == ["r0"])
        stage.answer()
        #expect(stage.rows == Array(-1...4))
        #expect(stage.list.snapshot.gaps.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a refresh in place loses no row where a later page is visible, which is asked first`(hasOffsets: Bool) {
        let stage = Stage(hasOffsets: hasOffsets)
        stage.load(2)
        stage.now { $0.hint(visible: 3..<6) }
        stage.addRowsAbove()
        stage.now { $0.refresh(.keepingPlace) }
        stage.answer()
        #expect(stage.rows == Array(-1...4))
        #expect(stage.list.snapshot.gaps.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a refresh in place loses no row if the server answers the second attempt only`(hasOffsets: Bool) {
        let stage = Stage(hasOffsets: hasOffsets)
        stage.load(2)
        stage.addRowsAbove()
        stage.now { $0.refresh(.keepingPlace) }
        stage.answerOne(fails: true)
        for _ in 0..<20 {
            stage.executor.immediately { stage.clock.advance(by: .seconds(1)) }
            stage.answer()
        }
        #expect(stage.rows == Array(-1...4))
        #expect(stage.list.snapshot.gaps.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a refresh in place loses no row while a further page is on its way, for which it waits`(hasOffsets: Bool) {
        let stage = Stage(hasOffsets: hasOffsets)
        stage.load(2)
        stage.now { $0.loadNext() }
        stage.addRowsAbove()
        stage.now { $0.refresh(.keepingPlace) }
        stage.answer()
        #expect(stage.rows == Array(-1...7))
        #expect(stage.list.snapshot.gaps.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a refresh in place loses no row if it is repeated before it has ended`(hasOffsets: Bool) {
        let stage = Stage(hasOffsets: hasOffsets)
        stage.load(2)
        stage.now { $0.refresh(.keepingPlace) }
        stage.now { $0.refresh(.keepingPlace) }
        stage.answerOne()
        stage.answerOne()
        stage.addRowsAbove()
        stage.answer()
        #expect(stage.rows == Array(-1...4))
        #expect(stage.list.snapshot.gaps.isEmpty)
    }

    @Test func `a page that should be read again after the refresh and fails stands behind a gap`() {
        let stage = Stage()
        stage.load(2)
        stage.now { $0.hint(visible: 3..<6) }
        stage.addRowsAbove()
        stage.now { $0.refresh(.keepingPlace) }
        stage.answerOne()
        if let call = stage.remote.pendingCalls.first {
            stage.executor.immediately { stage.remote.answer(call, with: .failure(.fatal(Down()))) }
        }
        #expect(stage.rows == [-1, 0, 1, 4, 5, 6])
        #expect(stage.list.snapshot.gaps == [3])
        stage.now { $0.retry() }
        stage.answer()
        #expect(stage.rows == Array(-1...4))
        #expect(stage.list.snapshot.gaps.isEmpty)
    }

    @Test func `a long list is refreshed in place as a whole`() {
        let stage = Stage()
        stage.server.withLock { $0 = Array(1...60) }
        stage.load(14)
        stage.now { $0.hint(visible: 15..<18) }
        stage.now { $0.refresh(.keepingPlace) }
        stage.answer()
        #expect(stage.rows == Array(1...42))
        #expect(stage.list.snapshot.gaps.isEmpty)
        #expect(stage.list.status.refresh == .idle)
    }

    @Test(arguments: [false, true])
    func `a row of the user stays at its place if the refresh tells that the row before it is gone`(hasOffsets: Bool) {
        let stage = Stage(hasOffsets: hasOffsets)
        stage.load(2)
        var edit: PaginatorEdit<Int>?
        stage.now { edit = $0.edits.beginInsert(100, at: .after(4)) }
        stage.server.withLock { $0.removeAll { $0 == 4 } }
        for _ in 0..<2 {
            stage.now { $0.refresh(.keepingPlace) }
            stage.answer()
            #expect(stage.rows == [1, 2, 3, 100, 5, 6, 7])
        }
        edit?.commit()
    }

    @Test func `a page loaded ahead during a refresh has the rows that follow the refreshed ones`() {
        let stage = Stage(saved: Array(1...9), skipsInitialRefresh: true)
        stage.now { $0.loadNext() }
        #expect(stage.rows == [1, 2, 3])
        stage.addRowsAbove()
        stage.now { $0.refresh() }
        stage.executor.immediately { stage.paginator.prefetch(keys: ["3"], pageSize: 3) }
        stage.answer()
        stage.now { $0.loadNext() }
        #expect(stage.rows == Array(-1...4))
        #expect(stage.list.snapshot.gaps.isEmpty)
    }

    @Test func `a page that was read after a refresh was asked for, but before it began, is read again`() {
        let stage = Stage(saved: Array(1...8), skipsInitialRefresh: true)
        stage.now { $0.loadNext() }
        // The last saved page is not full: a remote page is on its way, for which the refresh waits.
        stage.executor.immediately { stage.paginator.prefetch(keys: ["6"], pageSize: 3) }
        stage.addRowsAbove()
        stage.now { $0.refresh() }
        #expect(stage.remote.keys == ["r8"])
        stage.executor.immediately { stage.paginator.prefetch(keys: ["3"], pageSize: 3) }
        #expect(stage.paginator.peek(key: "3", pageSize: 3)?.page.content == [4, 5, 6])
        stage.answer()
        stage.now { $0.loadNext() }
        stage.answer()
        #expect(stage.rows == Array(-1...4))
        #expect(stage.list.snapshot.gaps.isEmpty)
    }

    @Test func `a list that is refreshed again during a refresh gets what the server has after it`() {
        let stage = Stage()
        stage.now { $0.loadNext() }
        stage.answer()
        stage.now { $0.refresh(.firstPage) }
        stage.now { $0.refresh(.firstPage) }
        stage.answer()
        #expect(stage.remote.keys == ["r0", "r0", "r0"])
        #expect(stage.rows == [1, 2, 3])
    }
}
