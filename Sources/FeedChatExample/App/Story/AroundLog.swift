import PaginatorCore

/// Collects what a fetch around a page delivers.
///
/// `@unchecked Sendable`: `pages` is used on the callback queue alone.
final class AroundLog: PaginatorFetchAroundListener<PostPreview>, @unchecked Sendable {
    typealias Delivery = (distance: Int, page: FetchedPage<PostPreview>)

    private var pages: [Delivery] = []
    private let done: @Sendable ([Delivery], Result<AroundSummary, PaginatorError>) -> Void

    init(done: @escaping @Sendable ([Delivery], Result<AroundSummary, PaginatorError>) -> Void) {
        self.done = done
    }

    override func fetchAroundDidDeliver(_ page: FetchedPage<PostPreview>, at distance: Int) {
        pages.append((distance, page))
    }

    override func fetchAroundDidEnd(_ result: Result<AroundSummary, PaginatorError>) {
        done(pages, result)
    }
}
