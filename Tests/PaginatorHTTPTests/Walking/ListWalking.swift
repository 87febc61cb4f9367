import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

extension PaginatorList {
    /// Loads page after page until the end or an error, and returns which.
    func walk() async -> PaginatorLoadState {
        let (phases, continuation) = AsyncStream<PaginatorLoadState>.makeStream()
        let observation = observe { [weak self] update in
            switch update.status.next {
            case .idle where !update.status.refresh.isLoading: self?.loadNext()
            case .failed, .endReached: continuation.yield(update.status.next)
            default: break
            }
        }
        defer { observation.cancel() }
        loadNext()
        return await phases.first { _ in true } ?? .idle
    }
}

struct ListWalkingTests {
    /// A server whose cursors all run out: the list begins again once, and then says so.
    @Test func `restarts once and not in a loop`() async throws {
        let server = try LoopbackServer { request in
            request.query["c"] == nil
                ? LoopbackServer.reply("{\"rows\": \(rows(1...2)), \"next\": \"gone\"}")
                : LoopbackServer.reply("{\"error\": \"expired_cursor\"}", status: 410)
        }
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url), items: "rows", style: .cursor("c", from: "next"))
        let list = PaginatorList(CallbackPaginator(dataSource: source), id: \.id)
        let end = await list.walk()
        #expect(end.error?.code == .expiredKey)
        #expect(list.snapshot.map(\.id) == [1, 2])
        #expect(server.requests.map { $0.query["c"] } == [nil, "gone", nil, "gone"])
    }

    /// A server whose cursors ran out once: after the beginning again, everything is there.
    @Test func `goes on after a restart`() async throws {
        let log = Handshake(0)
        let server = try LoopbackServer { request in
            switch request.query["c"] {
            case nil:
                let round = log.update { round in
                    round += 1
                    return round
                }
                return LoopbackServer.reply("{\"rows\": \(rows(1...2)), \"next\": \"round\(round)\"}")
            case "round2": return LoopbackServer.reply("{\"rows\": \(rows(3...4))}")
            default: return LoopbackServer.reply("", status: 400)
            }
        }
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url), items: "rows", style: .cursor("c", from: "next"))
        let list = PaginatorList(CallbackPaginator(dataSource: source), id: \.id)
        #expect(await list.walk() == .endReached)
        #expect(list.snapshot.map(\.id) == [1, 2, 3, 4])
    }
}
