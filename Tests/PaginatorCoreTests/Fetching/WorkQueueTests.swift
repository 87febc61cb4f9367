import Dispatch
import PaginatorCore
import PaginatorTesting
import Testing

/// The queue that an app chooses for the library's work.
@Suite struct WorkQueueTests {
    private static let key = DispatchSpecificKey<String>()

    @Test func `source and validator are called on the app's queue, which stays off the callbacks`() {
        let queue = DispatchQueue(label: "app.work", qos: .utility, attributes: .concurrent)
        queue.setSpecific(key: Self.key, value: "work")
        let calls = Handshake<[String]>([])
        @Sendable func note(_ what: String) {
            let place = DispatchQueue.getSpecific(key: Self.key) ?? "elsewhere"
            calls.update { $0.append("\(what) \(place)") }
        }
        var config = PaginatorConfig()
        config.workQueue = queue
        let source = ClosureDataSource<Int>(firstKey: "0") { request in
            note("source")
            return PaginatorPage(content: [1], key: request.key)
        }
        let validator = AnyPageValidator<Int>.closure { _, _ in
            note("validator")
            return .accept
        }
        let paginator = CallbackPaginator(dataSource: source, validator: validator, config: config)
        paginator.fetch(key: "0", pageSize: 10) { _ in note("callback") }
        calls.block { $0.count == 3 }
        #expect(calls.read { $0 } == ["source work", "validator work", "callback elsewhere"])
    }
}
