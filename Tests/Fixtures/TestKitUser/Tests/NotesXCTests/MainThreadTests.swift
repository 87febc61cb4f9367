import Dispatch
import PaginatorCore
import PaginatorTesting
import XCTest

/// XCTest, because on every system its synchronous methods, and no others, run on the main thread.
final class MainThreadTests: XCTestCase {
    func testASourceThatAnswersOnTheMainQueueKeepsTheContract() {
        let items = ArrayDataSource(Array(0..<95))
        Contract.dataSource(itemCount: 95) {
            ClosureDataSource<Int>(firstKey: "0") { request, completion in
                items.fetch(request) { result in DispatchQueue.main.async { completion(result) } }
            }
        }.checkAll(report: toXCTest)
    }

    func testAnAnswerOnTheMainQueueCanBeBlockedFor() {
        var config = PaginatorConfig()
        config.dispatchQueue = .main
        let paginator = CallbackPaginator(dataSource: ArrayDataSource(Array(0..<9)), config: config)
        let listener = RecordingListener<Int>()
        paginator.fetch(key: "0", pageSize: 3, listener: listener)
        listener.blockUntilEnd()
        XCTAssertEqual(listener.page?.content, [0, 1, 2])
    }
}
