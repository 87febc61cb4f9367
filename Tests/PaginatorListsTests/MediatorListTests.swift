import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// A list over a mediator whose remote source is down for a while.
@Suite struct MediatorListTests {
    private struct Down: Error {}

    /// A list of pages of three rows, of which five are on the device and six more at the remote source.
    private final class Stage {
        let clock = ManualPaginatorClock()
        let executor = SimulatedExecutor()
        let table = Guarded(Array(0..<5))
        let remote = ScriptedDataSource<Int>(firstKey: "r0", otherwise: { _ in .hang })
        let paginator: CallbackPaginator<Int>
        let list: PaginatorList<Int, Int>

        init() {
            var config = PaginatorConfig()
            config.simulate(on: executor, clock: clock)
            config.maxAttempts = 1
            let table = table
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
                local: local, remote: remote, resumeKey: { _, _ in "r5" }, servesLocalOnFailure: true
            ) { page, _, _, completion in
                table.withLock { $0 += page.content }
                completion(.success(()))
            }
            paginator = CallbackPaginator(dataSource: source, config: config)
            var listConfig = PaginatorListConfig()
            listConfig.pageSize = 3
            listConfig.prefetchDistance = 0
            list = PaginatorList(paginator, id: { $0 }, config: listConfig)
        }

        /// Three rows, the first of them ten times the key's number.
        private static func page(_ call: SourceCall) -> PaginatorPage<Int> {
            let number = Int(call.request.key.dropFirst()) ?? 0
            return PaginatorPage(
                content: [number * 10, number * 10 + 1, number * 10 + 2], key: call.request.key,
                nextKey: number == 6 ? nil : "r\(number + 1)")
        }

        var rows: [Int] { Array(list.snapshot) }

        /// Does something, lets the remote source fail or answer, and does what comes of it.
        func after(remoteIsDown: Bool = false, _ body: (PaginatorList<Int, Int>) -> Void) {
            executor.immediately { body(list) }
            while let call = remote.pendingCalls.first {
                executor.immediately {
                    remote.answer(call, with: remoteIsDown ? .failure(.retry(Down())) : .success(Self.page(call)))
                }
            }
        }
    }

    @Test func `a list goes on behind what the device has when the remote source is back`() {
        for goOn in [{ $0.retry() }, { $0.loadNext() }] as [(PaginatorList<Int, Int>) -> Void] {
            let stage = Stage()
            stage.after(remoteIsDown: true) { $0.loadNext() }
            stage.after(remoteIsDown: true) { $0.loadNext() }
            #expect(stage.rows == [0, 1, 2, 3, 4])
            #expect(stage.list.status.next != .endReached, "nobody knows what follows")
            stage.after(goOn)
            #expect(stage.rows == [0, 1, 2, 3, 4, 50])
            stage.after { $0.loadNext() }
            stage.after { $0.loadNext() }
            #expect(stage.rows == [0, 1, 2, 3, 4, 50, 51, 52, 60, 61, 62])
            #expect(stage.list.status.next == .endReached)
        }
    }

    @Test func `while the remote source stays down, asking again changes nothing`() {
        let stage = Stage()
        for _ in 0..<5 { stage.after(remoteIsDown: true) { $0.loadNext() } }
        #expect(stage.rows == [0, 1, 2, 3, 4])
        #expect(stage.list.status.next != .endReached)
    }
}
