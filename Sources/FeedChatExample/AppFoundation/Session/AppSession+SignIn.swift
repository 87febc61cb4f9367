package import Foundation

extension AppSession {
    private struct Body: Encodable {
        let name: String
    }

    private struct Answer: Decodable {
        struct User: Decodable {
            let id: Int64
            let name: String
        }
        let token: String
        let user: User
    }

    /// Signs in at the backend, and then on the device; see ``signIn(_:)``.
    @concurrent
    package func signIn(_ name: String, at baseURL: URL) async throws {
        let client = APIClient(baseURL: baseURL) { nil }
        let answer = try await client.send("POST", "/v1/sessions", body: Body(name: name)).decoded(Answer.self)
        try await signIn(User(id: "\(answer.user.id)", name: answer.user.name, token: answer.token))
    }
}
