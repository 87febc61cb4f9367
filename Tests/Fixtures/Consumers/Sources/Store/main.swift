import Foundation
import PaginatorCore
import PaginatorSQLiteStore

let folder = FileManager.default.temporaryDirectory.appending(
    path: "consumer-\(ProcessInfo.processInfo.processIdentifier)")
defer { try? FileManager.default.removeItem(at: folder) }
let store = try SQLitePageStore<Int>(path: folder.path + "/pages.sqlite", namespace: "numbers")
let paginator = CallbackPaginator(dataSource: ArrayDataSource(Array(1...5)), store: store)
let ended = DispatchSemaphore(value: 0)
paginator.fetch(key: "0", pageSize: 3) { result in
    // The page is in the file when the flush that follows it has ended.
    paginator.flush { flushed in
        if case .success(let page) = result, page.content == [1, 2, 3], case .success = flushed,
            FileManager.default.fileExists(atPath: folder.path + "/pages.sqlite")
        {
            print("consumer: ok")
        }
        ended.signal()
    }
}
ended.wait()
