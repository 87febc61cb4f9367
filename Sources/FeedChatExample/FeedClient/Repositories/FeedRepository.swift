package import AppFoundation
package import Foundation
package import PaginatorCore
package import PaginatorLists

/// The posts, as screens use them; ``PostsRepository`` has them from the backend and the disk.
package protocol FeedRepository: Sendable {
    /// The feed.
    var list: PaginatorList<Post, Int64> { get }
    /// What searches find, by the text as scope.
    var search: CallbackPaginator<SearchHit> { get }
    /// Everything that lies over the server's values now.
    var pendingInteractions: PendingInteractions { get }

    /// Calls `handler` on the main actor with what is pending, and after each change, until the observation is released.
    func observePending(_ handler: @escaping @MainActor @Sendable (PendingState) -> Void) -> any AnyObject & Sendable
    /// Loads the feed anew; what is there stays until it has come, and if it does not come.
    func refresh()
    /// Loads the posts that were counted, above the others.
    func loadNew()
    /// Shows what happens to posts on the server by itself.
    func followServer()
    /// Loads single posts that may be opened next.
    func prefetchDetails(_ posts: [Int64])

    /// One user's posts.
    func profileList(of user: Int64) -> PaginatorList<Post, Int64>
    /// One post, which follows every change of it.
    func detailList(of post: Int64) -> PaginatorList<PostDetail, Int64>
    /// A post as the server has it now.
    func detail(_ post: Int64) async throws(APIError) -> PostDetail
    /// Changes a post, everywhere.
    ///
    /// - Throws: ``APIError``, with status 409 when somebody changed the post meanwhile.
    func edit(_ post: Int64, content: String, baseVersion: Int) async throws(APIError) -> PostDetail
    /// Deletes a post, everywhere.
    func delete(_ post: Int64) async throws
    /// Forgets a post that the server does not have any more: everywhere, with what waited for it.
    func postIsGone(_ post: Int64) async throws

    /// The user's posts that the server lets appear later.
    func scheduled() async throws(APIError) -> [ScheduledPost]
    /// Takes one of them back.
    func cancelScheduled(_ post: Int64) async throws(APIError)
}

/// What the user does, as screens use it; ``InteractionsRepository`` keeps it until the server has it.
package protocol InteractionRepository: Sendable {
    /// Adds an interaction that is no share.
    ///
    /// - Returns: the id that the server will know it by.
    @discardableResult
    func interact(_ action: InteractionAction, on post: Int64) async throws -> String
    /// Adds a share, which counts at once.
    ///
    /// - Parameter count: how many shares the user sees.
    /// - Returns: the id that the server will know it by.
    @discardableResult
    func share(_ post: Int64, seeing count: Int) async throws -> String
    /// Sends a post that was given up once more.
    func resend(_ request: PostRequest) async throws
    /// Takes a post back that the server has not taken.
    func discard(_ request: PostRequest) async throws
    /// Adds a post, which appears at once, or when the server's clock has come to a time.
    @discardableResult
    func publish(_ content: String, attachments: [NewAttachment], at publishAt: Date?) async throws -> PostRequest

    /// The comments on posts, and the replies to them, by ``CommentScope``.
    var comments: CallbackPaginator<Comment> { get }
    /// Adds a comment, or a reply to one.
    @discardableResult
    func comment(_ content: String, on post: Int64, replyingTo parent: Int64?) async throws -> CommentRequest
    /// Sends a comment that was given up once more.
    func resend(_ request: CommentRequest) async throws
    /// Forgets a comment that was given up.
    func discard(_ request: CommentRequest) async throws
    /// Shows the comments on a post that wait, in a list that was made after they were written.
    func showWaitingComments(on post: Int64) async throws
}

/// What the user has written and not sent, as screens use it; ``DraftStore`` keeps it on the disk.
package protocol DraftRepository: Sendable {
    func draft(of post: Int64) async throws -> Draft?
    /// Keeps a text; where there is a draft already, it stays based on the version that it was based on.
    func save(_ content: String, of post: Int64, baseVersion: Int) async throws
    /// Notes that the server has another text; until the user chooses, both are kept.
    func setConflict(of post: Int64, with content: String, version: Int) async throws
    /// The user keeps their own text: the draft is based on what the server has now.
    func keepMine(of post: Int64) async throws
    /// The server has what a draft was: it is done with, but for what was typed meanwhile, which is based on that then.
    func saved(_ draft: Draft, version: Int) async throws
    func remove(of post: Int64) async throws
}

/// What users say about themselves, as screens use it; ``UserProfiles`` asks the server.
package protocol ProfileRepository: Sendable {
    /// The user's own profile as it was last.
    func kept() async throws -> UserProfile?
    /// A user's profile; the user's own is kept, for a start without a connection.
    func profile(of user: Int64) async throws -> UserProfile
    /// Changes the user's own profile.
    ///
    /// - Throws: ``APIError``, with status 409 when another device has changed it meanwhile.
    func setAbout(_ about: String, baseVersion: Int) async throws -> UserProfile
    /// The user whose own profile it is.
    var own: Int64 { get }
}

extension PostsRepository: FeedRepository {}
extension InteractionsRepository: InteractionRepository {}
extension DraftStore: DraftRepository {}
