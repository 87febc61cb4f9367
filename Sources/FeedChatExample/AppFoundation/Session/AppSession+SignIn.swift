package import Foundation

extension AppSession {
    private struct Body: Encodable {
        let name: String
        let device: String
    }

    private struct Answer: Decodable {
        struct User: Decodable {
            let id: Int64
            let name: String
            let profileImageThumbnailUrl: String?
        }
        let token: String
        let user: User
    }

    /// Signs in at the backend, and then on the device; see ``signIn(_:)``.
    @concurrent
    package func signIn(_ name: String, at baseURL: URL) async throws {
        let client = APIClient(baseURL: baseURL) { nil }
        let answer = try await client.send("POST", "/v1/sessions", body: Body(name: name, device: device)).decoded(
            Answer.self)
        try await signIn(
            User(
                id: "\(answer.user.id)", name: answer.user.name, token: answer.token,
                imagePath: answer.user.profileImageThumbnailUrl))
    }

    /// Signs the user whose token was refused in again; waiting operations are sent.
    ///
    /// - Throws: ``SignInError``, in addition to the errors of a sign-in.
    @concurrent
    package func signInAgain(at baseURL: URL) async throws {
        guard let user else { throw SignInError.nobodyToSignIn }
        try await signIn(user.name, at: baseURL)
    }

    /// The reason why the sign-in failed.
    package enum SignInError: Error, Sendable {
        /// The user has logged out.
        case nobodyToSignIn
    }

    /// Signs out at the backend, and then on the device in any case; see ``signOut()``.
    ///
    /// - Parameter api: a client that has the session's token.
    @concurrent
    package func signOut(through api: APIClient) async throws {
        do {
            _ = try await api.send(APIRequest("DELETE", "/v1/session"))
        } catch {
            // Without a connection the token expires by itself; the data on the device must be removed in any case.
        }
        try await signOut()
    }
}
