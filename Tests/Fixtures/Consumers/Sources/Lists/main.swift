import Dispatch
import PaginatorCore
import PaginatorLists

let numbers = ArrayDataSource(Array(1...5))
let list = PaginatorList(CallbackPaginator(dataSource: numbers), id: \.self)
let ended = DispatchSemaphore(value: 0)
list.refresh { error in
    if error == nil, Array(list.snapshot.prefix(3)) == [1, 2, 3] { print("consumer: ok") }
    ended.signal()
}
ended.wait()
