import PaginatorCore
import PaginatorTesting
import XCTest

final class DoublesTests: XCTestCase {
    func testAScriptAnswers() async throws {
        let source = ScriptedDataSource<String>()
        source.script([.page(PaginatorPage(content: ["a"], key: "0"))], forKey: "0")
        let listener = RecordingListener<String>()
        let paginator = CallbackPaginator(dataSource: source)
        paginator.fetch(key: "0", pageSize: 1, listener: listener)
        _ = try await listener.waitForEnd()
        // Whose fetches end when nobody holds it.
        withExtendedLifetime(paginator) {}
        XCTAssertNil(listener.error)
        XCTAssertEqual(source.calls.count, 1)
    }
}
