import PaginatorCore
import PaginatorInspector
import Testing

/// Whoever looks at a feed keeps what this returns.
func show(_ feed: CallbackPaginator<Int>) async throws -> (PaginatorInspector, PaginatorAttachment) {
    var config = PaginatorInspectorConfig()
    config.allowsKeys = true
    let inspector = PaginatorInspector(config: config)
    let attachment = inspector.attach(feed, name: "Feed")
    let server = try await inspector.serve()
    print("open \(server.url)")
    return (inspector, attachment)
}

/// What the documentation shows.
@Suite struct ExampleTests {
    @Test func `the feed of the documentation is shown`() async throws {
        let (inspector, attachment) = try await show(CallbackPaginator(dataSource: ArrayDataSource([1, 2, 3])))
        #expect(inspector.recording().names.contains("Feed"))
        attachment.detach()
    }
}
