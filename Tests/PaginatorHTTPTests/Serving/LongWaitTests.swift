import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// A server that asks to be left alone for longer than a fetch may take, RFC 9110, section 10.2.3: nobody waits for what
/// cannot come in time, and the error says why.
struct LongWaitTests {
    private struct World {
        let server: LoopbackServer
        let clock = ManualPaginatorClock()
        let recorder = RecordingObserver()
        let paginator: CallbackPaginator<Row>

        init(_ answer: @escaping @Sendable (WireRequest, Int) -> [WireStep]) throws {
            let count = Handshake(0)
            server = try LoopbackServer { request in
                let number = count.update { number in
                    number += 1
                    return number
                }
                return answer(request, number)
            }
            var options = HTTPSourceOptions()
            options.clock = clock
            var config = DefaultPaginatorConfig()
            config.clock = clock
            config.observer = recorder
            config.attemptTimeout = .hours(24)
            paginator = CallbackPaginator(
                dataSource: HTTPDataSource<Row>(HTTPEndpoint(server.url), style: .offset(), options: options),
                config: config)
        }

        /// Fetches a page, and waits until the paginator has told an event and the fetch has ended; the clock stands still.
        func fetch(
            _ key: String = "0", policy: FetchPolicy = .networkOnly, timeout: Duration = .seconds(60),
            after event: PaginatorEvent.Kind
        ) async throws -> (result: Result<FetchedPage<Row>, PaginatorError>, took: Duration?) {
            let earlier = recorder.count(of: .fetchEnded)
            let answer = Handshake<Result<FetchedPage<Row>, PaginatorError>?>(nil)
            paginator.fetch(key: key, pageSize: 10, policy: policy, timeout: timeout) { result in
                answer.update { $0 = result }
            }
            _ = try await recorder.waitForEvents(of: event)
            try await answer.wait { $0 != nil }
            let ended = try await recorder.waitForEvents(earlier + 1, of: .fetchEnded)
            return (try #require(answer.read { $0 }), ended.last?.duration)
        }
    }

    @Test(arguments: [
        (429, ["Retry-After": "3600"]), (503, ["Retry-After": "3600"]),
        (429, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3600"]),
        (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3600"]),
    ])
    func `a fetch ends at once, and says which status and which wait`(
        _ status: Int, _ headers: [String: String]
    ) async throws {
        let world = try World { _, _ in LoopbackServer.reply("{}", status: status, headers: headers) }
        let (result, took) = try await world.fetch(after: .retryScheduled)
        guard case .failure(let error) = result else {
            Issue.record("there was a page")
            return
        }
        #expect(took == .zero)
        #expect(error.code == .sourceFailed)
        #expect((error.underlying as? HTTPSourceError)?.status == status)
        #expect("\(error)".contains("3600"))
        #expect(error.attempts == 1)
        #expect(world.server.requests.count == 1)
    }

    @Test(arguments: [
        (200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3600"]), (429, ["Retry-After": "3600"]),
    ])
    func `so does every fetch while the server is left alone`(_ status: Int, _ headers: [String: String]) async throws {
        let world = try World { _, _ in LoopbackServer.reply(rows(0..<10), status: status, headers: headers) }
        _ = await world.paginator.answer("0")
        let (result, took) = try await world.fetch("10", after: .throttled)
        guard case .failure(let error) = result else {
            Issue.record("there was a page")
            return
        }
        #expect(took == .zero)
        #expect(error.code == .throttled)
        #expect("\(error)".contains("3600"))
        #expect((error.underlying as? HTTPSourceError)?.status == status)
        #expect(world.server.requests.count == 1)
    }

    @Test func `who has the time waits, and gets the page`() async throws {
        let world = try World { _, number in
            number == 1
                ? LoopbackServer.reply("", status: 429, headers: ["Retry-After": "3600"])
                : LoopbackServer.reply(rows(0..<10))
        }
        async let patient = world.paginator.fetch(key: "0", pageSize: 10, timeout: .hours(2))
        _ = try await world.recorder.waitForEvents(of: .retryScheduled)
        // Somebody who cannot wait joins meanwhile, and holds nobody up.
        let impatient = await withCheckedContinuation { continuation in
            world.paginator.fetch(key: "0", pageSize: 10, timeout: .seconds(60)) { continuation.resume(returning: $0) }
        }
        guard case .failure(let error) = impatient else {
            Issue.record("there was a page")
            return
        }
        #expect((error.underlying as? HTTPSourceError)?.status == 429)
        world.clock.advance(by: .seconds(3_600))
        #expect(try await patient.page.content.count == 10)
        #expect(world.server.requests.count == 2)
    }

    @Test func `who has a stale page gets it at once`() async throws {
        let world = try World { _, number in
            number == 1
                ? LoopbackServer.reply(rows(0..<10), headers: ["Cache-Control": "max-age=5"])
                : LoopbackServer.reply("", status: 503, headers: ["Retry-After": "3600"])
        }
        _ = try await world.paginator.fetch(key: "0", pageSize: 10)
        world.clock.advance(by: .seconds(6))
        let page = try await world.fetch(policy: .cacheFirst, after: .retryScheduled).result.get()
        #expect(page.isStale && page.page.content.count == 10)
        #expect((page.refreshError?.underlying as? HTTPSourceError)?.status == 503)
    }
}
