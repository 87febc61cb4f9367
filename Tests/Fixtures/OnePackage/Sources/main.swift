import Dispatch
import PaginatorCore

let numbers = ArrayDataSource(Array(1...5))
let paginator = CallbackPaginator(dataSource: numbers)
let answered = DispatchSemaphore(value: 0)
paginator.fetch(key: numbers.firstKey, pageSize: 3) { result in
    if case .success(let fetched) = result, fetched.page.content == [1, 2, 3], fetched.page.nextKey == "3" {
        print("one package: ok")
    }
    answered.signal()
}
answered.wait()
