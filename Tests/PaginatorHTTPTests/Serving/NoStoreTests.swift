import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorStorage
import PaginatorTesting
import StorageTesting
import Testing

@testable import PaginatorHTTP

/// `Cache-Control: no-store`, RFC 9111, section 5.2.2.5: no part of the response is kept in storage that outlives the
/// process, and what is in memory goes as soon as it is passed on.
struct NoStoreTests {
    private struct World {
        let server: LoopbackServer
        let file = ScriptedPageFile()
        let paginator: CallbackPaginator<Row>
        let recorder = RecordingObserver()

        init(_ control: @escaping @Sendable (Int) -> String?) throws {
            let count = Handshake(0)
            server = try LoopbackServer { request in
                let number = count.update { number in
                    number += 1
                    return number
                }
                let offset = request.query["offset"].flatMap { Int($0) } ?? 0
                return LoopbackServer.reply(
                    rows(offset..<offset + 10),
                    headers: control(number).map { ["Cache-Control": $0, "ETag": "\"1\""] } ?? [:])
            }
            var config = DefaultPaginatorConfig()
            config.observer = recorder
            paginator = CallbackPaginator(
                dataSource: HTTPDataSource<Row>(HTTPEndpoint(server.url), style: .offset()),
                store: PageFileStore<Row>(file: file, codec: CompactPageCodec()), config: config)
        }
    }

    @Test(arguments: ["no-store", "No-Store", "private, no-store, max-age=0", "max-age=600, no-store"])
    func `the items of a response that must not be stored are neither on disk nor in memory`(
        _ control: String
    ) async throws {
        let world = try World { _ in control }
        let page = try await world.paginator.fetch(key: "0", pageSize: 10)
        #expect(page.page.content.map(\.id) == Array(0..<10))
        try await world.paginator.flush()
        #expect(world.file.count == 0)
        #expect(world.paginator.peek(key: "0", pageSize: 10) == nil)
        // It is asked for again, in full.
        #expect(try await world.paginator.fetch(key: "0", pageSize: 10).origin == .source)
        #expect(world.server.requests.map { $0.headers["if-none-match"] } == [nil, nil])
        try await world.paginator.shutdownAndWait()
        #expect(world.file.count == 0)
    }

    @Test func `what may be stored still is`() async throws {
        let world = try World { _ in "private, no-cache" }
        _ = try await world.paginator.fetch(key: "0", pageSize: 10)
        try await world.paginator.shutdownAndWait()
        #expect(world.file.count == 1)
    }

    @Test func `an earlier page that was stored does not outlive the answer that must not be`() async throws {
        let world = try World { $0 == 1 ? "max-age=600" : "no-store" }
        _ = try await world.paginator.fetch(key: "0", pageSize: 10)
        try await world.paginator.flush()
        #expect(world.file.count == 1)
        _ = try await world.paginator.refresh(key: "0", pageSize: 10)
        try await world.paginator.flush()
        #expect(world.file.count == 0)
        #expect(world.paginator.peek(key: "0", pageSize: 10) == nil)
    }

    @Test func `a list shows what must not be stored, and scrolls on`() async throws {
        let world = try World { _ in "no-store" }
        var config = PaginatorListConfig()
        config.pageSize = 10
        let list = PaginatorList(world.paginator, id: \.id, config: config)
        for count in [10, 20, 30] {
            let loaded = Handshake(0)
            let observation = list.observe { update in loaded.update { $0 = update.snapshot.count } }
            list.loadNext()
            try await loaded.wait { $0 == count }
            observation.cancel()
        }
        #expect(list.snapshot.map(\.id) == Array(0..<30))
        try await world.paginator.shutdownAndWait()
        #expect(world.file.count == 0)
    }

    @Test func `who observes a page sees it, and it goes with the observation`() async throws {
        let world = try World { _ in "no-store" }
        let shown = Handshake<[Int]>([])
        let observation = world.paginator.observe(key: "0", pageSize: 10) { state in
            if case .success(let page)? = state { shown.update { $0 = page.content.map(\.id) } }
        }
        _ = try await world.paginator.fetch(key: "0", pageSize: 10)
        try await shown.wait { $0 == Array(0..<10) }
        observation.cancel()
        #expect(world.paginator.peek(key: "0", pageSize: 10) == nil)
        try await world.paginator.shutdownAndWait()
        #expect(world.file.count == 0)
    }

    @Test func `an edit that is committed while the answer comes stores nothing either`() async throws {
        let world = try World { _ in "no-store" }
        let shown = Handshake(false)
        let observation = world.paginator.observe(key: "0", pageSize: 10) { state in
            if case .success? = state { shown.update { $0 = true } }
        }
        _ = try await world.paginator.fetch(key: "0", pageSize: 10)
        try await shown.wait { $0 }
        world.paginator.edits(id: \.id).update(3) { row in Row(id: row.id, name: "edited") }
        try await world.paginator.flush()
        #expect(world.file.count == 0)
        observation.cancel()
        #expect(world.paginator.peek(key: "0", pageSize: 10) == nil)
    }

    @Test(arguments: ["no-store", "no-store, no-cache"])
    func `a request that says so is obeyed as well`(_ control: String) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply(rows(0..<10)) }
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url, headers: ["Cache-Control": control]), style: .offset())
        #expect(try await source.page().get().isStorable == false)
        #expect(server.requests.map { $0.headers["cache-control"] } == [control])
    }

    /// RFC 9111, section 5.2.2.3: `must-understand` goes before `no-store` for who understands the status.
    @Test func `what the standard or the app allows is stored`() async throws {
        let server = try LoopbackServer { request in
            let control = request.path == "/understood" ? "must-understand, no-store, max-age=60" : "no-store"
            return LoopbackServer.reply(rows(0..<10), headers: ["Cache-Control": control])
        }
        var options = HTTPSourceOptions()
        let understood = HTTPDataSource<Row>(HTTPEndpoint(server.url + "/understood"), style: .offset())
        #expect(try await understood.page().get().isStorable)
        options.obeysNoStore = false
        let disobedient = HTTPDataSource<Row>(HTTPEndpoint(server.url), style: .offset(), options: options)
        #expect(try await disobedient.page().get().isStorable)
    }

    @Test func `an empty page past the end obeys it too`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply("", status: 404, headers: ["Cache-Control": "no-store"])
        }
        let page = try await HTTPDataSource<Row>(HTTPEndpoint(server.url), style: .offset()).page("10").get()
        #expect(page.content.isEmpty && !page.isStorable)
    }

    @Test func `a page that an app brings is not stored either`() async throws {
        let world = try World { _ in nil }
        _ = try await world.paginator.fetch(key: "0", pageSize: 10)
        try world.paginator.prime(PaginatorPage(content: [Row(id: 99)], key: "0", isStorable: false), pageSize: 10)
        try await world.paginator.flush()
        #expect(world.file.count == 0)
        #expect(world.paginator.peek(key: "0", pageSize: 10) == nil)
    }
}
