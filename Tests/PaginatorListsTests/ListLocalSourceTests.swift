import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Lists over what is on the device, while the connectivity reports no connection.
@Suite struct ListLocalSourceTests {
    /// A list of pages of three rows, of which five are on the device and further ones at the remote source.
    private final class Stage {
        let executor = SimulatedExecutor()
        let clock = ManualPaginatorClock()
        let connectivity = ScriptedConnectivity(.offline)
        let table = Guarded(Array(0..<5))
        /// Three rows a page, the first of them ten times the key's number.
        let remote = ScriptedDataSource<Int>(
            firstKey: "r5",
            otherwise: { request in
                let number = Int(request.key.dropFirst()) ?? 0
                let rows = [number * 10, number * 10 + 1, number * 10 + 2]
                return .page(PaginatorPage(content: rows, key: request.key, nextKey: "r\(number + 1)")).insideFetch
            })
        private(set) var list: PaginatorList<Int, Int>!

        init(
            prefetchDistance: Int = 0, maxAttempts: Int = 1,
            over source: (Stage) -> any PaginatorDataSource<Int> = { $0.mediator() }
        ) {
            var config = PaginatorConfig()
            config.simulate(on: executor, clock: clock)
            config.maxAttempts = maxAttempts
            config.connectivity = connectivity
            let paginator = CallbackPaginator(dataSource: source(self), config: config)
            var listConfig = PaginatorListConfig()
            listConfig.pageSize = 3
            listConfig.prefetchDistance = prefetchDistance
            list = PaginatorList(paginator, id: { $0 }, config: listConfig)
        }

        func mediator(refreshes: Bool = false, servesLocal: Bool = false) -> MediatorDataSource<Int, Int> {
            let local = ClosureDataSource<Int>(firstKey: "0") { [table] request in
                let start = Int(request.key) ?? 0
                let content = table.withLock { Array($0.dropFirst(start).prefix(request.pageSize)) }
                let isFull = content.count == request.pageSize
                return PaginatorPage(
                    content: content, key: request.key, nextKey: isFull ? "\(start + content.count)" : nil)
            }
            return MediatorDataSource(
                local: local, remote: remote, refreshesFirstPage: refreshes, servesLocalOnFailure: servesLocal
            ) { [table] page, _, _, completion in
                table.withLock { $0 += page.content }
                completion(.success(()))
            }
        }

        var rows: [Int] { Array(list.snapshot) }

        func after(_ body: (PaginatorList<Int, Int>) -> Void) {
            executor.immediately { body(list) }
        }

        func connect(_ conditions: PaginatorConditions = []) {
            executor.immediately { connectivity.set(conditions) }
        }

        /// Lets time pass, and runs what comes of it.
        func wait(_ duration: Duration) {
            executor.immediately { clock.advance(by: duration) }
        }
    }

    @Test(arguments: [1, 3])
    func `a list over a mediator shows its local rows offline, and goes on by itself with the connection`(
        maxAttempts: Int
    ) {
        let stage = Stage(maxAttempts: maxAttempts)
        stage.after { $0.loadNext() }
        #expect(stage.rows == [0, 1, 2])
        stage.after { $0.loadNext() }
        #expect(stage.rows == [0, 1, 2] && stage.list.status.next.error?.code == .offline)
        guard case .offline? = stage.list.status.freshness else {
            Issue.record("\(String(describing: stage.list.status.freshness))")
            return
        }
        #expect(stage.remote.calls.isEmpty)
        stage.connect()
        #expect(stage.remote.keys == ["r5"])
        #expect(stage.rows == [0, 1, 2, 3, 4, 50] && stage.list.status.next == .idle)
    }

    @Test func `the last local rows are shown offline if the mediator serves them on failure`() {
        let stage = Stage { $0.mediator(refreshes: true, servesLocal: true) }
        stage.after { $0.loadNext() }
        stage.after { $0.loadNext() }
        #expect(stage.rows == [0, 1, 2, 3, 4])
        #expect(stage.list.status.staleError?.code == .offline)
        #expect(stage.list.status.next != .endReached, "nobody knows what follows")
        for _ in 0..<5 { stage.after { $0.loadNext() } }
        #expect(stage.rows == [0, 1, 2, 3, 4] && stage.remote.calls.isEmpty)
        stage.connect()
        #expect(stage.list.status.staleError == nil)
        #expect(stage.remote.keys.contains("r5"))
    }

    @Test func `a refresh of all without a connection shows the newer rows of a mediator`() {
        let stage = Stage { $0.mediator(refreshes: true, servesLocal: true) }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.table.withLock { $0 = Array(100..<109) }
        stage.after { $0.refresh() }
        #expect(stage.rows == [100, 101, 102])
    }

    @Test func `hints load ahead offline, as far as the local rows go`() {
        let stage = Stage(prefetchDistance: 2)
        stage.after { $0.loadNext() }
        stage.table.withLock { $0 = Array(0..<8) }
        stage.after { $0.hint(visible: 0..<2) }
        #expect(stage.rows == Array(0..<6))
        for _ in 0..<5 {
            stage.after { $0.hint(visible: 3..<6) }
            stage.wait(.seconds(30))
        }
        #expect(stage.rows == Array(0..<6) && stage.remote.calls.isEmpty)
        stage.connect()
        #expect(stage.rows == Array(0..<8) + [50])
    }

    @Test func `a list over an array needs no connection`() {
        let stage = Stage(prefetchDistance: 3) { _ in ArrayDataSource(Array(0..<9)) }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 0..<3) }
        stage.after { $0.hint(visible: 3..<6) }
        #expect(stage.rows == Array(0..<9))
        stage.after { $0.refresh() }
        #expect(stage.list.status.refresh == .idle && stage.list.status.staleError == nil)
    }

    @Test func `at the last row local rows are loaded offline also while power is saved`() {
        let stage = Stage(prefetchDistance: 2) { _ in ArrayDataSource(Array(0..<9)) }
        stage.connect([.offline, .lowPower])
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 0..<2) }
        #expect(stage.rows == [0, 1, 2], "nobody waits for them yet")
        stage.after { $0.hint(visible: 0..<3) }
        #expect(stage.rows == Array(0..<6))
    }

    @Test func `local rows that are too old are loaded again offline`() {
        let stage = Stage { $0.mediator() }
        stage.table.withLock { $0 = Array(0..<9) }
        stage.after { $0.loadNext() }
        stage.after { $0.loadNext() }
        stage.table.withLock { $0 = Array(100..<109) }
        stage.after { $0.refresh() }
        stage.after { $0.loadNext() }
        #expect(stage.rows == Array(100..<106))
        #expect(stage.list.status.staleError == nil)
    }

    @Test func `a failure on the device is retried offline like any other`() {
        let fails = Guarded(true)
        let stage = Stage(prefetchDistance: 2) { stage in
            ClosureDataSource(firstKey: "0", needsConnection: false) { request in
                let isFailing = request.key == "3" && fails.withLock { $0 }
                if isFailing { throw SourceError.fatal(PaginatorError(.storeFailed, "busy")) }
                return PaginatorPage(content: [Int(request.key) ?? 0], key: request.key, nextKey: "3")
            }
        }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 0..<1) }
        #expect(stage.rows == [0])
        fails.withLock { $0 = false }
        stage.wait(.seconds(2))
        #expect(stage.rows == [0, 3])
    }
}
