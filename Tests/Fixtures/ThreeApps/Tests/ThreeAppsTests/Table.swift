import Browser
import Foundation
import PaginatorCore
import Synchronization

/// What an API has, and what it answers to a search: names in order, pages by number.
final class Table: Sendable {
    private let rows: Mutex<[Repository]>

    /// Repositories `a-0`, `a-1`, … `b-0`, …: `perLetter` for each letter.
    init(_ letters: String, perLetter: Int) {
        let names = letters.flatMap { letter in (0..<perLetter).map { "\(letter)-\($0)" } }
        rows = Mutex(names.enumerated().map { Repository(id: $0, name: $1) })
    }

    func change(_ change: (inout [Repository]) -> Void) { rows.withLock { change(&$0) } }

    func find(_ text: String, page: Int, size: Int) -> (items: [Repository], total: Int) {
        let found = rows.withLock { $0 }.filter { text.isEmpty || $0.name.contains(text) }
        return (Array(found.dropFirst((page - 1) * size).prefix(size)), found.count)
    }

    func page(_ request: SourceRequest) -> PaginatorPage<Repository> {
        let number = Int(request.key) ?? 1
        let (items, total) = find(request.scope, page: number, size: request.pageSize)
        return PaginatorPage(
            content: items, key: request.key, prevKey: number > 1 ? String(number - 1) : nil,
            nextKey: number * request.pageSize < total ? String(number + 1) : nil, total: total)
    }
}

/// A folder that is gone when the test is over.
final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    deinit { try? FileManager.default.removeItem(atPath: path) }
}
