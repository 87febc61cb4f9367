import AppFoundation
import Foundation
import GRDB
import MediaLoader
import PaginatorAsync
import PaginatorCore
import PaginatorLists

@testable import FeedClient

/// The app below the screens, in memory: no backend, no file. What a test says that the server has, it has.
final class FeedServicesDouble: FeedServices {
    let posts: PostsDouble
    let interactions: InteractionsDouble
    let drafts = DraftsDouble()
    let profiles: ProfilesDouble
    let environment = AppEnvironment()
    let startsWithFeed: Bool
    let session = Observed(true, label: "session")
    let notes = Guarded<[Bool]>([])

    /// Makes it for a user with the id 1.
    init(count: Int = 95, startsWithFeed: Bool = false) {
        posts = PostsDouble(count: count, environment)
        interactions = InteractionsDouble(posts, drafts)
        profiles = ProfilesDouble()
        self.startsWithFeed = startsWithFeed
    }

    var isSignedIn: Bool { session.value }
    func observeSession(_ handler: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
        session.observe { _ in handler() }
    }
    func isOn(_ feature: String) -> Bool { true }
    func isReached() async -> Bool { true }
    func notePages(isRefresh: Bool) async throws { notes.withLock { $0.append(isRefresh) } }
    func prefetch(_ images: [MediaPath], shownWidth: Int) -> PaginatorExecution? { nil }
    func image(
        _ path: MediaPath, shownWidth: Int, onStep: @escaping @Sendable (ImageStep) -> Void
    ) -> ImageRequest? { nil }
}

final class PostsDouble: FeedRepository {
    let list: PaginatorList<Post, Int64>
    let search: CallbackPaginator<SearchHit>
    let calls = Guarded<[String]>([])
    let pending = Observed(PendingState(), label: "pending")
    /// Whether the server cannot be reached.
    let isBroken = Guarded(false)
    let details = Guarded<[Int64: PostDetail]>([:])
    let later = Guarded<[ScheduledPost]>([])
    /// What happens between the next reading of them and its answer.
    let beforeAnswer = Guarded<(@MainActor @Sendable () async -> Void)?>(nil)
    /// With what the server refuses every edit; `nil` where it takes them.
    let editRefusal = Guarded<APIError?>(nil)
    private let pages: CallbackPaginator<Post>
    private let single: CallbackPaginator<PostDetail>

    init(count: Int, _ environment: AppEnvironment) {
        let author = Author(id: 1, name: "Ada", imagePath: "")
        let posts = (0..<count).map { number in
            Post(
                id: Int64(count - number), summary: "Post \(number)", author: author, createdAt: Date(),
                isLiked: false,
                likeCount: 0, commentCount: 0, attachmentCount: 0, previewImagePath: nil)
        }
        let (isBroken, details) = (isBroken, details)
        let source = ClosureDataSource<Post>(firstKey: "0") { request, completion in
            let start = Int(request.key) ?? 0
            let end = min(start + request.pageSize, posts.count)
            if isBroken.withLock({ $0 }) {
                completion(.failure(.fatal(APIError(.unreachable))))
            } else {
                completion(
                    .success(
                        PaginatorPage(
                            content: Array(posts[start..<end]), key: request.key,
                            nextKey: end < posts.count ? "\(end)" : nil)))
            }
            return SourceCancellation {}
        }
        var config = PaginatorConfig()
        config.connectivity = environment
        pages = CallbackPaginator(dataSource: source, config: config)
        list = PaginatorList(pages)
        single = CallbackPaginator(
            dataSource: AsyncDataSource<PostDetail>(
                firstKey: "0", errorRule: { .fatal($0) },
                load: { request in
                    if isBroken.withLock({ $0 }) { throw APIError(.unreachable) }
                    guard let post = details.withLock({ $0[Int64(request.key) ?? 0] }) else {
                        throw APIError(.status, status: 404)
                    }
                    return PaginatorPage(content: [post], key: request.key)
                }), config: config)
        search = CallbackPaginator(
            dataSource: ClosureDataSource<SearchHit>(firstKey: "0") { request, completion in
                completion(.success(PaginatorPage(content: [], key: request.key)))
                return SourceCancellation {}
            })
    }

    /// Lets the server have a post of the user 1, with its number as text.
    func add(_ id: Int64, version: Int = 1, content: String = "text") {
        let post = PostDetail(
            id: id, version: version, content: content, author: Author(id: 1, name: "Ada", imagePath: ""),
            createdAt: Date(), isLiked: false, isBookmarked: false, likeCount: 0, shareCount: 0, commentCount: 0,
            attachments: [])
        details.withLock { $0[id] = post }
    }

