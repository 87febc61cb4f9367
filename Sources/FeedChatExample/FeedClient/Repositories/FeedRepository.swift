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

    /// Calls `handler` on the main actor when what is pending has changed, until the observation is released.
    func observePending(_ handler: @escaping @MainActor @Sendable (PendingState) -> Void) -> any AnyObject & Sendable
    /// Loads the feed anew; what is there stays until it has come, and if it does not come.
    func refresh()
    /// Loads the posts that were counted, above the others.
    func loadNew()
    /// Shows what happens to posts on the server by itself.
    func followServer()
    /// Loads single posts that may be opened next.
    func prefetchDetails(_ posts: [Int64])
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
}

extension PostsRepository: FeedRepository {}
extension InteractionsRepository: InteractionRepository {}
