import PaginatorCore

package struct Note: Sendable, Hashable, Codable, Identifiable {
    package let id: Int
    package let text: String

    package init(id: Int, text: String) {
        self.id = id
        self.text = text
    }
}

/// A data source of the app's own: notes behind a cursor, the newest first.
package struct NoteSource: PaginatorDataSource {
    package struct NoSuchCursor: Error {}

    package let firstKey = "newest"
    private let notes: [Note]

    package init(_ notes: [Note]) {
        self.notes = notes.sorted { $0.id > $1.id }
    }

    package func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<Note>, SourceError>) -> Void
    ) -> SourceCancellation {
        guard let start = start(of: request.key) else {
            completion(.failure(.keyExpired(NoSuchCursor())))
            return .none
        }
        let content = Array(notes[start...].prefix(max(1, request.pageSize)))
        let isEnd = start + content.count == notes.count
        completion(
            .success(
                PaginatorPage(
                    content: content, key: request.key, nextKey: isEnd ? nil : content.last.map { "before-\($0.id)" })))
        return .none
    }

    private func start(of key: String) -> Int? {
        if key == firstKey { return 0 }
        guard key.hasPrefix("before-"), let id = Int(key.dropFirst(7)) else { return nil }
        return notes.firstIndex { $0.id == id }.map { $0 + 1 }
    }
}
