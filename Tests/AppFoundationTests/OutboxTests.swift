import AppFoundation
import Foundation
import GRDB
import PaginatorCore
import PaginatorTesting
import TestFolders
import Testing

/// The whole outbox over a real database.
@Suite(.timeLimit(.minutes(3))) struct OutboxTests {
    private let folder: TemporaryFolder
    private let clock = ManualPaginatorClock()
    private let likes: PendingLikes
    /// What the outbox made last has counted.
    private let statistics = Handshake(OutboxStatistics())

    init() async throws {
        folder = TemporaryFolder()
        let file = folder.url.appendingPathComponent("app.sqlite")
        likes = PendingLikes(try await AppDatabase.open(file, PendingLikes.migrations))
    }

    /// With a gate closed, nothing is sent before the drain that counts it.
    private func outbox(_ gates: OutboxGates = [], _ change: (inout OutboxPolicy) -> Void = { _ in }) -> Outbox {
        var policy = OutboxPolicy()
        change(&policy)
        return Outbox([.init(likes, policy: policy)], clock: clock, closedGates: gates, seed: 1) { [statistics] now in
            statistics.update { $0 = now }
        }
    }

    @Test func `what is pending is sent in order and recorded`() async throws {
        try await likes.add("a", "b", "a", "a")
        let drain = await outbox(.background).drainOnce()
        #expect(drain == OutboxDrain(sent: 4, cancelled: 0, isComplete: true))
        #expect(try await likes.rows().isEmpty)
        #expect(try await likes.likes(of: "a") == 3)
        let effects = likes.server.read(\.effects)
        #expect(effects.filter { $0 != "like-2" } == ["like-1", "like-3", "like-4"])
    }

    @Test func `a row that was in flight at a kill is sent again with its id`() async throws {
        try await likes.add("a")
        likes.server.update { $0.stalls = ["like-1"] }
        let first = outbox()
        try await likes.server.wait { $0.calls.count == 1 }
        await first.shutDown()
        likes.server.update { $0.stalls = [] }
        _ = await outbox(.background).drainOnce()
        #expect(likes.server.read(\.calls) == ["like-1", "like-1"])
        #expect(try await likes.likes(of: "a") == 1)
    }

    @Test func `a failure is counted in the row and the next start heeds its time`() async throws {
        try await likes.add("a")
        likes.server.update { $0.failures = ["like-1": [.init(.retry, reason: "503", statedDelay: .seconds(20))]] }
        let drain = await outbox(.background).drainOnce()
        #expect(!drain.isComplete)
        #expect(try await likes.rows() == ["a pending 1"])
        let second = outbox()
        #expect(await second.drainOnce().sent == 0)
        clock.advance(by: .seconds(20))
        try await statistics.wait { $0.sent == 1 }
    }

    @Test func `a row is due though its date was rounded up on its way through the table`() async throws {
        try await likes.add("a", "b")
        let now = clock.wallTime.timeIntervalSince1970
        try await likes.database.write { database in
            try database.execute(sql: "UPDATE Likes SET due = ? WHERE post = 'a'", arguments: [now.nextUp])
            try database.execute(sql: "UPDATE Likes SET due = ? WHERE post = 'b'", arguments: [now + 0.002])
        }
        let drain = await outbox(.background).drainOnce()
        #expect(drain == OutboxDrain(sent: 1, cancelled: 0, isComplete: false))
        #expect(try await likes.rows() == ["b pending 0"])
    }

    @Test func `the limit cancels in the table`() async throws {
        try await likes.add("a", "a")
        likes.server.update { $0.failures = ["like-1": [.server]] }
        let drain = await outbox(.background) { $0.attemptLimit = 1 }.drainOnce()
        #expect(drain == OutboxDrain(sent: 1, cancelled: 1, isComplete: true))
        #expect(try await likes.rows() == ["a canceled 0"])
    }

    @Test func `an attempt ends at its time out`() async throws {
        try await likes.add("a")
        likes.server.update { $0.stalls = ["like-1"] }
        let outbox = outbox()
        try await likes.server.wait { $0.calls.count == 1 }
        likes.server.update { $0.stalls = [] }
        clock.advance(by: .seconds(30))
        try await statistics.wait { $0.failed == 1 }
        clock.advance(by: .seconds(60))
        try await statistics.wait { $0.sent == 1 }
        await outbox.shutDown()
        #expect(try await likes.likes(of: "a") == 1)
    }

    @Test func `it follows the device`() async throws {
        let environment = AppEnvironment(.init(link: .none))
        let outbox = outbox(.offline)
        outbox.follow(environment)
        try await likes.add("a")
        #expect(await outbox.drainOnce().sent == 0)
        environment.update { $0.link = .good }
        try await statistics.wait { $0.sent == 1 }
        environment.update { $0.lifecycle = .background }
        try await likes.add("b")
        outbox.changed("likes")
        #expect(await outbox.drainOnce().sent == 1)
    }

    @Test func `a drain that is cancelled returns and keeps the row`() async throws {
        try await likes.add("a")
        likes.server.update { $0.stalls = ["like-1"] }
        let outbox = outbox(.background)
        let drain = Task { await outbox.drainOnce() }
        try await likes.server.wait { $0.calls.count == 1 }
        drain.cancel()
        #expect(await drain.value.sent == 0)
        await outbox.shutDown()
        #expect(try await likes.rows() == ["a pending 0"])
        #expect(await outbox.drainOnce() == OutboxDrain(sent: 0, cancelled: 0, isComplete: false))
    }

    @Test func `a refused token waits for the next sign in`() async throws {
        try await likes.add("a")
        likes.server.update { $0.failures = ["like-1": [.token]] }
        let outbox = outbox()
        #expect(await outbox.drainOnce().sent == 0)
        #expect(try await likes.rows() == ["a pending 0"])
        for isClosed in [true, false] { outbox.setGates(.signedOut, closed: isClosed) }
        try await statistics.wait { $0.sent == 1 }
    }

    @Test func `the query reads heads of lanes oldest first`() async throws {
        try await likes.add("b", "a", "b", "c")
        let lanes = try await likes.lanes(excluding: ["c"], limit: 2, batchLimit: 5)
        #expect(lanes.map(\.name) == ["b", "a"])
        #expect(lanes.map { $0.operations.map(\.rowid) } == [[1, 3], [2]])
        #expect(try await likes.lanes(excluding: [], limit: 1, batchLimit: 1).map { $0.operations.count } == [1])
    }
}
