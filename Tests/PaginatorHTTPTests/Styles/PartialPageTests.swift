import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// Parts of pages, as the styles ask a server for them.
struct PartialPageTests {
    /// A server with 25 rows, addressed by offset, or by a cursor of three words, or by the last id.
    private static func answer(_ request: WireRequest) -> [WireStep] {
        let query = request.query
        let cursor = query["c"]?.split(separator: " ").last.map(String.init)
        let start = Int(query["offset"] ?? cursor ?? query["after"].map { String((Int($0) ?? 0) + 1) } ?? "0") ?? 0
        let end = min(25, start + (Int(query["limit"] ?? "10") ?? 10))
        let next = end < 25 ? "\"\(query["offset"] == nil ? "from row " : "")\(end)\"" : "null"
        return LoopbackServer.reply(
            "{\"rows\":\(rows(start..<max(start, end))),\"next\":\(next),\"total\":25}", headers: ["ETag": "\"1\""])
    }

    private func source(_ server: LoopbackServer, _ style: HTTPStyle) -> HTTPDataSource<Row> {
        HTTPDataSource<Row>(HTTPEndpoint(server.url), items: "rows", style: style)
    }

    private func fetch<Item: Sendable>(
        _ paginator: CallbackPaginator<Item>, _ key: String, _ part: PagePart?
    ) -> FetchedPage<Item>? {
        var request = PageRequest(key: key, pageSize: 10)
        request.part = part
        let listener = RecordingListener<Item>()
        paginator.fetch(request, listener: listener)
        listener.blockUntilEnd()
        return listener.fetched
    }

    private static let styles: [(HTTPStyle, parameter: String)] = [
        (.offset(total: .items("total")), "offset"), (.offset(), "offset"),
        (.cursor("c", from: "next", size: "limit"), "c"), (.lastItem("after", size: "limit"), "after"),
    ]

    @Test(arguments: styles.indices)
    func `a part is asked for, and then the rest, and all is as if it had come at once`(_ style: Int) async throws {
        let server = try LoopbackServer(Self.answer)
        let source = source(server, Self.styles[style].0)
        var key: String? = source.firstKey
        var walked: [Int] = []
        while let current = key {
            let (whole, parted) = (
                CallbackPaginator(dataSource: source), CallbackPaginator(dataSource: source)
            )
            let expected = try #require(fetch(whole, current, nil))
            let before = server.requests.count
            let part = try #require(fetch(parted, current, .items(4)))
            #expect(part.content.map(\.id) == Array(expected.content.map(\.id).prefix(4)) && part.isPartial)
            #expect(server.requests.last?.query["limit"] == "4")
            let page = try #require(fetch(parted, current, nil))
            #expect(page.content == expected.content && !page.isPartial)
            #expect(page.nextKey == expected.nextKey && page.prevKey == expected.prevKey)
            #expect(page.page.total == expected.page.total)
            #expect(server.requests.count == before + 2)
            #expect(server.requests.last?.query["limit"] == "6")
            walked += page.content.map(\.id)
            key = page.nextKey
        }
        #expect(walked == Array(0..<25))
    }

    @Test func `after a part of one item the others are asked for, and not that one again`() throws {
        let server = try LoopbackServer(Self.answer)
        let paginator = CallbackPaginator(dataSource: source(server, .offset()))
        #expect(fetch(paginator, "0", .items(1))?.content.map(\.id) == [0])
        #expect(fetch(paginator, "0", nil)?.content.map(\.id) == Array(0..<10))
        #expect(server.requests.map { $0.query["offset"] } == ["0", "1"])
        #expect(server.requests.map { $0.query["limit"] } == ["1", "9"])
    }

    @Test(arguments: ["4", "8"])
    func `an answer without rows that goes on ends the page, as it does without parts`(_ empty: String) throws {
        // Filtered tables answer so: nothing here, go on there.
        let server = try LoopbackServer { request in
            let start = Int(request.query["c"] ?? "0") ?? 0
            let size = Int(request.query["limit"] ?? "10") ?? 10
            let isEmpty = request.query["c"] == empty
            return LoopbackServer.reply(
                "{\"rows\":\(rows(start..<(isEmpty ? start : start + size))),\"next\":\"\(start + size)\"}")
        }
        let source = source(server, .cursor("c", from: "next", size: "limit"))
        let paginator = CallbackPaginator(dataSource: source)
        let first = empty == "4" ? source.firstKey : "8"
        let part = try #require(fetch(paginator, first, .items(4)))
        let page = try #require(fetch(paginator, first, nil))
        #expect(part.content.map(\.id) == (empty == "4" ? [0, 1, 2, 3] : []))
        #expect(page.content == part.content && !page.isPartial)
        #expect(page.nextKey == (empty == "4" ? "10" : "12"))
    }

