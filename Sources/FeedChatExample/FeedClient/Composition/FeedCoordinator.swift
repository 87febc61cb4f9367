package import Foundation

/// Where the feed can go; what is passed is an id, never a model.
package enum FeedRoute: Sendable, Hashable {
    case feed
    case post(Int64)
    case profile(Int64)
    case compose
    case search(String)
}

/// Navigation of the feed: a path of screens, which taps, links and notifications lengthen.
@MainActor
package final class FeedCoordinator {
    private let app: FeedApp
    /// The screens from the first one to the one that is shown.
    package private(set) var path: [FeedRoute] = [.feed]

    package init(_ app: FeedApp) {
        self.app = app
    }

    package func show(_ route: FeedRoute) {
        path.append(route)
    }

    package func goBack() {
        if path.count > 1 { path.removeLast() }
    }

    /// Opens a link, such as `paginator-example://posts/42`, also one of a notification.
    ///
    /// - Returns: whether it leads anywhere.
    package func open(_ link: URL) -> Bool {
        guard link.scheme == "paginator-example", let kind = link.host() else { return false }
        let id = Int64(link.lastPathComponent)
        switch (kind, id) {
        case ("posts", let id?): path = [.feed, .post(id)]
        case ("users", let id?): path = [.feed, .profile(id)]
        case ("compose", _): path = [.feed, .compose]
        default: return false
        }
        return true
    }

    package func makeFeed() -> FeedStateHolder { FeedStateHolder(app) }
    package func makeDetail(_ post: Int64) -> PostDetailStateHolder { PostDetailStateHolder(app, post: post) }
    package func makeProfile(_ user: Int64) -> ProfileStateHolder { ProfileStateHolder(app, user: user) }
    package func makeCompose() -> ComposeStateHolder { ComposeStateHolder(app) }
}
