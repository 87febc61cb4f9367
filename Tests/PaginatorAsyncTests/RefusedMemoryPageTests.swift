import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

@Suite struct RefusedMemoryPageTests {
    @Test(arguments: [FetchPolicy.cacheFirst, .cacheOnly])
    func `a page in memory that the validator refuses is an error, without an attempt`(
        policy: FetchPolicy
    ) async throws {
        let pages = SamplePages(count: 100)
        let source = ScriptedDataSource<SampleItem>()
        source.otherwise { .result(pages.answer(to: $0)) }
        let paginator = CallbackPaginator(
            dataSource: source,
            validator: .closure { _, context in context.origin == .memory ? .fail(reason: "out of date") : .accept })
        _ = try await paginator.fetch(key: "0", pageSize: 10)
        let error = await caught { () throws(PaginatorError) in
            try await paginator.fetch(key: "0", pageSize: 10, policy: policy)
        }
        #expect(error?.code == .rejectedByValidation)
        #expect(error?.message.contains("out of date") == true)
        #expect(error?.attempts == 0)
        #expect(source.keys == ["0"])
    }
}