    var pendingInteractions: PendingInteractions { pending.value.interactions }
    func observePending(
        _ handler: @escaping @MainActor @Sendable (PendingState) -> Void
    ) -> any AnyObject & Sendable {
        let observation = pending.observe { state in Task { @MainActor in handler(state) } }
        Task { @MainActor [pending] in handler(pending.value) }
        return observation
    }
    func refresh() {
        calls.withLock { $0.append("refresh") }
        list.refresh()
    }
    func loadNew() { calls.withLock { $0.append("loadNew") } }
    func prefetchDetails(_ posts: [Int64]) { calls.withLock { $0.append("prefetch \(posts)") } }

    func profileList(of user: Int64) -> PaginatorList<Post, Int64> {
        var config = PaginatorListConfig()
        config.scope = "\(user)"
        return PaginatorList(pages, config: config)
    }

    func detailList(of post: Int64) -> PaginatorList<PostDetail, Int64> {
        var config = PaginatorListConfig()
        config.pageSize = 1
        config.initialKey = "\(post)"
        config.prefetchDistance = 0
        return PaginatorList(single, config: config)
    }

    private func reach() throws(APIError) {
        if isBroken.withLock({ $0 }) { throw APIError(.unreachable) }
    }

    func detail(_ post: Int64) async throws(APIError) -> PostDetail {
        try reach()
        guard let detail = details.withLock({ $0[post] }) else { throw APIError(.status, status: 404) }
        return detail
    }

    func edit(_ post: Int64, content: String, baseVersion: Int) async throws(APIError) -> PostDetail {
        var detail = try await detail(post)
        if let refusal = editRefusal.withLock({ $0 }) { throw refusal }
        guard detail.version == baseVersion else { throw APIError(.status, status: 409) }
        (detail.version, detail.content) = (detail.version + 1, content)
        details.withLock { $0[post] = detail }
        return detail
    }

    func delete(_ post: Int64) async throws {
        try reach()
        details.withLock { _ = $0.removeValue(forKey: post) }
    }

    func postIsGone(_ post: Int64) async throws { calls.withLock { $0.append("gone \(post)") } }

    func scheduled() async throws(APIError) -> [ScheduledPost] {
        try reach()
        let posts = later.withLock { $0 }
        let meanwhile = beforeAnswer.withLock { action in
            defer { action = nil }
            return action
        }
        await meanwhile?()
        try reach()
        return posts
    }

    func cancelScheduled(_ post: Int64) async throws(APIError) {
        try reach()
        let isThere = later.withLock { later in
            defer { later.removeAll { $0.id == post } }
            return later.contains { $0.id == post }
        }
        if !isThere { throw APIError(.status, status: 404) }
    }
}

/// Lays what is done over the posts, as the outbox does.
final class InteractionsDouble: InteractionRepository {
    struct Written: Equatable {
        var posts: [String] = []
        var files = 0
        var comments: [String] = []
    }

    let comments: CallbackPaginator<Comment>
    let written = Guarded(Written())
    /// Whether the disk takes nothing more.
    let isFull = Guarded(false)
    /// What happens while the next post is being kept.
    let whilePublishing = Guarded<(@MainActor @Sendable () async throws -> Void)?>(nil)
    private let posts: PostsDouble
    private let drafts: DraftsDouble
    private let done = Guarded(Done())

    private struct Done {
        var count = 0
        var actions: [Int64: [InteractionAction]] = [:]
        var shareCounts: [Int64: Int] = [:]
        var requests = 0
    }

    private func nextNumber() -> Int {
        done.withLock { done in
            done.requests += 1
            return done.requests
        }
    }

    /// - Parameter posts: of which each has 25 comments, and each comment two replies.
    init(_ posts: PostsDouble, _ drafts: DraftsDouble) {
        self.posts = posts
        self.drafts = drafts
        comments = CallbackPaginator(
            dataSource: ClosureDataSource<Comment>(firstKey: "0") { request, completion in
                let numbers = request.scope.split(separator: "/").compactMap { Int64($0) }
                let (post, parent) = (numbers[0], numbers.dropFirst().first)
                let all = (1...(parent == nil ? 25 : 2)).map { number in
                    Comment(
                        id: Int64(number) + 100 * (parent ?? 0), postID: post,
                        author: Author(id: 2, name: "Bob", imagePath: ""),
                        content: "\(number)", createdAt: Date(), parentID: parent)
                }
                let start = Int(request.key) ?? 0
                let end = min(start + request.pageSize, all.count)
                completion(
                    .success(
                        PaginatorPage(
                            content: Array(all[start..<end]), key: request.key,
                            nextKey: end < all.count ? "\(end)" : nil)))
                return SourceCancellation {}
            })
    }

