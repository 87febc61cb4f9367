import PaginatorAsync
import PaginatorCore
import PaginatorHTTP

extension FeedStory {
    /// A list that loads ahead of whoever scrolls, and the same posts one by one.
    func scrollByList() async throws {
        transcript.begin("Scrolling by a list loads ahead, and stops at the last post")
        let before = await conditions.requestCount
        let paginator = makePaginator()
        var config = PaginatorListConfig()
        config.pageSize = pageSize
        let list = PaginatorList(paginator, config: config)
        let screen = await FeedScreen(showing: list)
        list.loadNext()
        for await state in list.states() {
            if let error = state.status.next.error ?? state.status.refresh.error { throw error }
            if state.status.next.isEndReached { break }
            // A hint says what is on the screen; the list decides whether to load.
            let count = state.snapshot.count
            if count > 0 { list.hint(visible: max(0, count - 10)..<count) }
        }
        let posts = server.corpus.posts
        let pages = (posts.count + pageSize - 1) / pageSize
        transcript.note("\(list.snapshot.count) posts are in the list")
        transcript.verify(list.snapshot.elementsEqual(posts), "the list has every post once, in order")
        await transcript.verify(conditions.requestCount, equals: before + pages, "the server was asked once a page")
        let shown = await screen.caughtUp(with: list)
        transcript.verify(shown == posts, "a screen that applied the differences alone shows the same")

        transcript.begin("The same posts one by one, with for try await")
        var read: [PostPreview] = []
        for try await post in paginator.items(from: source.firstKey, pageSize: pageSize) { read.append(post) }
        transcript.verify(read == posts, "every post came once, in order")
        await transcript.verify(conditions.requestCount, equals: before + pages, "all of them out of memory")
        var few: [PostPreview] = []
        for try await post in makePaginator().items(from: source.firstKey, pageSize: pageSize) {
            few.append(post)
            if few.count == pageSize + 1 { break }
        }
        await transcript.verify(
            conditions.requestCount, equals: before + pages + 2, "whoever stops in the second page loads two")
    }
}

/// What a table view would be: it moves rows as the list's differences say, on the main actor.
@MainActor final class FeedScreen {
    private var rows: [PostPreview] = []
    private var waiter: (count: Int, shown: CheckedContinuation<Void, Never>)?

    init(showing list: PaginatorList<PostPreview, String>) {
        list.observe(onMain: { [weak self] update in self?.apply(update.difference) })
    }

    private func apply(_ difference: PaginatorListDifference<PostPreview>) {
        difference.apply(to: &rows)
        guard let waiter, rows.count == waiter.count else { return }
        self.waiter = nil
        waiter.shown.resume()
    }

    /// The rows, when there are as many as the list has.
    func caughtUp(with list: PaginatorList<PostPreview, String>) async -> [PostPreview] {
        let count = list.snapshot.count
        if rows.count != count { await withCheckedContinuation { waiter = (count, $0) } }
        return rows
    }
}
