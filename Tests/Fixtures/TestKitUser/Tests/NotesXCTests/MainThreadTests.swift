import Dispatch
import PaginatorCore
import PaginatorTesting
import XCTest

/// XCTest, because on every system its synchronous methods, and no others, run on the main thread.
final class MainThreadTests: XCTestCase {
    func testASourceThatAnswersOnTheMainQueueKeepsTheContract() {
        let pages = SamplePages(count: 95)
        Contract.dataSource(itemCount: 95) {
            ClosureDataSource<SampleItem>(firstKey: "0") { request, completion in
                DispatchQueue.main.async { completion(pages.answer(to: request)) }
                return .none
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
