import Dispatch
import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Members of different types, told of the same changes in the same order.
@Suite struct ConsistencyGroupTests {
    private struct Renamed: Sendable {
        let id: Int
        let text: String
    }

    private struct Detail: Sendable, Identifiable {
        let id: String
        let title: String
    }

    @Test func `members of different item types take the same change`() {
        let stage = ListStage()
        stage.after { $0.loadNext() }
        var config = DefaultPaginatorConfig()
        config.executor = stage.executor
        config.callbackExecutor = stage.executor
        config.clock = stage.clock
        let details = CallbackPaginator(dataSource: ArrayDataSource([Detail(id: "#1", title: "old")]), config: config)
        let list = PaginatorList<Detail, String>(details)
        list.loadNext()
        stage.settle()
        let group = ConsistencyGroup<Renamed>(executor: stage.executor)
        group.join(stage.list.edits) { change in
            (change.id, { SampleItem(id: $0.id, text: change.text) })
        }
        let membership = group.join(list.edits) { change in
            ("#\(change.id)", { Detail(id: $0.id, title: change.text + "!") })
        }
        group.send(Renamed(id: 1, text: "new"))
        #expect(list.snapshot[0].title == "old")
        stage.settle()
        #expect(list.snapshot[0].title == "new!")
        #expect(stage.list.snapshot[1].text == "new")
        #expect(membership.cancel())
        #expect(!membership.cancel())
        group.send(Renamed(id: 1, text: "newer"))
        stage.settle()
        #expect(list.snapshot[0].title == "new!")
        #expect(stage.list.snapshot[1].text == "newer")
    }

    @Test func `all members take changes in one order`() {
        let group = ConsistencyGroup<Int>()
        let seen = Guarded<[[Int]]>([[], [], []])
        let all = DispatchSemaphore(value: 0)
        for member in 0..<3 {
            group.join { change in
                let isLast = seen.withLock { seen in
                    seen[member].append(change)
                    return seen.allSatisfy { $0.count == 400 }
                }
                if isLast { all.signal() }
            }
        }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<50 { group.send(thread * 100 + round) }
        }
        all.wait()
        let told = seen.withLock { $0 }
        #expect(told[0] == told[1] && told[1] == told[2])
        for thread in 0..<8 {
            #expect(told[0].filter { $0 / 100 == thread } == (0..<50).map { thread * 100 + $0 })
        }
    }
}
