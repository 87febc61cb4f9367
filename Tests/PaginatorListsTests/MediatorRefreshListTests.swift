import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// A list over a mediator that refreshes its first page, when the server has got rows above.
@Suite struct MediatorRefreshListTests {
    /// A list of pages of three rows. The server answers when the test says so, with the rows that it has then.
    private final class Stage {
        let executor = SimulatedExecutor()
        let table: Guarded<[Int]>
        let server = Guarded(Array(1...12))
        let remote = ScriptedDataSource<Int>(firstKey: "r0", otherwise: { _ in .hang })
        let paginator: CallbackPaginator<Int>
        let list: PaginatorList<Int, Int>

        init(saved: [Int] = [], skipsInitialRefresh: Bool = false) {
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
            config.simulate(on: executor, clock: ManualPaginatorClock())
            paginator = CallbackPaginator(dataSource: source, config: config)
            var listConfig = PaginatorListConfig()
            listConfig.pageSize = 3
            listConfig.prefetchDistance = 0
            list = PaginatorList(paginator, id: { $0 }, config: listConfig)
        }

        var rows: [Int] { Array(list.snapshot) }

        func now(_ body: (PaginatorList<Int, Int>) -> Void) {
            executor.immediately { body(list) }
        }

        /// Has the server answer the calls that wait, and those that follow.
        func answer() {
            while let call = remote.pendingCalls.first {
                let start = Int(call.request.key.dropFirst()) ?? 0
                let rows = server.withLock { Array($0.dropFirst(start).prefix(3)) }
                let page = PaginatorPage(
                    content: rows, key: call.request.key, nextKey: rows.count == 3 ? "r\(start + 3)" : nil)
                executor.immediately { remote.answer(call, with: .success(page)) }
            }
        }

        func addRowsAbove() {
            server.withLock { $0 = [-1, 0] + $0 }
        }
    }

    @Test func `a refresh in place shows the new rows and all that follow them`() {
        let stage = Stage()
        for _ in 0..<2 {
            stage.now { $0.loadNext() }
            stage.answer()
        }
        #expect(stage.rows == Array(1...6))
        stage.addRowsAbove()
        stage.now { $0.refresh(.keepingPlace) }
        #expect(stage.remote.pendingCalls.map(\.request.key) == ["r0"])
        stage.answer()
        #expect(stage.rows == Array(-1...4))
        #expect(stage.list.snapshot.gaps.isEmpty)
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
