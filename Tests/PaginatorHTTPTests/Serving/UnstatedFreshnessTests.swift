import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// How long a page is fresh of which the server does not say so, RFC 9111, section 4.2.2: not for ever.
struct UnstatedFreshnessTests {
    private func world(
        lifetime: Duration? = HTTPSourceOptions().lifetime, headers: [String: String] = ["ETag": "\"v1\""],
        status: Int = 200
    ) throws -> (server: LoopbackServer, clock: ManualPaginatorClock, paginator: CallbackPaginator<Row>) {
        let server = try LoopbackServer { request in
            request.headers["if-none-match"] == "\"v1\""
                ? LoopbackServer.reply("", status: 304)
                : LoopbackServer.reply(rows(0..<10), status: status, headers: headers)
        }
        let clock = ManualPaginatorClock()
        var options = HTTPSourceOptions()
        options.clock = clock
        options.lifetime = lifetime
        var config = DefaultPaginatorConfig()
        config.clock = clock
        config.attemptTimeout = .hours(24)
        let source = HTTPDataSource<Row>(HTTPEndpoint(server.url), style: .offset(), options: options)
        return (server, clock, CallbackPaginator(dataSource: source, config: config))
    }

    @Test func `the page of yesterday is asked for again, and renewed if it is the same`() async throws {
        let (server, clock, paginator) = try world()
        _ = try await paginator.fetch(key: "0", pageSize: 10)
        clock.advance(by: .minutes(4))
        #expect(try await paginator.fetch(key: "0", pageSize: 10).origin == .memory)
        clock.advance(by: .hours(24))
        let renewed = try await paginator.fetch(key: "0", pageSize: 10)
        #expect(renewed.origin == .source && renewed.page.content.count == 10)
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\""])
    }

    @Test(arguments: [("max-age=60", 60), ("no-cache", 0), ("max-age=86400", 86_400)])
    func `a page that is renewed without a word about it is fresh for as long as it was at first`(
        _ stated: String, _ seconds: Int
    ) async throws {
        let headers = ["ETag": "\"v1\"", "Cache-Control": stated]
        let (server, clock, paginator) = try world(lifetime: nil, headers: headers)
        for round in 1...3 {
            #expect(try await paginator.fetch(key: "0", pageSize: 10).page.content.count == 10)
            #expect(server.requests.count == round)
            if seconds > 0 {
                clock.advance(by: .seconds(seconds - 1))
                #expect(try await paginator.fetch(key: "0", pageSize: 10).origin == .memory)
            }
            clock.advance(by: .seconds(2))
        }
        #expect(server.requests.compactMap { $0.headers["if-none-match"] }.count == 2)
    }

    @Test func `an end that was found once is looked for again`() async throws {
        let (server, clock, paginator) = try world(headers: [:], status: 404)
        #expect(try await paginator.fetch(key: "10", pageSize: 10).page.content.isEmpty)
        clock.advance(by: .hours(1))
        _ = try await paginator.fetch(key: "10", pageSize: 10)
        #expect(server.requests.count == 2)
    }

    @Test func `an app may decide otherwise`() async throws {
        let (forever, clock, paginator) = try world(lifetime: nil)
        _ = try await paginator.fetch(key: "0", pageSize: 10)
        clock.advance(by: .days(30))
        #expect(try await paginator.fetch(key: "0", pageSize: 10).origin == .memory)
        #expect(forever.requests.count == 1)
        let (never, _, other) = try world(lifetime: .zero)
        _ = try await other.fetch(key: "0", pageSize: 10)
        _ = try await other.fetch(key: "0", pageSize: 10)
        #expect(never.requests.count == 2)
        let (stated, time, third) = try world(lifetime: nil, headers: ["Cache-Control": "max-age=10"])
        _ = try await third.fetch(key: "0", pageSize: 10)
        time.advance(by: .seconds(11))
        _ = try await third.fetch(key: "0", pageSize: 10)
        #expect(stated.requests.count == 2)
    }
}
