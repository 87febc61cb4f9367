// Your own data source: the numbers from 0 to 99, addressed by offset.
import Foundation
import PaginatorCore

struct Numbers: PaginatorDataSource {
    let firstKey = "0"

    func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<Int>, SourceError>) -> Void
    ) -> SourceCancellation {
        guard let start = Int(request.key), (0..<100).contains(start) else {
            completion(.failure(.fatal(UnknownOffset(key: request.key))))
            return .none
        }
        let end = min(100, start + request.pageSize)
        completion(
            .success(
                PaginatorPage(
                    content: Array(start..<end),
                    key: request.key,
                    prevKey: start == 0 ? nil : String(max(0, start - request.pageSize)),
                    nextKey: end == 100 ? nil : String(end))))
        return .none
    }
}

struct UnknownOffset: Error {
    let key: String
}

let paginator = CallbackPaginator(dataSource: Numbers())
paginator.fetch(key: "60", pageSize: 30) { result in
    if case .success(let page) = result { print(page.content, "before:", page.prevKey ?? "none") }
    exit(0)
}
dispatchMain()
