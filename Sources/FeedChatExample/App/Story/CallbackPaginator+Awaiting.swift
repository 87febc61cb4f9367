import PaginatorCore

extension CallbackPaginator {
    /// Fetches a page and waits for its answer.
    func answer(
        key: String, pageSize: Int, priority: FetchPriority = .medium, policy: SingleAnswerPolicy? = nil
    ) async -> Result<FetchedPage<T>, PaginatorError> {
        await withCheckedContinuation { continuation in
            fetch(key: key, pageSize: pageSize, priority: priority, policy: policy) {
                continuation.resume(returning: $0)
            }
        }
    }
}
