import AppFoundation
package import Foundation
import PaginatorCore

/// A destination in the feed; it contains an id, never a model.
package enum FeedRoute: Sendable, Hashable {
    case feed
    case post(Int64)
    case profile(Int64)
    case compose
    case scheduled
    case search(String)
}

extension FeedRoute {
    /// The screen's name, without its content.
    fileprivate var name: String {
        switch self {
        case .feed: "feed"
        case .post: "post"
        case .profile: "profile"
        case .compose: "compose"
        case .scheduled: "scheduled"
        case .search: "search"
        }
    }
}

/// The navigation of the feed: a path of screens, extended by taps, links and notifications.
@MainActor
package final class FeedCoordinator {
    private let app: FeedApp
    /// The screens from the first one to the visible one.
    package private(set) var path: [FeedRoute] = [.feed] {
        didSet { if let screen = path.last { app.log?(.ui, .info, "shows \(screen.name)") } }
    }

    package init(_ app: FeedApp) {
        self.app = app
    }

    package func show(_ route: FeedRoute) {
        path.append(route)
    }

    package func goBack() {
        if path.count > 1 { path.removeLast() }
    }

    /// Opens a link, such as `paginator-example://posts/42`, also from a notification.
    ///
    /// - Returns: whether it is a valid link.
    package func open(_ link: URL) -> Bool {
        guard link.scheme == "paginator-example", let kind = link.host() else { return false }
        let id = Int64(link.lastPathComponent)
        let text = URLComponents(url: link, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == "q" }?.value
        switch (kind, id) {
        case ("posts", let id?): path = [.feed, .post(id)]
        case ("users", let id?): path = [.feed, .profile(id)]
        case ("feed", _): path = [.feed]
        case ("search", _): path = [.feed, .search(text ?? "")]
        case ("scheduled", _): path = [.feed, .scheduled]
        case ("compose", _): path = [.feed, .compose]
        default: return false
        }
        return true
    }

    package func makeFeed() -> FeedStateHolder { FeedStateHolder(app) }
    package func makeDetail(_ post: Int64) -> PostDetailStateHolder { PostDetailStateHolder(app, post: post) }
    package func makeProfile(_ user: Int64) -> ProfileStateHolder { ProfileStateHolder(app, user: user) }
    package func makeSearch(_ text: String = "") -> SearchStateHolder {
        let search = SearchStateHolder(app)
        search.type(text)
        return search
    }
    package func makeScheduled() -> ScheduledStateHolder { ScheduledStateHolder(app) }
    package func makeCompose() -> ComposeStateHolder { ComposeStateHolder(app) }
}
