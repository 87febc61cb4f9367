import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// What is shown of a page that turns out to be broken.
struct BrokenItemPreviewTests {
    @Test func `no more rows of a page are shown once one of them cannot be read, and the page is an error`()
        async throws
    {
        let server = try LoopbackServer { _ in
            [
                .send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"id\":0}\n"), .hold("rest"),
                .send("{\"id\":1}\n{\"id\":\"two\"}\n{\"id\":3}\n"), .close,
            ]
        }
        var options = HTTPSourceOptions()
        options.format = .jsonLines
        var config = PaginatorConfig()
        config.maxAttempts = 1
        let source = HTTPDataSource<Row>(HTTPEndpoint(server.url), style: .offset(), options: options)
        let paginator = CallbackPaginator(dataSource: source, config: config)
        let isShown = Handshake(false)
        let listener = RecordingListener<Row> { _ in isShown.update { $0 = true } }
        paginator.fetch(PageRequest(key: "0", pageSize: 20), listener: listener)
        try await isShown.wait { $0 }
        server.open("rest")
        _ = try await listener.waitForEnd()
        #expect((listener.error?.underlying as? HTTPSourceError)?.code == .brokenItem)
        #expect(listener.previews.map { $0.content.map(\.id) } == [[0]])
    }
}
