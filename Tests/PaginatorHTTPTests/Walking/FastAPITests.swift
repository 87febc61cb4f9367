import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// Every row of fastapi-pagination once and in order, forward and back, also while the server fails and dawdles.
@Suite(.enabled(if: FastAPIServer.isAvailable, "fastapi-pagination cannot be installed here"), .serialized)
struct FastAPITests {
    private let pageSize = 100

    private func source(_ name: String, _ server: FastAPIServer, trouble: Bool) -> HTTPDataSource<Row> {
        let headers: [String: String] = trouble ? ["X-Errors": "0.05", "X-Delay": "4"] : [:]
        let endpoint = HTTPEndpoint(server.url + "/" + name, headers: headers)
        switch name {
        case "page":
            return HTTPDataSource(
                endpoint, items: "items", style: .pageNumber(size: "size", total: .items("total"), sizeField: "size"))
        case "offset":
            return HTTPDataSource(endpoint, items: "items", style: .offset(total: .items("total"), sizeField: "limit"))
        default:
            return HTTPDataSource(
                endpoint, items: "items",
                style: .cursor("cursor", from: "next_page", previous: "previous_page", size: "size", total: "total"))
        }
    }

    private func paginator(_ source: HTTPDataSource<Row>) -> CallbackPaginator<Row> {
        var config = DefaultPaginatorConfig()
        config.inMemoryEvictionStrategy = .lru(maxPages: 50)
        config.maxAttempts = 8
        config.fetchTimeout = .seconds(600)
        // The budget is meant for outages; here one call in twenty fails by intent.
        config.scheduling.retryBudgetTokens = 100_000
        config.scheduling.backoffBase = .milliseconds(1)
        config.randomSeed = 1
        return CallbackPaginator(dataSource: source, config: config)
    }

    @Test(arguments: ["page", "offset", "cursor"], [false, true])
    func `walks every row`(_ name: String, _ trouble: Bool) async throws {
        let server = try FastAPIServer.shared.get()
        let source = source(name, server, trouble: trouble)
        let paginator = paginator(source)
        var ids: [Int] = []
        var pages = 0
        var last = source.firstKey
        var next: String? = source.firstKey
        while let key = next {
            let page = try await paginator.answer(key, pageSize: pageSize).get().page
            ids += page.content.map(\.id)
            pages += 1
            last = key
            next = page.nextKey
        }
        #expect(ids == Array(0..<server.rows))
        #expect(pages <= server.rows / pageSize + 1)

        // And back, from the last page.
        var back: [[Int]] = []
        var previous: String? = last
        while let key = previous {
            let page = try await paginator.answer(key, pageSize: pageSize).get().page
            back.append(page.content.map(\.id))
            previous = page.prevKey
        }
        #expect(Array(back.reversed().joined()) == Array(0..<server.rows))
    }

    @Test(arguments: ["page", "offset", "cursor"])
    func `gives every item`(_ name: String) async throws {
        let server = try FastAPIServer.shared.get()
        let source = source(name, server, trouble: true)
        var ids: [Int] = []
        let items = paginator(source).items(from: source.firstKey, pageSize: pageSize, loadsAhead: true)
        for try await item in items { ids.append(item.id) }
        #expect(ids == Array(0..<server.rows))
    }

    @Test(arguments: ["page", "offset", "cursor"])
    func `fills a list`(_ name: String) async throws {
        let server = try FastAPIServer.shared.get()
        var config = PaginatorListConfig()
        config.pageSize = pageSize
        let list = PaginatorList(paginator(source(name, server, trouble: true)), id: \.id, config: config)
        let end = await list.walk()
        #expect(end.error == nil)
        #expect(list.snapshot.map(\.id) == Array(0..<server.rows) && list.status.total == server.rows)
    }

    @Test(arguments: ["page", "offset"])
    func `walks in parallel where keys allow`(_ name: String) async throws {
        let server = try FastAPIServer.shared.get()
        let source = source(name, server, trouble: true)
        let paginator = paginator(source)
        let pageSize = pageSize
        let count = server.rows / pageSize
        let keys = (0..<count).map { String(name == "page" ? $0 + 1 : $0 * pageSize) }
        let pages = try await withThrowingTaskGroup(of: (Int, [Int]).self) { group in
            for (index, key) in keys.enumerated() {
                group.addTask {
                    (index, try await paginator.answer(key, pageSize: pageSize).get().page.content.map(\.id))
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect((0..<count).flatMap { pages[$0] ?? [] } == Array(0..<server.rows))
    }

    @Test func `tells a refused cursor`() async throws {
        let server = try FastAPIServer.shared.get()
        let paginator = paginator(source("cursor", server, trouble: false))
        let result = await paginator.answer("nonsense", pageSize: 10)
        guard case .failure(let error) = result else {
            Issue.record("there was a page")
            return
        }
        #expect(error.code == .expiredKey)
        #expect(error.attempts == 1)
    }

    @Test func `refuses sizes that the server refuses`() async throws {
        let server = try FastAPIServer.shared.get()
        let error = await source("page", server, trouble: false).failure(size: 5_000)
        #expect(error?.httpError?.status == 422)
        #expect(error?.isRetryable == false)
    }
}
