package import PaginatorCore

/// The search on the device, newest first: the scope is the search text, and a key is the message after which it
/// continues.
package struct SearchSource: PaginatorDataSource {
    package let firstKey = "newest"
    package let needsConnection = false
    private let database: ChatDatabase
    private let contactId: String?

    /// - Parameter contactId: the conversation; `nil` searches all.
    package init(_ database: ChatDatabase, in contactId: String? = nil) {
        self.database = database
        self.contactId = contactId
    }

    package func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<SearchHit>, SourceError>) -> Void
    ) -> SourceCancellation {
        do {
            let olderThan = Int64(request.key)
            let hits = try database.readNow { read in
                try read.hits(
                    request.scope, in: contactId, olderThan: olderThan, limit: request.pageSize)
            }
            let next = hits.count == request.pageSize ? hits.last.map { "\($0.id)" } : nil
            completion(.success(PaginatorPage(content: hits, key: request.key, nextKey: next)))
        } catch {
            completion(.failure(.fatal(error)))
        }
        return .none
    }
}
