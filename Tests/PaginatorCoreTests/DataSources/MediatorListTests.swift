import PaginatorTesting
import Testing

@testable import PaginatorCore

/// A list over a mediator whose remote source is down for a while.
@Suite struct MediatorListTests {
    private struct Down: Error {}

    /// A list of pages of three rows, of which five are on the device and six more at the remote source.
    private final class Stage {
        let clock = ManualPaginatorClock()
        let executor = SimulatedExecutor()
        let world = MediatorWorld(servesLocalOnFailure: true, resumeKey: { _, _ in "r5" })
        let paginator: CallbackPaginator<Int>
        let list: PaginatorList<Int, Int>

        init() {
            var config = PaginatorConfig()
            config.simulate(on: executor, clock: clock)
            config.maxAttempts = 1
            paginator = CallbackPaginator(dataSource: world.source, config: config)
            var listConfig = PaginatorListConfig()
            listConfig.pageSize = 3
            listConfig.prefetchDistance = 0
            list = PaginatorList(paginator, id: { $0 }, config: listConfig)
            world.table.update { $0[""] = Array(0..<5) }
        }

        var rows: [Int] { Array(list.snapshot) }

        /// Does something, lets the remote source fail or answer, and does what comes of it.
        func after(remoteIsDown: Bool = false, _ body: (PaginatorList<Int, Int>) -> Void) {
            executor.immediately { body(list) }
            while let call = world.remote.pendingCalls.first {
                executor.immediately {
                    if remoteIsDown {
                        world.remote.answer(call, with: .failure(.retry(Down())))
                    } else {
                        world.answerRemote(call, last: call.request.key == "r6")
                    }
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
