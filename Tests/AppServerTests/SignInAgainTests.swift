import AppFoundation
import ExampleBackend
import FeedClient
import Foundation
import TestFolders
import Testing

@testable import FeedChatExample

/// What the app does after its user has signed in again.
@MainActor @Suite(.timeLimit(.minutes(1))) struct SignInAgainTests {
    @Test func `the feed follows the server again, and contacts are requested again`() async throws {
        var configuration = BackendConfiguration()
        configuration.corpusSize = 5
        let server = try BackendServer(configuration)
        let url = try await server.start()
        let folder = TemporaryFolder()
        let model = try await AppModel(user: "Ada", folder: folder.url, baseURL: url)
        let chats = await ChatsPage(model, changed: {})
        let feed = FeedStateHolder(model.feed)
        feed.start()
        let id = try await feed.first { !$0.items.isEmpty }.items[0].id
        try await server.faults.waitForRequests(1, "GET", "/v1/contacts")
        try await server.faults.waitForRequests(1, "GET", "/v1/feed/events")
        let token = model.feed.user.token
        _ = try await APIClient(baseURL: url) { token }.send(APIRequest("DELETE", "/v1/session"))
        _ = try await feed.first { $0.isSignedOut }
        let requests = server.faults.count("GET", "/v1/contacts")
        try await model.signInAgain()
        try await server.faults.waitForRequests(requests + 1, "GET", "/v1/contacts")
        try server.feed.edit(id, content: "<p>after</p>")
        _ = try await feed.first { $0.items.first?.text == "after" }
        withExtendedLifetime(chats) {}
        try await model.close()
        await server.stop()
    }
}
