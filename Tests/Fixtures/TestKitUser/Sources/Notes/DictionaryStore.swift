import Dispatch
import PaginatorCore
import PaginatorStorage

/// A store of the app's own: a dictionary on a serial queue, evicted by the paginator's strategy.
///
/// `@unchecked Sendable`: everything but `queue` is used on `queue` only.
package final class DictionaryStore<T: Sendable>: PaginatorStore, @unchecked Sendable {
    private let queue = DispatchQueue(label: "notes.store")
    private var pages: [PageIdentity: StoredPage<T>] = [:]
    private var evictor = StoreEvictor(strategy: .lru(maxPages: 1_000))
    private var clock: any PaginatorClock = SystemPaginatorClock()

    package init() {}

    package func attach(to environment: StoreEnvironment) {
        queue.sync {
            clock = environment.clock
            if let strategy = environment.evictionStrategy { evictor = StoreEvictor(strategy: strategy) }
        }
    }

    package func load(
        _ identity: PageIdentity, completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        queue.async {
            self.evictor.use(identity)
            completion(.success(self.pages[identity]))
        }
    }

    package func apply(
        _ changes: [StoreChange<T>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        queue.async {
            for change in changes { self.make(change) }
            accepted(.success(()))
        }
    }

    package func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        queue.async { completion(.success(())) }
    }

    private func make(_ change: StoreChange<T>) {
        switch change {
        case .save(let identity, let page): save(identity, page)
        case .remove(let selection):
            for identity in pages.keys where selection.contains(identity) { remove(identity) }
        case .invalidate(let selection):
            for (identity, known) in pages where selection.contains(identity) {
                pages[identity] = StoredPage(
                    page: known.page, fetchedAt: known.fetchedAt, isInvalidated: true)
            }
        case .invalidateTags(let tags):
            for (identity, known) in pages where known.page.hasTag(in: tags) {
                pages[identity] = StoredPage(
                    page: known.page, fetchedAt: known.fetchedAt, isInvalidated: true)
            }
        case .edit(let selection, let edit):
            for (identity, known) in pages where selection.contains(identity) {
                if let edited = known.edited(by: edit) { pages[identity] = edited }
            }
        }
    }

    private func save(_ identity: PageIdentity, _ page: StoredPage<T>) {
        let (bytes, items) = (page.page.byteCount, page.page.content.count)
        pages[identity] = evictor.save(identity, bytes: bytes, items: items, at: clock.now) ? page : nil
        while let victim = evictor.nextVictim(at: clock.now) { pages[victim] = nil }
    }

    private func remove(_ identity: PageIdentity) {
        pages[identity] = nil
        evictor.remove(identity)
    }
}
