import PaginatorCore
import PaginatorTesting
import Testing

@Test func `a script answers under Swift Testing`() async throws {
    let source = ScriptedDataSource<String>()
    source.script([.page(PaginatorPage(content: ["a"], key: "0"))], forKey: "0")
    let listener = RecordingListener<String>()
    let paginator = CallbackPaginator(dataSource: source)
    paginator.fetch(key: "0", pageSize: 1, listener: listener)
    _ = try await listener.waitForEnd()
    // Whose fetches end when nobody holds it.
    withExtendedLifetime(paginator) {}
    #expect(listener.error == nil && source.calls.count == 1)
}