    func interact(_ action: InteractionAction, on post: Int64) async throws -> String {
        add(action, on: post, shareCount: nil)
    }
    func share(_ post: Int64, seeing count: Int) async throws -> String {
        add(.shared, on: post, shareCount: count + 1)
    }
    /// Adds to what was done before, in order, as rows of the outbox do.
    private func add(_ action: InteractionAction, on post: Int64, shareCount: Int?) -> String {
        let (number, actions, counts) = done.withLock { done in
            done.count += 1
            done.actions[post, default: []].append(action)
            if let shareCount { done.shareCounts[post] = shareCount }
            return (done.count, done.actions, done.shareCounts)
        }
        posts.pending.update { $0.interactions = PendingInteractions(actions, shareCounts: counts) }
        return "\(number)"
    }
    func resend(_ request: PostRequest) async throws {}
    func discard(_ request: PostRequest) async throws {
        posts.pending.update { $0.posts.removeAll { $0.id == request.id } }
    }
    func publish(_ content: String, attachments: [NewAttachment], at publishAt: Date?) async throws -> PostRequest {
        let meanwhile = whilePublishing.withLock { action in
            defer { action = nil }
            return action
        }
        try await meanwhile?()
        if isFull.withLock({ $0 }) { throw CocoaError(.fileWriteOutOfSpace) }
        let request = try PostRequest.make(content, at: publishAt, number: nextNumber())
        written.withLock { written in
            written.posts.append(content)
            written.files += attachments.count
        }
        posts.pending.update { $0.posts.append(request) }
        try await drafts.remove(of: DraftStore.newPost)
        return request
    }
    func comment(_ content: String, on post: Int64, replyingTo parent: Int64?) async throws -> CommentRequest {
        let scope = CommentScope(post: post, parent: parent).text
        written.withLock { $0.comments.append("\(scope): \(content)") }
        return .make(content, on: post, replyingTo: parent, number: nextNumber())
    }
    func resend(_ request: CommentRequest) async throws {
        written.withLock { $0.comments.append("again: \(request.content)") }
        try await discard(request)
    }
    func discard(_ request: CommentRequest) async throws {
        posts.pending.update { $0.failedComments.removeAll { $0.id == request.id } }
    }
    func showWaitingComments(on post: Int64) async throws {}
}

extension PostRequest {
    static func make(_ content: String, at publishAt: Date?, number: Int = 1) throws -> PostRequest {
        try PostRequest(
            Row([
                "id": number, "requestId": "\(content) \(number)", "content": content, "attachments": "[]",
                "state": "pending",
                "attempts": 0,
                "createdAt": Date(), "nextAttempt": nil, "publishAt": publishAt,
            ]))
    }
}

extension CommentRequest {
    static func make(
        _ content: String, on post: Int64, replyingTo parent: Int64? = nil, number: Int = 1
    ) -> CommentRequest {
        CommentRequest(
            Row([
                "id": number, "requestId": "\(content) \(number)", "postId": post, "parentId": parent,
                "content": content,
                "failureCount": 0,
                "createdAt": Date(),
            ]))
    }
}

final class DraftsDouble: DraftRepository {
    let kept = Guarded<[Int64: Draft]>([:])

    private func change(_ post: Int64, _ change: @Sendable (Draft) -> Draft?) {
        kept.withLock { kept in if let old = kept[post] { kept[post] = change(old) } }
    }

    func draft(of post: Int64) async throws -> Draft? { kept.withLock { $0[post] } }

    func save(_ content: String, of post: Int64, baseVersion: Int) async throws {
        kept.withLock { kept in
            let old = kept[post]
            kept[post] = Draft(
                postID: post, content: content, baseVersion: old?.baseVersion ?? baseVersion,
                serverContent: old?.serverContent, serverVersion: old?.serverVersion)
        }
    }

    func setConflict(of post: Int64, with content: String, version: Int) async throws {
        change(post) { old in
            Draft(
                postID: post, content: old.content, baseVersion: old.baseVersion, serverContent: content,
                serverVersion: version)
        }
    }

    func keepMine(of post: Int64) async throws {
        change(post) { old in
            guard let version = old.serverVersion else { return old }
            return Draft(
                postID: post, content: old.content, baseVersion: version, serverContent: nil, serverVersion: nil)
        }
    }

    func saved(_ draft: Draft, version: Int) async throws {
        change(draft.postID) { old in
            if old.content == draft.content { return nil }
            return Draft(
                postID: old.postID, content: old.content, baseVersion: version, serverContent: old.serverContent,
                serverVersion: old.serverVersion)
        }
    }

    func remove(of post: Int64) async throws { kept.withLock { _ = $0.removeValue(forKey: post) } }
}
