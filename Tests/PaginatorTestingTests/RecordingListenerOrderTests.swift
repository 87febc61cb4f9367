import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@Suite struct RecordingListenerOrderTests {
    private struct Seen: Sendable {
        var ends = 0
        var previews = 0
        var page: String?
    }

    @Test func `a listener's closures see what was recorded`() async throws {
        let seen = Guarded(Seen())
        let listener = Guarded<RecordingListener<SampleItem>?>(nil)
        let made = RecordingListener<SampleItem>(
            onPreview: { _ in
                let count = listener.withLock { $0 }?.previews.count ?? -1
                seen.withLock { $0.previews = count }
            },
            onEnd: { _ in
                let recorded = listener.withLock { $0 }
                seen.withLock { seen in
                    seen.ends = recorded?.ends.count ?? -1
                    seen.page = recorded?.page?.key
                }
            })
        listener.withLock { $0 = made }
        let paginator = CallbackPaginator(
            dataSource: ScriptedDataSource(serving: SamplePages(count: 10)), config: DefaultPaginatorConfig())
        try paginator.prime(
            PaginatorPage(content: [], key: "0", expirationTime: .distantPast), pageSize: 2)
        var request = PageRequest(key: "0", pageSize: 2)
        request.policy = .staleWhileRevalidate
        paginator.fetch(request, listener: made)
        try await made.waitForEnd()
        // The closure ran before the test went on.
        #expect(seen.withLock { $0.ends } == 1)
        #expect(seen.withLock { $0.page } == "0")
        #expect(seen.withLock { $0.previews } == 1)
    }
}
