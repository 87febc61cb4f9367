import PaginatorCore

/// A data source under test, with calls that wait for their answer.
struct SourceWalk<T: Sendable>: Sendable {
    let source: any PaginatorDataSource<T>
    let pageSize: Int
    let fail: @Sendable (String) -> Void
    private let limit: ContractLimit

    init(
        source: any PaginatorDataSource<T>, pageSize: Int, limit: Duration, fail: @escaping @Sendable (String) -> Void
    ) {
        (self.source, self.pageSize, self.fail) = (source, pageSize, fail)
        self.limit = ContractLimit(limit, fail: fail)
    }

    func expect(_ isTrue: Bool, _ message: @autoclosure () -> String) {
        if !isTrue { fail(message()) }
    }

    func check(key: String, _ name: String) {
        expect(!key.isEmpty, "\(name) is empty")
        expect(!key.utf8.contains(0), "\(name) has a NUL")
        expect(key.utf8.count <= PaginatorConfig().maxKeyBytes, "\(name) has \(key.utf8.count) bytes")
        if let reason = source.keyRule?.refusal(of: key) { fail("\(name) is refused by the source's rule: \(reason)") }
    }

    /// The identities of the items, in order; none if items are not `Identifiable`.
    func ids(of pages: [PaginatorPage<T>]) -> [AnyHashable] {
        func id(_ item: some Identifiable) -> AnyHashable { AnyHashable(item.id) }
        guard T.self is any Identifiable.Type else { return [] }
        return pages.flatMap(\.content).compactMap { item in (item as? any Identifiable).map { id($0) } }
    }

    /// The number of different items, or of all if they are not `Identifiable`.
    func itemCount(of pages: [PaginatorPage<T>]) -> Int {
        let ids = ids(of: pages)
        return ids.isEmpty ? pages.reduce(0) { $0 + $1.content.count } : Set(ids).count
    }

    func request(_ key: String, pageSize: Int? = nil) -> SourceRequest {
        SourceRequest(
            identity: PageIdentity(key: key, pageSize: pageSize ?? self.pageSize),
            isFirst: key.hasSameBytes(as: source.firstKey))
    }

    func call(_ key: String, pageSize: Int? = nil) -> ContractAnswer<Result<PaginatorPage<T>, SourceError>> {
        let answer = ContractAnswer<Result<PaginatorPage<T>, SourceError>>()
        answer.keep(source.fetch(request(key, pageSize: pageSize), completion: answer.take))
        return answer
    }

    /// Blocks until the call is answered; the first one without an answer in time is a failure.
    func wait<Value: Sendable>(for answer: ContractAnswer<Value>, to call: String) -> Value? {
        limit.wait(for: answer, to: call)
    }

    /// Fetches a page; anything else is a failure.
    func fetch(_ key: String) -> PaginatorPage<T>? {
        switch wait(for: call(key), to: "the page of \(key)") {
        case .success(let page): return page
        case .failure(let error): fail("the page of \(key) failed: \(error)")
        case nil: break
        }
        return nil
    }

    /// At most `count` pages from the first key on; a repeated key ends them after the repeated page.
    func pages(_ count: Int) -> [PaginatorPage<T>] {
        var pages: [PaginatorPage<T>] = []
        var seen: Set<PageIdentity> = []
        var key: String? = source.firstKey
        while let asked = key, pages.count < count, let page = fetch(asked) {
            pages.append(page)
            key = page.nextKey
            if !seen.insert(PageIdentity(key: asked, pageSize: 0)).inserted { break }
        }
        return pages
    }
}
