import ExampleBackend
import FeedClient
import Testing

/// What a start waits for, and what it does not.
@MainActor @Suite(.timeLimit(.minutes(1))) struct FeedStartTests {
    private func leaveFeedOnDisk(_ rig: FeedRig) async throws {
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        while try await app.feedMetadata().lastRefreshed == nil { try await nextTurn() }
        try await app.posts.flush()
        try await app.close()
    }

    @Test func `cached posts show while the backend does not say what its limits are`() async throws {
        let rig = try await FeedRig()
        try await leaveFeedOnDisk(rig)
        let asked = rig.server.faults.count("GET", "/v1/config")
        rig.server.faults.plan([.stall], "GET", "/v1/config")
        let app = try await rig.reopen()
        let feed = FeedStateHolder(app)
        feed.start()
        #expect(try await feed.first { !$0.items.isEmpty }.items.count >= 30)
        try await rig.server.faults.waitForRequests(asked + 1, "GET", "/v1/config")
        rig.server.faults.heal()
        try await rig.end(app)
    }

    @Test func `limits that changed count from the next start`() async throws {
        let rig = try await FeedRig()
        try await leaveFeedOnDisk(rig)
        rig.server.feed.setClientConfig { $0.pageSize = 12 }
        let second = try await rig.reopen()
        #expect(second.config.pageSize == 30)
        while try await second.metadata.value(FeedConfig.self, named: "config")?.pageSize != 12 { try await nextTurn() }
        try await second.close()
        let third = try await rig.reopen()
        #expect(third.config.pageSize == 12 && third.posts.pageSize == 12)
        try await rig.end(third)
    }

    @Test func `limits that were not reached at the start are asked for when the connection comes`() async throws {
        let rig = try await FeedRig()
        try await leaveFeedOnDisk(rig)
        await rig.goOffline()
        let asked = rig.server.faults.count("GET", "/v1/config")
        let app = try await rig.reopen()
        #expect(rig.server.faults.count("GET", "/v1/config") == asked)
        await rig.goOnline()
        try await rig.server.faults.waitForRequests(asked + 1, "GET", "/v1/config")
        try await rig.end(app)
    }
}
