import FeedClient
import Foundation

#if Inspector
    import PaginatorInspector
#endif

/// Where the page of the inspector is, if this build has one, and what is told of it.
struct InspectorLink: Sendable {
    let address: String?
    let text: String
    /// Keeps the inspector.
    private let inspector: (any AnyObject & Sendable)?

    #if Inspector
        /// Watches the feed's paginators and lists, and serves what happens on a port of its own.
        static func make(_ app: FeedApp) async -> InspectorLink {
            var config = PaginatorInspectorConfig()
            config.isEnabled = true
            config.allowsKeys = true
            config.appName = "Feed of \(app.user.name)"
            let inspector = PaginatorInspector(config: config)
            let attachments = [
                inspector.attach(app.posts.feed, name: "feed"),
                inspector.attach(app.posts.list, name: "list of the feed"),
                inspector.attach(app.posts.profiles, name: "profiles"),
                inspector.attach(app.posts.details, name: "posts"),
                inspector.attach(app.posts.search, name: "search"),
                inspector.attach(app.interactions.comments, name: "comments"),
            ]
            do {
                let server = try await inspector.serve()
                return InspectorLink(
                    address: server.url.absoluteString, text: "The inspector shows what the paginators do.",
                    inspector: Kept(inspector, attachments))
            } catch {
                return InspectorLink(address: nil, text: "\(error)", inspector: nil)
            }
        }

        private final class Kept: Sendable {
            let inspector: PaginatorInspector
            let attachments: [PaginatorAttachment]

            init(_ inspector: PaginatorInspector, _ attachments: [PaginatorAttachment]) {
                (self.inspector, self.attachments) = (inspector, attachments)
            }
        }
    #else
        static func make(_ app: FeedApp) async -> InspectorLink {
            InspectorLink(
                address: nil,
                text: "This build has no inspector: PAGINATOR_BUILD_FLAGS='--traits Inspector' ./scripts/run open",
                inspector: nil)
        }
    #endif
}
