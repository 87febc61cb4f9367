import AppFoundation
import FeedClient
import PaginatorLists

/// The feed for the page.
@MainActor final class FeedPage: AppScreen {
    let kind = "feed"
    private let holder: FeedStateHolder
    private var shown: FeedState

    init(_ model: AppModel, changed: @escaping @MainActor () -> Void) {
        holder = model.feedCoordinator.makeFeed()
        shown = holder.state
        holder.onChange { [weak self] state in
            self?.shown = state
            changed()
        }
        // Another window may have loaded the list already.
        if !model.feed.posts.list.status.hasLoaded { holder.start() }
    }

    var state: AppJSON { FeedProjection.state(shown) }
    var rows: [AppRow]? { FeedProjection.rows(shown) }

    func visible(_ rows: Range<Int>, of all: [AppRow]) async {
        holder.visible(rows.shifted(by: -shown.failedPosts.count, in: shown.items.count))
    }

    func perform(_ intent: AppIntent) async throws -> Bool {
        switch (intent.what, intent.row?.content) {
        case ("refresh", _): holder.refresh()
        case ("showNew", _): holder.showNew()
        case ("retry", .failedPost(let request, _)?): try await holder.resend(request)
        case ("discard", .failedPost(let request, _)?): try await holder.discard(request)
        case ("retry", _): holder.retry()
        case ("older", _): holder.loadMore()
        case ("like", .post(let post)?): try await holder.toggleLike(post)
        case ("share", .post(let post)?): try await holder.share(post)
        default: return false
        }
        return true
    }
}

/// Converts the states of the feed and of other post lists for the page.
enum FeedProjection {
    static func rows(_ state: FeedState) -> [AppRow] {
        let failed = state.failedPosts.map { post in
            AppRow(id: "f\(post.requestID)", content: .failedPost(post, state.texts.notSent(post.summary)))
        }
        if state.isLoading { return failed + AppRow.placeholders("post") }
        return failed + posts(state.items)
            + AppRow.footer(
                isPaging: state.isPaging, isAtEnd: state.isAtEnd, error: state.items.isEmpty ? nil : state.errorMessage,
                state.texts)
    }

    static func posts(_ posts: PostRows) -> [AppRow] {
        posts.map { AppRow(id: "p\($0.id)", content: .post($0)) }
    }

    static func state(_ state: FeedState) -> AppJSON {
        .members([
            "title": .string(state.texts.feed), "refreshing": .bool(state.isRefreshing),
            "waiting": .int(Int64(state.newAbove)), "offline": .bool(state.isOffline),
            "signedOut": .bool(state.isSignedOut), "error": state.errorMessage.map { .string($0) },
            "sending": state.sendingPosts.first.map { .double($0.progress) },
        ])
    }
}
