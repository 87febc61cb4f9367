import AppFoundation
import ExampleBackend
import FeedClient
import Foundation
import GRDB
import Testing

/// A log-out that meets a failure.
@MainActor @Suite(.timeLimit(.minutes(1))) struct LogOutTests {
    @Test func `a log-out deletes the user's data although a store cannot be written`() async throws {
        let rig = try await FeedRig(posts: 5) { $0.flags["normalizedFeedStorage"] = true }
        let app = try await rig.signIn()
        _ = try await app.firstPost()
        try await app.posts.flush()
        let folder = app.session.folder(of: app.user)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(
            path: folder.appending(path: "feed-normalized.sqlite").path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
        await #expect(throws: (any Error).self) { try await app.posts.flush() }
        try await app.logOut()
        #expect(app.session.user == nil)
        for file in [folder, rig.root.appending(path: "session.json")] {
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
        try await other.writeWithoutTransaction { try $0.rollback() }
        try other.close()
        await rig.server.stop()
    }
}
