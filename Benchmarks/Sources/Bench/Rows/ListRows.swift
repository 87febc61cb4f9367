import Dispatch
import PaginatorCore
import PaginatorLists
import Synchronization

// A long list: what one change costs, from the call until an observer has been told, and a walk over its rows.
extension Group {
    static let lists = Group(name: "lists") { session in
        let small = try LongList(pages: 10)
        let pages = session.isQuick ? 100 : 1_000
        let large = try LongList(pages: pages)
        for (name, change) in LongList.changes {
            let row = "list: \(name)"
            let runs = try session.run(
                Contest(
                    row: row, clock: .process, operations: 50, rounds: 11,
                    contenders: [(small, "1000 items"), (large, "\(pages * 100) items")].map { list, contender in
                        Contender(contender) { watch in
                            for _ in 0..<50 { watch.time { list.changeAndWait(change) } }
                        }
                    }))
            let word = name.replacing(" ", with: "-")
            session.count("list-microseconds-\(word)", runs[1].median / 1_000, .atMost(100))
            session.ratio("list-growth-\(word)-to-\(pages * 100)", of: runs[1], to: runs[0], .atMost(2))
        }
        let snapshot = large.list.snapshot
        let array = Array(snapshot)
        let sum = array.reduce(0) { $0 + $1.weight }
        let walks = try session.run(
            Contest(
                row: "walk over \(pages * 100) rows", operations: array.count, rounds: 21,
                contenders: [
                    Contender("array") { watch in
                        var found = 0
                        watch.time { for item in array { found &+= item.weight } }
                        // Checked, so that the compiler cannot leave the walk out.
                        precondition(found == sum)
                    },
                    Contender("snapshot") { watch in
                        var found = 0
                        watch.time { for item in snapshot { found &+= item.weight } }
                        precondition(found == sum)
                    },
                ]))
        session.ratio("list-walk-to-array", of: walks[1], to: walks[0], .atMost(3))
    }
}

/// A list that has loaded many pages of a hundred items each.
private final class LongList: Sendable {
    /// A post, such as a feed shows.
    struct Item: Identifiable, Sendable {
        let id: Int
        var author = "somebody"
        var text: String
        var value = 0

        init(id: Int, value: Int = 0) {
            (self.id, self.value) = (id, value)
            text = "what somebody wrote as number \(id)"
        }

        var weight: Int { value &+ text.utf8.count }
    }

    /// What an app does to a list, one at a time.
    static let changes: [(name: String, make: @Sendable (LongList, Int) -> Void)] = [
        ("live row", { $0.list.insertLive([Item(id: -$1)]) }),
        ("edit", { long, number in long.list.edits.update(500) { Item(id: $0.id, value: number) } }),
        ("refresh of the first page", { long, _ in long.list.refresh(.firstPage) }),
    ]

    let list: PaginatorList<Item, Int>
    private let observation: PaginatorExecution
    private let told = DispatchSemaphore(value: 0)
    private let changed = Atomic(0)

    init(pages: Int) throws {
        // Ready, because making them is not the list's work.
        let items = (0..<pages * 100).map { Item(id: $0) }
        let source = ClosureDataSource<Item>(firstKey: "0") { request, completion in
            let start = Int(request.key) ?? 0
            completion(
                .success(
                    PaginatorPage(
                        content: Array(items[start..<start + 100]), key: request.key,
                        nextKey: start + 100 < pages * 100 ? "\(start + 100)" : nil)))
            return .none
        }
        var config = DefaultPaginatorConfig()
        config.inMemoryEvictionStrategy = .lru(maxPages: pages + 10)
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = 100
        list = PaginatorList(CallbackPaginator(dataSource: source, config: config), config: listConfig)
        let told = told
        observation = list.observe { _ in told.signal() }
        list.loadNext()
        while list.snapshot.count < pages * 100 {
            told.wait()
            if !list.status.next.isLoading { list.loadNext() }
        }
    }

    /// Makes a change and waits until the list is idle and its observer has been told.
    func changeAndWait(_ change: @Sendable (LongList, Int) -> Void) {
        while told.wait(timeout: .now()) == .success {}
        change(self, changed.add(1, ordering: .relaxed).newValue)
        repeat { told.wait() } while list.status.refresh.isLoading
    }
}
