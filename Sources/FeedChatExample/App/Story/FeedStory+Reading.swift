import Foundation
import PaginatorCore
import PaginatorHTTP

extension FeedStory {
    /// The first page, the scroll to the end, and the way back out of memory.
    ///
    /// - Returns: the keys of all pages, in order.
    func readWholeFeed() async throws -> [String] {
        let paginator = makePaginator()
        transcript.begin("The first page comes from the source")
        let first = try await paginator.answer(key: source.firstKey, pageSize: pageSize).get()
        transcript.note(describe(first))
        transcript.verify(first.origin, equals: .source, "it came from the source")
        transcript.verify(first.page.content.count, equals: pageSize, "it has \(pageSize) posts")
        transcript.verify(first.page.prevKey == nil, "nothing lies before it")

        transcript.begin("Scrolling reaches the last post")
        let pages = try await scroll(paginator)
        let posts = pages.flatMap(\.page.content)
        transcript.note("\(pages.count) pages, last: \(describe(pages[pages.count - 1]))")
        transcript.verify(
            posts == server.corpus.posts, "all \(server.corpus.posts.count) posts came, each once, in order")
        transcript.verify(posts.contains { $0.contentSummary.isEmpty }, "empty texts survived the way")
        transcript.verify(posts.contains { $0.contentSummary.utf8.count > 4_000 }, "long texts survived the way")
        transcript.verify(
            posts.contains { $0.contentSummary.contains("👩‍👩‍👧‍👦") }, "emoji made of several characters survived the way")
        await transcript.verify(conditions.requestCount, equals: pages.count, "the server was asked once a page")

        transcript.begin("The way back comes out of memory")
        let again = try await scroll(paginator)
        transcript.verify(again.allSatisfy { $0.origin == .memory }, "every page came from memory")
        transcript.verify(
            zip(pages, again).allSatisfy { $0.page === $1.page }, "they are the same objects, not copies")
        await transcript.verify(conditions.requestCount, equals: pages.count, "the server was not asked")
        let peeked = paginator.peek(key: source.firstKey, pageSize: pageSize)
        transcript.verify(peeked?.page === pages[0].page, "peek gives the first page at once")
        return pages.map(\.page.key)
    }

    /// Follows the next keys from the first page to the end.
    private func scroll(
        _ paginator: CallbackPaginator<PostPreview>
    ) async throws -> [FetchedPage<PostPreview>] {
        var pages: [FetchedPage<PostPreview>] = []
        var key: String? = source.firstKey
        while let asked = key {
            let fetched = try await paginator.answer(key: asked, pageSize: pageSize).get()
            pages.append(fetched)
            key = fetched.page.nextKey
        }
        return pages
    }

    /// One line about a page.
    func describe(_ fetched: FetchedPage<PostPreview>) -> String {
        let page = fetched.page
        let title = page.content.first.map { "\($0.author.name): \($0.contentSummary.prefix(40))" } ?? "no posts"
        let line = title.replacing("\n", with: " ")
        return "\(page.key) from \(fetched.origin), \(page.content.count) posts, \(page.byteCount) bytes, “\(line)”"
    }
}
