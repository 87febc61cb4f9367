import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// A paginator that follows server-sent events over real connections.
struct FollowedEventTests {
    private struct Broken: Error {}

    private struct Seen: Sendable {
        var changes: [String] = []
        var ids: [String] = []
        var ends: [PaginatorError.Code?] = []
        var underlying: [HTTPSourceError.Code?] = []
    }

    private static func stream(_ events: String, _ more: WireStep...) -> [WireStep] {
        [.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/event-stream\r\n\r\n\(events)")] + more
    }

    /// Follows what a server sends until it is over, and tells what was applied.
    private func follow(
        from lastEventID: String? = nil, options: HTTPSourceOptions = HTTPSourceOptions(),
        _ handler: @escaping LoopbackServer.Handler
    ) async throws -> (seen: Seen, requests: [WireRequest]) {
        let server = try LoopbackServer(handler)
        let clock = ManualPaginatorClock()
        var config = DefaultPaginatorConfig()
        config.clock = clock
        config.randomSeed = 1
        let paginator = CallbackPaginator(dataSource: ArrayDataSource([1]), config: config)
        let source = PushSource<String>.serverSentEvents(HTTPEndpoint(server.url), options: options) { name, data in
            switch name {
            case "message": return .change(data)
            case "reset": return .missed
            case "broken": throw Broken()
            default: return nil
            }
        }
        let seen = Handshake(Seen())
        paginator.follow(
            source, from: lastEventID, onApplied: { id in seen.update { $0.ids.append(id) } },
            onEnd: { error in
                seen.update {
                    $0.ends.append(error?.code)
                    $0.underlying.append((error?.underlying as? HTTPSourceError)?.code)
                }
            }, apply: { change in seen.update { $0.changes.append(change) } })
        // However often it waits for its next attempt.
        let time = Task {
            while true {
                try await clock.waitForTimer()
                clock.advance(by: .seconds(61))
            }
        }
        defer { time.cancel() }
        try await seen.wait { !$0.ends.isEmpty }
        return (seen.read { $0 }, server.requests)
    }

    @Test func `a connection that is cut goes on behind the last event, and nothing is applied twice`() async throws {
        let (seen, requests) = try await follow { request in
            switch request.headers["last-event-id"] {
            case nil:
                Self.stream(
                    "retry: 10\nid: 1\ndata: one\n\nid: 2\ndata: two\n\ndata: same id\n\nid: 3\ndata: cut", .close)
            case "2": Self.stream("id: 1\ndata: one\n\nid: 2\ndata: two\n\nid: 3\ndata: three\n\nid: 9\n\n", .close)
            default: LoopbackServer.reply("", status: 204)
            }
        }
        #expect(seen.changes == ["one", "two", "same id", "three"])
        #expect(seen.ids == ["1", "2", "3"])
        #expect(seen.ends == [nil])
        #expect(requests.map { $0.headers["last-event-id"] } == [nil, "2", "9"])
    }

    @Test func `credentials go with each connection, and passing failures are tried again`() async throws {
        let token = Handshake(0)
        let failures = Handshake(0)
        var options = HTTPSourceOptions()
        options.authentication = .bearer {
            String(token.read { $0 })
        } refresh: {
            token.update { $0 = 1 }
        }
        let (seen, requests) = try await follow(options: options) { request in
            guard request.headers["authorization"] == "Bearer 1" else { return LoopbackServer.reply("", status: 401) }
            let failure = failures.update { failures in
                failures += 1
                return failures
            }
            if failure < 3 { return LoopbackServer.reply("", status: 503) }
            return request.headers["last-event-id"] == nil
                ? Self.stream("id: 1\ndata: one\n\n", .close) : LoopbackServer.reply("", status: 204)
        }
        #expect(seen.changes == ["one"])
        #expect(requests.count == 5)
        #expect(seen.ends == [nil])
    }

    @Test func `a server that no longer knows the event is asked for what happens from now on`() async throws {
        let (seen, requests) = try await follow(from: "old") { request in
            switch request.headers["last-event-id"] {
            case "old": LoopbackServer.reply("", status: 410)
            case nil: Self.stream("id: 7\ndata: seven\n\n", .close)
            default: LoopbackServer.reply("", status: 204)
            }
        }
        #expect(seen.changes == ["seven"])
        #expect(requests.map { $0.headers["last-event-id"] } == ["old", nil, "7"])
    }

    @Test func `what cannot be read, or is refused, ends it with the reason`() async throws {
        let broken = try await follow { _ in
            Self.stream("event: other\ndata: 1\n\nevent: broken\ndata: 1\n\n", .hold("never"))
        }
        #expect(broken.seen.ends == [.sourceFailed])
        #expect(broken.requests.count == 1)
        let refused = try await follow { _ in LoopbackServer.reply("", status: 403) }
        #expect(refused.seen.ends == [.sourceFailed])
        #expect(refused.seen.underlying == [.status])
        let other = try await follow { _ in LoopbackServer.reply("{}") }
        #expect(other.seen.underlying == [.wrongType])
    }
}
