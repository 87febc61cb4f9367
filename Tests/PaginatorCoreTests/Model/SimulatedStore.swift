import PaginatorCore
import PaginatorTesting

/// A store that answers later, fails now and then, and remembers.
///
/// `@unchecked Sendable`: everything runs on the thread of the test.
final class SimulatedStore: PaginatorStore, @unchecked Sendable {
    typealias T = SimulatedItem

    weak var world: FetchWorld?
    var pages: [PageIdentity: StoredPage<SimulatedItem>] = [:]

    func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<SimulatedItem>?, PaginatorError>) -> Void
    ) {
        guard let world else { return completion(.success(nil)) }
        let fails = world.random.chance(0.05)
        let found = pages[identity]
        world.executor.run {
            completion(fails ? .failure(PaginatorError(.storeFailed, "a simulated failure")) : .success(found))
        }
    }

    func apply(
        _ changes: [StoreChange<SimulatedItem>],
        accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        for change in changes {
            switch change {
            case .save(let identity, let page):
                pages[identity] = page
            case .remove(let selection):
                for identity in pages.keys where selection.contains(identity) { pages[identity] = nil }
            case .invalidate(let selection):
                for (identity, page) in pages where selection.contains(identity) {
                    pages[identity] = StoredPage(page: page.page, fetchedAt: page.fetchedAt, isInvalidated: true)
                }
            case .edit(let selection, let edit):
                for (identity, stored) in pages where selection.contains(identity) {
                    guard let page = edit(stored.page) else { continue }
                    pages[identity] = StoredPage(
                        page: page, fetchedAt: stored.fetchedAt, isInvalidated: stored.isInvalidated)
                }
            }
        }
        guard let world else { return accepted(.success(())) }
        world.executor.run { accepted(.success(())) }
    }

    func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        completion(.success(()))
    }
}
