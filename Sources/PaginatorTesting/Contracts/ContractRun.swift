import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A store under test, with calls that wait for their answer.
struct ContractRun: Sendable {
    let store: any PaginatorStore<SampleItem>
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
        switch answer(to: "loading \(identity)", { store.load(identity, completion: $0) }) {
        case .success(let page)?: return page
        case .failure(let error)?: fail("loading \(identity) failed: \(error)")
        case nil: break
        }
        return nil
    }

    func apply(_ changes: [StoreChange<SampleItem>]) {
        if case .failure(let error)? = answer(to: "a change", { store.apply(changes, accepted: $0) }) {
            fail("changes were refused: \(error)")
        }
    }

    func flush() {
        if case .failure(let error)? = answer(to: "flushing", { store.flush(completion: $0) }) {
            fail("flushing failed: \(error)")
        }
    }

    private func answer<Value: Sendable>(
        to call: String, _ body: (@escaping @Sendable (Value) -> Void) -> Void
    ) -> Value? {
        let answer = ContractAnswer<Value>()
        body(answer.take)
        return wait(for: answer, to: call)
    }

    /// Blocks until the call is answered; the first one without an answer in time is a failure.
    func wait<Value: Sendable>(for answer: ContractAnswer<Value>, to call: String) -> Value? {
        limit.wait(for: answer, to: call)
    }
}
