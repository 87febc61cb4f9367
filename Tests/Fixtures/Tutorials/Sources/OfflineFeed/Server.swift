import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server with 95 posts, the newest first. It answers `GET /posts?page=2&size=10` without a network.
actor Server {
    private var posts = (1...95).reversed().map { Post(id: $0, text: "post \($0)") }

    /// Adds a post.
    func publish() { posts.insert(Post(id: posts.count + 1, text: "post \(posts.count + 1)"), at: 0) }

    func answer(_ request: URLRequest) throws -> (Data, HTTPURLResponse) {
        guard let url = request.url else { throw URLError(.badURL) }
        let query = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        func number(_ name: String) -> Int { query.first { $0.name == name }.flatMap { Int($0.value ?? "") } ?? 1 }
        let page = posts.dropFirst((number("page") - 1) * number("size")).prefix(number("size"))
        guard let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        else { throw URLError(.badServerResponse) }
        return (try JSONEncoder().encode(Array(page)), response)
    }
}