    @Test func `a budget of bytes asks for as many items as fit`() throws {
        let server = try LoopbackServer(Self.answer)
        let source = source(server, .offset())
        let paginator = CallbackPaginator(dataSource: source)
        let first = try #require(fetch(paginator, "0", .bytes(100)))
        #expect(first.content.count == 1 && first.isPartial, "nobody knows yet how large an item is")
        // By now it is known.
        let learned = CallbackPaginator(dataSource: source)
        #expect((fetch(learned, "10", .bytes(400))?.content.count ?? 0) > 3)
        #expect(server.requests.count == 2)
        #expect(fetch(learned, "0", .bytes(100_000))?.isPartial == false)
    }

    @Test func `a budget of bytes asks for as many of the smallest items as fit`() throws {
        let server = try LoopbackServer { request in
            let (offset, limit) = (Int(request.query["offset"] ?? "") ?? 0, Int(request.query["limit"] ?? "") ?? 0)
            return LoopbackServer.reply((offset..<offset + limit).map(String.init).joined(separator: "\n"))
        }
        var options = HTTPSourceOptions()
        options.format = .jsonLines
        let source = HTTPDataSource<Int>(
            HTTPEndpoint(server.url), style: .offset(), options: options,
            decode: { Int(String(decoding: $0, as: UTF8.self)) ?? -1 })
        #expect(fetch(CallbackPaginator(dataSource: source), "0", nil)?.content == Array(0..<10))
        // By now it is known that a digit is an item.
        for bytes in [4, 1] {
            let page = try #require(fetch(CallbackPaginator(dataSource: source), "0", .bytes(bytes)))
            #expect(page.content == Array(0..<bytes) && page.isPartial)
            #expect(server.requests.last?.query["limit"] == "\(bytes)")
        }
    }

    @Test func `a budget of bytes asks for as many items as fit, however many of one size have come`() throws {
        // Each item has 100 bytes, with its comma.
        let server = try LoopbackServer { request in
            let (offset, limit) = (Int(request.query["offset"] ?? "") ?? 0, Int(request.query["limit"] ?? "") ?? 0)
            let texts = (offset..<offset + limit).map { number in
                let text = "\(number) "
                return "\"\(text)" + String(repeating: "x", count: 97 - text.utf8.count) + "\""
            }
            return LoopbackServer.reply("[\(texts.joined(separator: ","))]")
        }
        let source = HTTPDataSource<String>(HTTPEndpoint(server.url), style: .offset())
        for key in ["0", "10", "20", "30"] {
            #expect(fetch(CallbackPaginator(dataSource: source), key, nil)?.content.count == 10)
            let part = try #require(fetch(CallbackPaginator(dataSource: source), key, .bytes(400)))
            #expect(part.content.count == 4 && part.isPartial)
            #expect(server.requests.last?.query["limit"] == "4")
        }
    }

    @Test func `a page whose cursor may lead backward is asked for whole`() throws {
        // The page of `-20` ends before row 20, so its last four rows are not its beginning.
        let server = try LoopbackServer { request in
            let (cursor, size) = (Int(request.query["c"] ?? "") ?? 0, Int(request.query["limit"] ?? "") ?? 0)
            let ids = cursor < 0 ? (-cursor - size)..<(-cursor) : cursor..<(cursor + size)
            return LoopbackServer.reply(
                "{\"rows\":\(rows(ids)),\"next\":\"\(ids.upperBound)\",\"previous\":\"-\(ids.lowerBound)\"}")
        }
        let style = HTTPStyle.cursor("c", from: "next", previous: "previous", size: "limit")
        let page = try #require(fetch(CallbackPaginator(dataSource: source(server, style)), "-20", .items(4)))
        #expect(page.content.map(\.id) == Array(10..<20) && !page.isPartial)
        #expect(page.prevKey == "-10" && page.nextKey == "20")
    }

    @Test(arguments: ["", "4", "x 4", "0 4", "-1 4"])
    func `a source that cannot read where to continue says so, and sends nothing`(_ continuation: String) async throws {
        let server = try LoopbackServer(Self.answer)
        var request = SourceRequest(identity: PageIdentity(key: "0", pageSize: 10), isFirst: true)
        request.continuation = continuation
        let source = source(server, .offset())
        let error: SourceError? = await withCheckedContinuation { answer in
            _ = source.fetch(request) { result in
                guard case .failure(let error) = result else { return answer.resume(returning: nil) }
                answer.resume(returning: error)
            }
        }
        #expect(error?.isKeyExpired == true && error?.httpError?.code == .badKey)
        #expect(server.requests.isEmpty)
    }

