import AppFoundation
import ExampleBackend
import FeedClient
import Foundation
import PaginatorCore
import TestFolders

/// A backend on loopback and a folder for a client of it.
struct FeedRig {
    let server: BackendServer
    let url: URL
    let folder = TemporaryFolder()
    let environment = AppEnvironment()
    /// The connection is there when a test says so.
    var options: FeedOptions = {
        var options = FeedOptions()
        options.watchesConnection = false
        return options
    }()

    var root: URL { folder.url }

    init(posts: Int = 95, _ change: (inout ClientConfigAnswer) -> Void = { _ in }) async throws {
        var configuration = BackendConfiguration()
        configuration.corpusSize = posts
        configuration.clientConfig.retry.backoffBaseMilliseconds = 5
        configuration.clientConfig.retry.backoffCapMilliseconds = 20
        change(&configuration.clientConfig)
        server = try BackendServer(configuration)
        url = try await server.start()
    }

    func signIn(_ name: String = "Ada") async throws -> FeedApp {
        try await FeedApp.signIn(name, at: url, root: root, environment: environment, options: options)
    }

    /// The same user on another device.
    func signInElsewhere(_ name: String = "Ada") async throws -> FeedApp {
        try await FeedApp.signIn(name, at: url, root: root.appending(path: "elsewhere"), options: options)
    }

    /// As after the end of the process: everything is opened again from disk.
    func reopen() async throws -> FeedApp {
        guard let app = try await FeedApp.open(root: root, at: url, environment: environment, options: options) else {
            throw FeedAppError.notSignedIn
        }
        return app
    }

    func user(_ name: String = "Ada") throws -> BackendUser { try server.accounts.user(named: name) }

    func goOffline() async { await update { $0.link = .none } }
    func goOnline() async { await update { $0.link = .good } }

    /// Changes the state of the device, and returns when everybody who follows it was told.
    func update(_ change: @escaping @Sendable (inout AppEnvironment.State) -> Void) async {
        let (told, continuation) = AsyncStream<Void>.makeStream()
        let observation = environment.observeState { _ in continuation.finish() }
        environment.update(change)
        for await _ in told {}
        withExtendedLifetime(observation) {}
    }

    func end(_ apps: FeedApp...) async throws {
        for app in apps { try await app.close() }
        await server.stop()
    }
}

extension FeedApp {
    /// Waits until nothing waits in the outbox.
    func drained() async throws {
        while try await interactions.waitingCount() > 0 { try await nextTurn() }
    }
}

/// Lets others go on; throws when the test has run out of time, so that no wait is endless.
func nextTurn() async throws {
    try Task.checkCancellation()
    await Task.yield()
}
