import Foundation
import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
        clock: ManualPaginatorClock = ManualPaginatorClock(),
        _ handler: @escaping LoopbackServer.Handler
    ) async throws -> (seen: Seen, requests: [WireRequest]) {
        let server = try LoopbackServer(handler)
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
        #expect(seen.ids == ["", "1", "2", "3", "9"])
        #expect(seen.ends == [nil])
        #expect(requests.map { $0.headers["last-event-id"] } == [nil, "2", "9"])
    }

    @Test func `events in a row may share an id, and the first of them is skipped when it comes again`() async throws {
        let (seen, requests) = try await follow { request in
            switch request.headers["last-event-id"] {
            case nil: Self.stream("id: 7\ndata: one\n\nid: 7\ndata: two\n\n", .close)
            case "7":
                Self.stream(
                    "id: 7\ndata: one\n\nid: 7\ndata: two\n\nid: 8\nevent: other\ndata: 0\n\nid: 8\ndata: three\n\n",
                    .close)
            default: LoopbackServer.reply("", status: 204)
            }
        }
        // At least once: only the first tells that it is a repeat.
        #expect(seen.changes == ["one", "two", "two", "three"])
        #expect(requests.map { $0.headers["last-event-id"] } == [nil, "7", "8"])
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

    @Test func `a stream outlives a refresh without a connection, but not one that is refused`() async throws {
        let token = Handshake(0)
        let failures = Handshake<[any Error]>([])
        var options = HTTPSourceOptions()
        options.authentication = .bearer {
            String(token.read { $0 })
        } refresh: {
            if let failure = failures.update({ $0.popLast() }) { throw failure }
            token.update { $0 = 1 }
        }
        let handler: LoopbackServer.Handler = { request in
            guard request.headers["authorization"] == "Bearer 1" else { return LoopbackServer.reply("", status: 401) }
            return request.headers["last-event-id"] == nil
                ? Self.stream("id: 1\ndata: one\n\n", .close) : LoopbackServer.reply("", status: 204)
        }
        failures.update { $0 = [URLError(.networkConnectionLost), URLError(.serverCertificateUntrusted)] }
        let outlived = try await follow(options: options, handler).seen
        #expect(outlived.changes == ["one"])
        #expect(outlived.ends == [nil])
        token.update { $0 = 0 }
        failures.update { $0 = [URLError(.userAuthenticationRequired)] }
        let refused = try await follow(options: options, handler).seen
        #expect(refused.ends == [.sourceFailed])
        #expect(refused.underlying == [.authenticationFailed])
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
    }

    @Test func `what stands in the way for a while is waited out, unless the app decides otherwise`() async throws {
        let portal = LoopbackServer.reply("<html>", headers: ["Content-Type": "text/html"])
        let count = Handshake(0)
        let clock = ManualPaginatorClock()
        let (seen, requests) = try await follow(clock: clock) { _ in
            switch count.update({
                $0 += 1; return $0
            }) {
            case 1: portal
            case 2: LoopbackServer.reply("", status: 404)
            case 3: Self.stream("id: 1\ndata: one\n\n", .close)
            default: LoopbackServer.reply("", status: 204)
            }
        }
        #expect(seen.changes == ["one"])
        #expect(seen.ends == [nil])
        #expect(requests.count == 4)
        #expect(clock.now >= .zero.advanced(by: .minutes(2)))
        var options = HTTPSourceOptions()
        options.decide = { error, _ in error.code == .wrongType ? .fatal(error) : nil }
        let other = try await follow(options: options) { _ in portal }
        #expect(other.seen.underlying == [.wrongType])
    }

    @Test(
        arguments: [(200, [:], 60), (404, [:], 60), (404, ["Retry-After": "30"], 60), (404, ["Retry-After": "90"], 90)]
            as [(Int, [String: String], Int)])
    func `what stands in the way for a while is tried again after a minute, or later if the server says so`(
        _ status: Int, _ headers: [String: String], _ seconds: Int
    ) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("{}", status: status, headers: headers) }
        let source = PushSource<String>.serverSentEvents(HTTPEndpoint(server.url)) { _, data in .change(data) }
        let ends = Handshake<[SourceError?]>([])
        let connection = source.connect(nil) { event in
            if case .closed(let error) = event { ends.update { $0.append(error) } }
        }
        defer { connection.cancel() }
        try await ends.wait { !$0.isEmpty }
        let end = try #require(ends.read { $0.first ?? nil })
        #expect(end.isRetryable && end.statedDelay == .seconds(seconds))
    }

    @Test func `a server is left alone for as long as it asks for`() async throws {
        let clock = ManualPaginatorClock()
        let times = Handshake<[PaginatorInstant]>([])
        let (_, requests) = try await follow(clock: clock) { _ in
            let count = times.update { times in
                times.append(clock.now)
                return times.count
            }
            return switch count {
            case 1: Self.stream("retry: 300000\nid: 1\ndata: one\n\n", .close)
            case 2: LoopbackServer.reply("", status: 503, headers: ["Retry-After": "900"])
            // A number that nobody means.
            case 3: Self.stream("retry: 9223372036854775807\ndata: two\n\n", .close)
            default: LoopbackServer.reply("", status: 204)
            }
        }
        #expect(requests.count == 4)
        let seen = times.read { $0 }
        let waits = zip(seen, seen.dropFirst()).map { $0.duration(to: $1) }
        for (wait, asked) in zip(waits, [Duration.minutes(5), .minutes(15), .hours(1)]) {
            #expect(wait >= asked && wait <= asked + .minutes(5))
        }
    }

    @Test func `a silent connection is kept for minutes, and is not kept for ever`() async throws {
        let server = try LoopbackServer { _ in
            Self.stream("", .hold("news"), .send("data: one\n\n"), .hold("never"))
        }
        let clock = ManualPaginatorClock()
        var options = HTTPSourceOptions()
        options.session = HTTPSession(clock: clock)
        let source = PushSource<String>.serverSentEvents(HTTPEndpoint(server.url), options: options) { _, data in
            .change(data)
        }
        let changes = Handshake<[String]>([])
        let ends = Handshake<[SourceError?]>([])
        let connection = source.connect(nil) { event in
            switch event {
            case .change(let text, _): changes.update { $0.append(text) }
            case .closed(let error): ends.update { $0.append(error) }
            default: break
            }
        }
        defer { connection.cancel() }
        try await clock.waitForTimer()
        #expect(clock.armedDeadlines == [.zero.advanced(by: .minutes(5))], "then it would be given up")
        clock.advance(by: .minutes(4))
        server.open("news")
        try await changes.wait { $0 == ["one"] }
        #expect(ends.read { $0.isEmpty } && server.requests.count == 1)
        // Half of a connection may be left, which would be silent for ever.
        clock.advance(by: .minutes(5))
        clock.advance(by: .minutes(10))
        try await ends.wait { !$0.isEmpty }
        let end = ends.read { $0.first ?? nil }
        #expect(end?.httpError?.code == .tooSlow && end?.isRetryable == true)
    }

    @Test func `the system keeps a silent connection for as long`() async throws {
        let timeout = Handshake<TimeInterval?>(nil)
        var options = HTTPSourceOptions()
        options.session = HTTPSession(transport: { request in
            timeout.update { $0 = request.timeoutInterval }
            throw URLError(.networkConnectionLost)
        })
        let source = PushSource<String>.serverSentEvents("https://api.example.com", options: options) { _, _ in nil }
        let connection = source.connect(nil) { _ in }
        defer { connection.cancel() }
        try await timeout.wait { $0 != nil }
        #expect(timeout.read { $0 ?? 0 } >= 300)
    }

    @Test func `a stream that begins anew is not asked for what came before`() async throws {
        let count = Handshake(0)
        let (seen, requests) = try await follow { _ in
            switch count.update({
                $0 += 1; return $0
            }) {
            case 1: Self.stream("id: 7\ndata: one\n\nevent: reset\ndata: now\n\n", .close)
            default: LoopbackServer.reply("", status: 204)
            }
        }
        #expect(seen.ids == ["", "7", ""])
        #expect(requests.map { $0.headers["last-event-id"] } == [nil, nil])
    }
}
