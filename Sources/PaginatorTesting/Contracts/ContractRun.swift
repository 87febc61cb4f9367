import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A store under test, with calls that wait for their answer.
struct ContractRun: Sendable {
    typealias Loaded = Result<StoredPage<SampleItem>?, PaginatorError>
    typealias Done = Result<Void, PaginatorError>

    var store: any PaginatorStore<SampleItem>
    let fail: @Sendable (String) -> Void
    private let limit: ContractLimit

    init(store: any PaginatorStore<SampleItem>, limit: Duration, fail: @escaping @Sendable (String) -> Void) {
        self.store = store
        self.fail = fail
        self.limit = ContractLimit(limit, fail: fail)
    }

    func expect(_ isTrue: Bool, _ message: @autoclosure () -> String) {
        if !isTrue { fail(message()) }
    }

    func id(_ key: String, _ pageSize: Int = 10, scope: String = "") -> PageIdentity {
        PageIdentity(key: key, pageSize: pageSize, scope: scope)
    }

    /// A page of `count` items, whose texts tell where they belong.
    func page(
        _ key: String, _ count: Int, tags: [String] = [], nextKey: String = "100"
    ) -> StoredPage<SampleItem> {
        StoredPage(
            page: PaginatorPage(
                content: (0..<count).map { SampleItem(id: $0, text: "\(key)/\($0)") }, key: key, nextKey: nextKey,
                tags: tags),
            fetchedAt: Date(timeIntervalSince1970: 1_767_225_600))
    }

    func load(_ key: String) -> StoredPage<SampleItem>? {
        load(id(key))
    }

    func load(_ identity: PageIdentity) -> StoredPage<SampleItem>? {
        page(of: beginLoad(identity), identity)
    }

    func beginLoad(_ identity: PageIdentity) -> ContractAnswer<Loaded> {
        let answer = ContractAnswer<Loaded>()
        store.load(identity, completion: answer.take)
        return answer
    }

    /// Blocks until a load is answered.
    func page(of answer: ContractAnswer<Loaded>, _ identity: PageIdentity) -> StoredPage<SampleItem>? {
        switch wait(for: answer, to: "loading \(identity)") {
        case .success(let page)?: return page
        case .failure(let error)?: fail("loading \(identity) failed: \(error)")
        case nil: break
        }
        return nil
    }

    func apply(_ changes: [StoreChange<SampleItem>]) {
        waitForChanges(beginApply(changes))
    }

    func beginApply(_ changes: [StoreChange<SampleItem>]) -> ContractAnswer<Done> {
        let answer = ContractAnswer<Done>()
        store.apply(changes, accepted: answer.take)
        return answer
    }

    /// Blocks until changes are accepted.
    func waitForChanges(_ answer: ContractAnswer<Done>) {
        if case .failure(let error)? = wait(for: answer, to: "a change") { fail("changes were refused: \(error)") }
    }

    func flush() {
        let answer = ContractAnswer<Done>()
        store.flush(completion: answer.take)
        if case .failure(let error)? = wait(for: answer, to: "flushing") { fail("flushing failed: \(error)") }
    }

    /// Blocks until the call is answered; the first one without an answer in time is a failure.
    func wait<Value: Sendable>(for answer: ContractAnswer<Value>, to call: String) -> Value? {
        limit.wait(for: answer, to: call)
    }
}
