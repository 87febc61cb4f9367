package import AppFoundation
import Foundation

/// The remote data source: every call of the backend that is not a page of posts.
package struct FeedAPI: Sendable {
    package let client: APIClient

    package init(_ client: APIClient) {
        self.client = client
    }

    package func config() async throws -> FeedConfig {
        try await client.get(FeedConfig.self, APIRequest("GET", "/v1/config"))
    }

    func detail(_ id: Int64) async throws(APIError) -> PostDetail {
        try await client.get(PostDetailAnswer.self, APIRequest("GET", "/v1/posts/\(id)")).model
    }

    func comments(on post: String, after cursor: String?, limit: Int) async throws(APIError) -> CommentsAnswer {
        let query: [(name: String, value: String?)] = [("after", cursor), ("limit", "\(limit)")]
        return try await client.get(CommentsAnswer.self, APIRequest("GET", "/v1/posts/\(post)/comments", query: query))
    }

    func search(_ text: String) async throws(APIError) -> [Post] {
        let request = APIRequest("GET", "/v1/search", query: [("q", text), ("limit", "20")])
        return try await client.get(FeedApiResponse.self, request).feed.map(\.model)
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

    private struct NewComment: Encodable {
        let requestId: String
        let content: String
    }

    func comment(_ content: String, on post: Int64, requestID: String) async throws(APIError) -> Comment {
        let body = NewComment(requestId: requestID, content: content)
        return try await client.send("POST", "/v1/posts/\(post)/comments", body: body).decoded(CommentAnswer.self).model
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
    }

    /// Makes a post.
    ///
    /// - Returns: the id that the server gave it, out of `Location`.
    func publish(_ request: PostRequest) async throws(APIError) -> Int64 {
        let body = NewPost(
            requestId: request.requestID, content: request.content,
            attachments: request.attachments.map {
                NewPost.Attachment(type: $0.type, contentUrl: $0.contentPath ?? "", caption: $0.caption)
            })
        let response = try await client.send("POST", "/v1/posts", body: body)
        guard let id = response.headers["location"]?.split(separator: "/").last.flatMap({ Int64($0) }) else {
            throw APIError(.undecodable, status: response.status)
        }
        return id
    }

    private struct Edit: Encodable {
        let content: String
        let baseVersion: Int
    }

    /// Changes a post.
    ///
    /// - Throws: ``APIError`` with status 409 when the post was changed since that version.
    func edit(_ id: Int64, content: String, baseVersion: Int) async throws(APIError) -> PostDetail {
        try await client.send("PUT", "/v1/posts/\(id)", body: Edit(content: content, baseVersion: baseVersion))
            .decoded(PostDetailAnswer.self).model
    }

    func delete(_ id: Int64) async throws(APIError) {
        _ = try await client.send(APIRequest("DELETE", "/v1/posts/\(id)"))
    }
}
