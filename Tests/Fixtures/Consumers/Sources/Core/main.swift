import Dispatch
import PaginatorCore

let numbers = ArrayDataSource(Array(1...5))
let paginator = CallbackPaginator(dataSource: numbers)
let answered = DispatchSemaphore(value: 0)
paginator.fetch(key: numbers.firstKey, pageSize: 3) { result in
    if case .success(let page) = result, page.content == [1, 2, 3] { print("consumer: ok") }
    answered.signal()
}
answered.wait()
