import Logging
import PaginatorAsync
import PaginatorCombine
import PaginatorCore
import PaginatorInspector

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

@main
struct Traits {
    // Not in main.swift: what closures do there belongs to the main actor, and a publisher calls them elsewhere.
    static func main() async throws {
        var config = PaginatorConfig()
        config.observer = PaginatorLogger.swiftLog(Logger(label: "pages")).and(PaginatorMetrics())
        let paginator = CallbackPaginator(dataSource: ArrayDataSource([1, 2, 3]), config: config)
        let inspector = PaginatorInspector()
        let attachment = inspector.attach(paginator, name: "Pages")
        let server = try await inspector.serve()
        let (pages, continuation) = AsyncStream<[Int]>.makeStream()
        let subscription = paginator.publisher(for: PageRequest(key: "0", pageSize: 3)).sink(
            receiveCompletion: { _ in continuation.finish() }, receiveValue: { continuation.yield($0.content) })
        for await page in pages where page == [1, 2, 3] { print("consumer: ok") }
        subscription.cancel()
        await server.stop()
        withExtendedLifetime(attachment) {}
    }
}
