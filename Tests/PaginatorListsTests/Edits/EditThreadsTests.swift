import Dispatch
import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Edits from many threads: every one takes place once, everywhere, and no reader sees a state in between.
@Suite struct EditThreadsTests {
    private struct Preview: Sendable, Identifiable, Equatable {
        let id: Int
        var likes = 0
    }

    private struct Detail: Sendable, Identifiable, Equatable {
        let id: String
        var likes = 0
    }

    private struct Liked: Sendable { let id: Int }

    private static let threads = 8
    private static let rounds = 60
    private static let posts = 6

    /// Waits until a list shows what it is to show at the end.
    private func wait<T, ID>(
        for list: PaginatorList<T, ID>, until isReached: @escaping @Sendable (PaginatorListSnapshot<T, ID>) -> Bool
    ) {
        let reached = DispatchSemaphore(value: 0)
        let observation = list.observe { if isReached($0.snapshot) { reached.signal() } }
        reached.wait()
        observation.cancel()
    }

    /// Waits until every callback that was posted so far has run.
    private func drainCallbacks(of paginator: CallbackPaginator<Preview>) {
        let isAnswered = DispatchSemaphore(value: 0)
        paginator.fetch(key: "0", pageSize: 2) { _ in isAnswered.signal() }
        isAnswered.wait()
    }

    /// Waits until the edits that were made so far are applied.
    private func drainEdits<ID>(_ edits: PaginatorEdits<Preview, ID>) {
        let isApplied = DispatchSemaphore(value: 0)
        edits.afterEdits { isApplied.signal() }
        isApplied.wait()
    }

    private func loaded<T, ID>(
        _ paginator: CallbackPaginator<T>, id: @escaping @Sendable (T) -> ID
    ) -> PaginatorList<T, ID> {
        var config = PaginatorListConfig()
        config.pageSize = 2
        let list = PaginatorList(paginator, id: id, config: config)
        for pages in 1...3 {
            list.loadNext()
            wait(for: list) { $0.count >= pages * 2 }
        }
        return list
    }

    @Test func `two lists and two paginators of one group agree after edits from eight threads`() {
        let previews = CallbackPaginator(
            dataSource: ArrayDataSource((0..<Self.posts).map { Preview(id: $0) }), config: DefaultPaginatorConfig())
        let details = CallbackPaginator(
            dataSource: ArrayDataSource((0..<Self.posts).map { Detail(id: "#\($0)") }), config: DefaultPaginatorConfig()
        )
        let lists = [loaded(previews, id: \.id), loaded(previews, id: \.id)]
        let detailList = loaded(details, id: \.id)
        // What the observers are told by differences alone.
        let mirrors = (0..<2).map { _ in Guarded<[Preview]>([]) }
        for (list, mirror) in zip(lists, mirrors) {
            list.observe { update in mirror.withLock { update.difference.apply(to: &$0) } }
        }
        let group = ConsistencyGroup<Liked>()
        group.join(previews.edits(id: \.id)) { liked in
            (liked.id, { Preview(id: $0.id, likes: $0.likes + 1) })
        }
        group.join(details.edits(id: \.id)) { liked in
            ("#\(liked.id)", { Detail(id: $0.id, likes: $0.likes + 1) })
        }
        let likes = Self.threads * Self.rounds
        let told = Guarded(0)
        let allTold = DispatchSemaphore(value: 0)
        group.join { _ in
            let count = told.withLock { told in
                told += 1
                return told
            }
            if count == likes { allTold.signal() }
        }

        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
            for round in 0..<Self.rounds {
                let id = (thread + round) % Self.posts
                group.send(Liked(id: id))
                // An edit of one member alone, given up or kept.
                let edit = previews.edits(id: \.id).begin(id) { Preview(id: $0.id, likes: $0.likes + 1_000) }
                if round % 2 == 0 { edit.rollBack() } else { edit.commit() }
                _ = lists[thread % 2].snapshot.map(\.likes)
                _ = previews.peek(key: "0", pageSize: 2)
                if round % 16 == 0 { lists[thread % 2].refresh(.stalePages) }
            }
        }

        allTold.wait()
        drainEdits(previews.edits(id: \.id))
        let expected = likes + likes / 2 * 1_000
        wait(for: detailList) { $0.reduce(0) { $0 + $1.likes } == likes }
        for list in lists { wait(for: list) { $0.reduce(0) { $0 + $1.likes } == expected } }
        drainCallbacks(of: previews)
        for (list, mirror) in zip(lists, mirrors) {
            #expect(Array(list.snapshot) == mirror.withLock { $0 })
            #expect(list.snapshot.indices.allSatisfy { !list.snapshot.isPending(at: $0) })
        }
        #expect(Array(lists[0].snapshot) == Array(lists[1].snapshot))
        // Each item has as many likes as its detail, and memory has what the lists show.
        #expect(detailList.snapshot.map(\.likes) == lists[0].snapshot.map { $0.likes % 1_000 })
        let inMemory = ["0", "2", "4"].flatMap { previews.peek(key: $0, pageSize: 2)?.page.content ?? [] }
        #expect(inMemory == Array(lists[0].snapshot))
    }

    @Test func `who reads while edits are committed sees each of them once`() throws {
        let paginator = CallbackPaginator(dataSource: ArrayDataSource([Preview]()), config: DefaultPaginatorConfig())
        try paginator.prime(PaginatorPage(content: [Preview(id: 1)], key: "0"), pageSize: 2)
        let edits = paginator.edits(id: \.id)
        let isOver = Guarded(false)
        let steps = 2_000
        let begun = Guarded(0)
        let wrong = Guarded<[String]>([])
        let readerEnded = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            var last = 0
            while !isOver.withLock({ $0 }) {
                let likes = paginator.peek(key: "0", pageSize: 2)?.page.content.first?.likes ?? -1
                let most = begun.withLock { $0 }
                if likes < last || likes > most { wrong.withLock { $0.append("\(last), then \(likes) of \(most)") } }
                last = likes
            }
            readerEnded.signal()
        }
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            for _ in 0..<steps {
                begun.withLock { $0 += 1 }
                edits.begin(1) { Preview(id: $0.id, likes: $0.likes + 1) }.commit()
            }
        }
        drainEdits(edits)
        isOver.withLock { $0 = true }
        readerEnded.wait()
        #expect(wrong.withLock { Array($0.prefix(3)) } == [])
        #expect(paginator.peek(key: "0", pageSize: 2)?.page.content == [Preview(id: 1, likes: 2 * steps)])
    }
}
