package import AppFoundation
package import MediaLoader
package import PaginatorCore

/// The services of the app for the screens of the feed. ``FeedApp`` implements them; tests of screens use doubles.
package protocol FeedServices: Sendable {
    associatedtype Posts: FeedRepository
    associatedtype Interactions: InteractionRepository
    associatedtype Drafts: DraftRepository
    associatedtype Profiles: ProfileRepository

    var posts: Posts { get }
    var interactions: Interactions { get }
    var drafts: Drafts { get }
    var profiles: Profiles { get }
    var environment: AppEnvironment { get }
    /// Whether an earlier run left a feed.
    var startsWithFeed: Bool { get }
    var isSignedIn: Bool { get }

    /// Calls `handler` after each change of ``isSignedIn``, until the observation is released.
    func observeSession(_ handler: @escaping @Sendable () -> Void) -> any AnyObject & Sendable
    /// Returns whether the server answers now; it takes a few seconds at most.
    func isReached() async -> Bool
    /// Whether the user has a feature.
    func isOn(_ feature: String) -> Bool
    /// Stores how far the feed is loaded.
    func notePages(isRefresh: Bool) async throws
    /// Prefetches images.
    func prefetch(_ images: [MediaPath], shownWidth: Int) -> PaginatorExecution?
    /// Loads an image; steps are delivered on a background queue.
    func image(
        _ path: MediaPath, shownWidth: Int, onStep: @escaping @Sendable (ImageStep) -> Void
    ) -> ImageRequest?
}

extension FeedServices {
    package var toggleLike: ToggleLike { ToggleLike(interactions: interactions) }
    package var toggleBookmark: ToggleBookmark { ToggleBookmark(interactions: interactions) }
    package var sharePost: SharePost { SharePost(interactions: interactions) }
    package var publishPost: PublishPost { PublishPost(interactions: interactions) }
    package var addComment: AddComment { AddComment(interactions: interactions) }
    package var saveEdit: SaveEdit { SaveEdit(posts: posts, drafts: drafts) }
    package var resolveConflict: ResolveConflict { ResolveConflict(drafts: drafts, save: saveEdit) }
    package var deletePost: DeletePost { DeletePost(posts: posts) }
    package var saveProfile: SaveProfile { SaveProfile(profiles: profiles, drafts: drafts) }
}

extension FeedApp: FeedServices {
    package var isSignedIn: Bool { session.isSignedIn(user) }

    package func observeSession(_ handler: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
        session.observe(handler)
    }

    package func isReached() async -> Bool { await api.isReached() }

    package func isOn(_ feature: String) -> Bool { flags.isOn(feature) }

    package func prefetch(_ images: [MediaPath], shownWidth: Int) -> PaginatorExecution? {
        media.prefetch(images, shownWidth: shownWidth)
    }

    package func image(
        _ path: MediaPath, shownWidth: Int, onStep: @escaping @Sendable (ImageStep) -> Void
    ) -> ImageRequest? {
        media.image(path, shownWidth: shownWidth, onStep: onStep)
    }
}
