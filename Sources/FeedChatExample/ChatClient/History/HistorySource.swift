import Dispatch
package import PaginatorCore

/// The history of one conversation, from the device's database.
package struct HistorySource: PaginatorDataSource {
    package let firstKey = HistoryKey.newest.text
    package let needsConnection = false
    private let database: ChatDatabase
    private let contactId: String

    package init(_ database: ChatDatabase, with contactId: String) {
        self.database = database
        self.contactId = contactId
    }

    package func fetch(
        _ request: SourceRequest, completion: @escaping @Sendable (Result<PaginatorPage<Message>, SourceError>) -> Void
    ) -> SourceCancellation {
        completion(page(request))
        return .none
    }

    private func page(_ request: SourceRequest) -> Result<PaginatorPage<Message>, SourceError> {
        guard let key = HistoryKey(request.key) else { return .failure(.keyExpired(UnknownHistoryKey())) }
        do {
            let page = try database.readNow { read in
                try read.history(key, with: contactId, limit: request.pageSize)
            }
            return .success(
                PaginatorPage(
                    content: page.messages, key: request.key, prevKey: page.previous?.text, nextKey: page.next?.text))
        } catch {
            return .failure(.fatal(error))
        }
    }
}

/// A key that is not one of a history.
package struct UnknownHistoryKey: Error {}
