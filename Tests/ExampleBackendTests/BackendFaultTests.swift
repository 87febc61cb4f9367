import Foundation
import TestFolders
import Testing

@testable import ExampleBackend

@Suite(.timeLimit(.minutes(3))) struct BackendFaultTests {
    @Test func `a lost answer is carried out, a lost request is not`() async throws {
        let client = try await LoopbackClient.signedIn()
        let id = try await client.firstPostID()
        let user = try client.server.accounts.user(named: "Test")
        let path = "/v1/posts/\(id)/interactions"
        client.server.faults.plan([.lostRequest], "POST", path)
        await #expect(throws: (any Error).self) {
            try await client.ask("POST", path, ["requestId": "a", "type": "LIKED"])
        }
        #expect(try client.server.feed.interactions(of: user).isEmpty)
        client.server.faults.plan([.lostAnswer], "POST", path)
        await #expect(throws: (any Error).self) {
            try await client.ask("POST", path, ["requestId": "a", "type": "LIKED"])
        }
        #expect(try client.server.feed.interactions(of: user).map(\.requestId) == ["a"])
        await client.server.stop()
    }

    @Test func `the switches themselves are not slowed down`() async throws {
        let faults = BackendFaults(seed: 1)
        var weather = BackendFaults.Weather()
        weather.latency = 30_000
        faults.set(weather)
        let began = ContinuousClock.now
        #expect(await faults.admit(method: "PUT", path: "/control/faults") == nil)
        #expect(ContinuousClock.now - began < .seconds(20))
    }

    @Test func `of the requests of a long run, the last are remembered`() async throws {
        let faults = BackendFaults(seed: 1, arrivalLimit: 10)
        for number in 0..<95 { _ = await faults.admit(method: "GET", path: "/\(number)") }
        #expect((10..<20).contains(faults.arrivals.count))
        #expect(faults.arrivals.map(\.path) == (95 - faults.arrivals.count..<95).map { "/\($0)" })
    }

    @Test func `a planned status comes once, with its Retry-After`() async throws {
        let client = try await LoopbackClient.signedIn()
        client.server.faults.plan([.status(503, retryAfter: 7)], "GET", "/v1/feed")
        let failed = try await client.ask("GET", "/v1/feed")
        #expect(failed.status == 503)
        #expect(failed.headers["retry-after"] == "7")
        #expect(try await client.ask("GET", "/v1/feed").status == 200)
        #expect(client.server.faults.count("GET", "/v1/feed") == 2)
        await client.server.stop()
    }

    @Test func `a stalled request is answered when the backend is healed`() async throws {
        let client = try await LoopbackClient.signedIn()
        client.server.faults.plan([.stall], "GET", "/v1/config")
        async let answer = client.ask("GET", "/v1/config").status
        try await client.server.faults.waitForRequests(1, "GET", "/v1/config")
        #expect(try await client.ask("GET", "/v1/feed").status == 200)
        client.server.faults.heal()
        #expect(try await answer == 200)
        await client.server.stop()
    }

    @Test func `a request that stalls is lost with the port, and does not hold it`() async throws {
        let client = try await LoopbackClient.signedIn()
        client.server.faults.plan([.stall], "GET", "/v1/feed")
        let answer = Task { _ = try await client.ask("GET", "/v1/feed") }
        try await client.server.faults.waitForRequests(1, "GET", "/v1/feed")
        await client.server.stop()
        await #expect(throws: (any Error).self) { try await answer.value }
    }

    @Test func `an outage refuses connections, and the same port and data come back`() async throws {
        let client = try await LoopbackClient.signedIn()
        let id = try await client.firstPostID()
        await client.server.stop()
        await #expect(throws: (any Error).self) { try await client.ask("GET", "/v1/feed") }
        #expect(try await client.server.start() == client.url)
        #expect(try await client.firstPostID() == id)
        await client.server.stop()
    }

    @Test func `a file keeps accounts and posts over a restart of the process`() async throws {
        let folder = TemporaryFolder()
        var configuration = BackendConfiguration()
        configuration.corpusSize = 3
        configuration.databasePath = folder.url.appending(path: "backend.sqlite").path
        let first = try BackendServer(configuration)
        var client = LoopbackClient(server: first, url: try await first.start())
        client.token = try await client.newToken("Ada")
        let id = try await client.firstPostID()
        await first.stop()
        let second = try BackendServer(configuration)
        var later = LoopbackClient(server: second, url: try await second.start())
        later.token = client.token
        #expect(try await later.firstPostID() == id)
        await second.stop()
    }
}
