package import AppFoundation
import Foundation

/// The remote data source: all calls of the backend except pages of posts.
package struct FeedAPI: Sendable {
    package let client: APIClient

    package init(_ client: APIClient) {
        self.client = client
    }

    func config(timeout: Duration = .seconds(20)) async throws(APIError) -> FeedConfig {
        try await client.get(FeedConfig.self, APIRequest("GET", "/v1/config", timeout: timeout))
    }

    /// Returns whether the backend answers, with any status.
    package func isReached() async -> Bool {
        do throws(APIError) {
            _ = try await client.send(APIRequest("GET", "/v1/health", timeout: .seconds(5)))
            return true
        } catch {
            return error.status != nil
        }
    }

    func detail(_ id: Int64) async throws(APIError) -> PostDetail {
        try await client.get(PostDetailAnswer.self, APIRequest("GET", "/v1/posts/\(id)")).model
    }

    func comments(
        of thread: CommentScope, after cursor: String?, limit: Int
    ) async throws(APIError) -> CommentsAnswer {
        let query: [(name: String, value: String?)] = [("after", cursor), ("limit", "\(limit)")]
        return try await client.get(CommentsAnswer.self, APIRequest("GET", thread.path, query: query))
    }

    func search(_ text: String, after cursor: String?, limit: Int) async throws(APIError) -> FeedApiResponse {
        let query: [(name: String, value: String?)] = [("q", text), ("after", cursor), ("limit", "\(limit)")]
        return try await client.get(FeedApiResponse.self, APIRequest("GET", "/v1/search", query: query))
    }

    private struct Interaction: Encodable {
        let requestId: String
        let type: String
    }

    func interact(_ action: InteractionAction, on post: Int64, requestID: String) async throws(APIError) -> PostCounters
    {
        let body = Interaction(requestId: requestID, type: action.rawValue)
        return try await client.send("POST", "/v1/posts/\(post)/interactions", body: body)
            .decoded(PostCountersAnswer.self).model
    }

    private struct Interactions: Encodable {
        struct OnPost: Encodable {
            let requestId: String
            let postId: Int64
            let type: String
        }

        let interactions: [OnPost]
    }

    /// Sends several interactions, in order, in one request.
    func interact(
        _ batch: [(action: InteractionAction, post: Int64, requestID: String)]
    ) async throws(APIError) -> InteractionsAnswer {
        let body = Interactions(
            interactions: batch.map {
                Interactions.OnPost(requestId: $0.requestID, postId: $0.post, type: $0.action.rawValue)
            })
        return try await client.send("POST", "/v1/interactions", body: body).decoded(InteractionsAnswer.self)
    }

    private struct NewComment: Encodable {
        let requestId: String
        let content: String
        let parentId: Int64?
    }

    func comment(_ request: CommentRequest) async throws(APIError) -> MadeComment {
        let body = NewComment(requestId: request.requestID, content: request.content, parentId: request.parentID)
        return try await client.send("POST", "/v1/posts/\(request.postID)/comments", body: body)
            .decoded(MadeCommentAnswer.self).model
    }

    private struct NewPost: Encodable {
        struct Attachment: Encodable {
            let type: String
            let contentUrl: String
            let caption: String?
        }

        let requestId: String
        let content: String
        let attachments: [Attachment]
        let publishAt: Date?
    }

    /// Creates a post.
    ///
    /// - Returns: the id that the server assigned, from `Location`; `nil` for a scheduled post.
    func publish(_ request: PostRequest) async throws(APIError) -> Int64? {
        let body = NewPost(
            requestId: request.requestID, content: request.content,
            attachments: request.attachments.map {
                NewPost.Attachment(type: $0.type, contentUrl: $0.contentPath ?? "", caption: $0.caption)
            }, publishAt: request.publishAt)
        let response = try await client.send("POST", "/v1/posts", body: body)
        if response.status == 202 { return nil }
        guard let id = response.headers["location"]?.split(separator: "/").last.flatMap({ Int64($0) }) else {
            throw APIError(.undecodable, status: response.status)
        }
        return id
    }

    /// Returns the user's scheduled posts, the next one first.
    func scheduled() async throws(APIError) -> [ScheduledPost] {
        try await client.get(ScheduledPostsAnswer.self, APIRequest("GET", "/v1/scheduled")).scheduled.map(\.model)
    }

    func cancelScheduled(_ id: Int64) async throws(APIError) {
        _ = try await client.send(APIRequest("DELETE", "/v1/scheduled/\(id)"))
    }

    func profile(of user: Int64) async throws(APIError) -> UserProfile {
        try await client.get(ProfileAnswer.self, APIRequest("GET", "/v1/users/\(user)/profile")).model
    }

    private struct ProfileEdit: Encodable {
        let about: String
        let baseVersion: Int
    }

    /// Changes the user's own profile.
    ///
    /// - Throws: ``APIError`` with status 409 if it has changed since that version.
    func setAbout(_ about: String, of user: Int64, baseVersion: Int) async throws(APIError) -> UserProfile {
        let body = ProfileEdit(about: about, baseVersion: baseVersion)
        return try await client.send("PUT", "/v1/users/\(user)/profile", body: body).decoded(ProfileAnswer.self).model
    }

    private struct Edit: Encodable {
        let content: String
        let baseVersion: Int
    }

    /// Changes a post.
    ///
    /// - Throws: ``APIError`` with status 409 if the post has changed since that version.
    func edit(_ id: Int64, content: String, baseVersion: Int) async throws(APIError) -> PostDetail {
        try await client.send("PUT", "/v1/posts/\(id)", body: Edit(content: content, baseVersion: baseVersion))
            .decoded(PostDetailAnswer.self).model
    }

    func delete(_ id: Int64) async throws(APIError) {
        _ = try await client.send(APIRequest("DELETE", "/v1/posts/\(id)"))
    }
}
