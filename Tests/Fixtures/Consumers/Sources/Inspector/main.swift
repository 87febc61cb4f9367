import Dispatch
import PaginatorCore
import PaginatorInspector

// The trait is off: there is no page for the browser, and no package is needed for it. What happens is recorded all the same.
let inspector = PaginatorInspector()
let numbers = ArrayDataSource(Array(1...5))
let paginator = CallbackPaginator(dataSource: numbers)
let attachment = inspector.attach(paginator, name: "Numbers")
let ended = DispatchSemaphore(value: 0)
paginator.fetch(key: numbers.firstKey, pageSize: 3) { _ in
    if inspector.recording().text(withKeys: true).contains("Numbers") { print("consumer: ok") }
    attachment.detach()
    ended.signal()
}
ended.wait()
