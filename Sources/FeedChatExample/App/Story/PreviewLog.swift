import PaginatorCore

/// Collects the previews and the answer of one fetch.
///
/// `@unchecked Sendable`: `previews` is used on the callback queue alone.
final class PreviewLog: PaginatorFetchListener<PostPreview>, @unchecked Sendable {
    typealias Page = FetchedPage<PostPreview>

    private var previews: [Page] = []
    private let done: @Sendable ([Page], Result<Page, PaginatorError>) -> Void

    init(done: @escaping @Sendable ([Page], Result<Page, PaginatorError>) -> Void) {
        self.done = done
    }

    override func fetchDidPreview(_ page: Page) {
        previews.append(page)
    }

    override func fetchDidEnd(_ result: Result<Page, PaginatorError>) {
        done(previews, result)
    }
}