    @Test func `styles whose pages have one size give the whole page`() throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("{\"rows\":\(rows(0..<10)),\"next\":\"x\"}") }
        for style in [HTTPStyle.pageNumber(), .cursor("c", from: "next"), .offset(limit: nil)] {
            let source = source(server, style)
            let page = try #require(fetch(CallbackPaginator(dataSource: source), source.firstKey, .items(3)))
            #expect(page.content.count == 10 && !page.isPartial)
        }
    }

    @Test func `a table that grows between the parts is loaded anew where the total tells it`() throws {
        let count = Handshake(20)
        let server = try LoopbackServer { request in
            let total = count.read { $0 }
            let start = Int(request.query["offset"] ?? "") ?? 0
            let end = min(total, start + (Int(request.query["limit"] ?? "") ?? 0))
            return LoopbackServer.reply("{\"rows\":\(rows((start..<end).map { total - $0 })),\"total\":\(total)}")
        }
        let paginator = CallbackPaginator(dataSource: source(server, .offset(total: .items("total"))))
        #expect(fetch(paginator, "0", .items(4))?.content.map(\.id) == [20, 19, 18, 17])
        count.update { $0 = 21 }
        #expect(fetch(paginator, "0", nil)?.content.map(\.id) == Array((12...21).reversed()))
    }

    @Test func `a page whose rest the server refuses is loaded from its start`() throws {
        // A server that wants offsets to be multiples of the page size.
        let server = try LoopbackServer { request in
            let (offset, limit) = (Int(request.query["offset"] ?? "") ?? 0, Int(request.query["limit"] ?? "") ?? 1)
            return offset % limit == 0 ? Self.answer(request) : LoopbackServer.reply("{}", status: 400)
        }
        let paginator = CallbackPaginator(dataSource: source(server, .offset()))
        #expect(fetch(paginator, "0", .items(4))?.content.map(\.id) == [0, 1, 2, 3])
        let page = try #require(fetch(paginator, "0", nil))
        #expect(page.content.map(\.id) == Array(0..<10) && page.nextKey == "10" && !page.isPartial)
        #expect(server.requests.map { $0.query["limit"] } == ["4", "6", "10"])
    }

    @Test(arguments: [[12, 17], [12, 14], [15, 16], [18], Array(15...19), Array(13...19)])
    func `rows that the server leaves out make room for none of the next page`(_ hidden: [Int]) throws {
        let server = try LoopbackServer { request in
            let (offset, limit) = (Int(request.query["offset"] ?? "") ?? 0, Int(request.query["limit"] ?? "") ?? 1)
            let ids = (offset..<min(40, offset + limit)).filter { !hidden.contains($0) }
            return LoopbackServer.reply("{\"rows\":\(rows(ids)),\"total\":40}")
        }
        let paginator = CallbackPaginator(dataSource: source(server, .offset(total: .items("total"))))
        let visible = (10..<20).filter { !hidden.contains($0) }
        #expect(fetch(paginator, "10", .items(3))?.content.map(\.id).starts(with: visible.prefix(2)) == true)
        let page = try #require(fetch(paginator, "10", nil))
        #expect(page.content.map(\.id) == visible && page.nextKey == "20" && !page.isPartial)
    }

    @Test(arguments: [(5, 4), (1, 1)])
    func `a limit of the server is an error, also if the first part does not exceed it`(
        _ most: Int, _ part: Int
    ) throws {
        let server = try LoopbackServer { request in
            let (offset, limit) = (Int(request.query["offset"] ?? "") ?? 0, Int(request.query["limit"] ?? "") ?? 1)
            return LoopbackServer.reply("{\"rows\":\(rows(offset..<offset + min(most, limit))),\"total\":40}")
        }
        let paginator = CallbackPaginator(dataSource: source(server, .offset(total: .items("total"))))
        #expect(fetch(paginator, "0", .items(part))?.content.map(\.id) == Array(0..<part))
        let listener = RecordingListener<Row>()
        paginator.fetch(PageRequest(key: "0", pageSize: 10), listener: listener)
        listener.blockUntilEnd()
        #expect((listener.error?.underlying as? HTTPSourceError)?.code == .pageSizeDiffers)
        #expect(server.requests.map { $0.query["limit"] } == ["\(part)", "\(10 - part)", "10"])
    }

    @Test func `a part has no tag of its own, and a page of parts is asked for in full`() throws {
        let server = try LoopbackServer(Self.answer)
        let paginator = CallbackPaginator(dataSource: source(server, .offset()))
        _ = fetch(paginator, "0", .items(4))
        _ = fetch(paginator, "0", nil)
        paginator.invalidate(.all)
        #expect(fetch(paginator, "0", nil)?.content.count == 10)
        #expect(server.requests.allSatisfy { $0.headers["if-none-match"] == nil })
    }
}
