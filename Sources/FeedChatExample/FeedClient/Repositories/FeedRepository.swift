package import AppFoundation
package import Foundation
package import PaginatorCore
package import PaginatorLists

/// The posts for screens; ``PostsRepository`` gets them from the backend and the disk.
package protocol FeedRepository: Sendable {
    /// The feed.
    var list: PaginatorList<Post, Int64> { get }
    /// The search results, with the text as scope.
    var search: CallbackPaginator<SearchHit> { get }
    /// The pending interactions, which are applied over the server's values.
    var pendingInteractions: PendingInteractions { get }

    /// Calls `handler` on the main actor with the pending state, and after each change, until the observation is
    /// released.
    func observePending(_ handler: @escaping @MainActor @Sendable (PendingState) -> Void) -> any AnyObject & Sendable
    /// Refreshes the feed; its posts stay until new ones arrive, or if the refresh fails.
    func refresh()
    /// Loads the counted new posts above the others.
    func loadNew()
    /// Prefetches single posts that may be opened next.
    func prefetchDetails(_ posts: [Int64])

    /// Returns the list of one user's posts.
    func profileList(of user: Int64) -> PaginatorList<Post, Int64>
    /// Returns a list of one post, which follows its changes.
    func detailList(of post: Int64) -> PaginatorList<PostDetail, Int64>
    /// Returns the server's current version of a post.
    func detail(_ post: Int64) async throws(APIError) -> PostDetail
    /// Changes a post in all lists and screens.
    ///
    /// - Throws: ``APIError``, with status 409 if the post has changed meanwhile.
    func edit(_ post: Int64, content: String, baseVersion: Int) async throws(APIError) -> PostDetail
    /// Deletes a post in all lists and screens.
    func delete(_ post: Int64) async throws
    /// Removes a post that the server no longer has from all lists and screens, with its pending operations.
    func postIsGone(_ post: Int64) async throws

    /// Returns the user's scheduled posts on the server.
    func scheduled() async throws(APIError) -> [ScheduledPost]
    /// Cancels one of them.
    func cancelScheduled(_ post: Int64) async throws(APIError)
}

/// The user's actions for screens; ``InteractionsRepository`` stores them until the server has accepted them.
package protocol InteractionRepository: Sendable {
    /// Adds an interaction other than a share.
    ///
    /// - Returns: the request id.
    @discardableResult
    func interact(_ action: InteractionAction, on post: Int64) async throws -> String
    /// Adds a share, which counts at once.
    ///
    /// - Parameter count: the number of shares that the user sees.
    /// - Returns: the request id.
    @discardableResult
    func share(_ post: Int64, seeing count: Int) async throws -> String
    /// Sends a failed post again.
    func resend(_ request: PostRequest) async throws
    /// Discards an unsent post.
    func discard(_ request: PostRequest) async throws
    /// Adds a post, which appears at once, or at a time of the server's clock, and removes the draft of a new post.
    @discardableResult
    func publish(_ content: String, attachments: [NewAttachment], at publishAt: Date?) async throws -> PostRequest

    /// The comments on posts, and the replies to them, by ``CommentScope``.
    var comments: CallbackPaginator<Comment> { get }
    /// Adds a comment, or a reply to one.
    @discardableResult
    func comment(_ content: String, on post: Int64, replyingTo parent: Int64?) async throws -> CommentRequest
    /// Sends a failed comment again.
    func resend(_ request: CommentRequest) async throws
    /// Discards a failed comment.
    func discard(_ request: CommentRequest) async throws
    /// Shows the waiting comments on a post in a list that was created after them.
    func showWaitingComments(on post: Int64) async throws
}

/// The user's unsent texts for screens; ``DraftStore`` stores them on disk.
package protocol DraftRepository: Sendable {
    func draft(of post: Int64) async throws -> Draft?
    /// Stores a text; an existing draft stays based on its version.
    func save(_ content: String, of post: Int64, baseVersion: Int) async throws
    /// Stores the server's other text; until the user chooses, both are kept.
    func setConflict(of post: Int64, with content: String, version: Int) async throws
    /// Bases the draft on the server's current version, because the user keeps the own text.
    func keepMine(of post: Int64) async throws
    /// Removes a draft that the server has saved. Text typed meanwhile stays, based on the saved version.
    func saved(_ draft: Draft, version: Int) async throws
    func remove(of post: Int64) async throws
}

/// The profiles for screens; ``UserProfiles`` requests them from the server.
package protocol ProfileRepository: Sendable {
    /// Returns the user's own stored profile.
    func kept() async throws -> UserProfile?
    /// Returns a user's profile; the user's own is stored, for a start without a connection.
    func profile(of user: Int64) async throws -> UserProfile
    /// Changes the user's own profile.
    ///
    /// - Throws: ``APIError``, with status 409 if another device has changed it meanwhile.
    func setAbout(_ about: String, baseVersion: Int) async throws -> UserProfile
    /// The id of the signed-in user.
    var own: Int64 { get }
}

extension PostsRepository: FeedRepository {}
extension InteractionsRepository: InteractionRepository {}
extension DraftStore: DraftRepository {}
