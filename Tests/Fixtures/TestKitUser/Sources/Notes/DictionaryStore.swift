import Dispatch
import PaginatorCore

/// A store of the app's own: a dictionary on a serial queue, evicted by the paginator's strategy.
///
/// `@unchecked Sendable`: everything but `queue` is used on `queue` only.
package final class DictionaryStore<T: Sendable>: PaginatorStore, @unchecked Sendable {
    private let queue = DispatchQueue(label: "notes.store")
    private var pages: [PageIdentity: (page: StoredPage<T>, handle: PageHandle)] = [:]
    private var identities: [PageHandle: PageIdentity] = [:]
    private var strategy: any PaginatorEvictionStrategy = .lru(maxPages: 1_000)
    private var usage = PageUsage()
    private var freeHandles: [PageHandle] = []

    package init() {}

    package func attach(to environment: StoreEnvironment) {
        queue.sync {
            if pages.isEmpty, let strategy = environment.evictionStrategy { self.strategy = strategy }
        }
    }

    package func load(
        _ identity: PageIdentity, completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        queue.async {
            if let found = self.pages[identity] { self.strategy.used(found.handle) }
            completion(.success(self.pages[identity]?.page))
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
                pages[identity]?.page = StoredPage(
                    page: known.page.page, fetchedAt: known.page.fetchedAt, isInvalidated: true)
            }
        case .edit(let selection, let edit):
            for (identity, known) in pages where selection.contains(identity) {
                guard let edited = edit(known.page.page) else { continue }
                let changed = StoredPage(
                    page: edited, fetchedAt: known.page.fetchedAt, isInvalidated: known.page.isInvalidated)
                pages[identity]?.page = changed
                count(known.page, -1)
                count(changed, 1)
            }
        }
    }

    private func save(_ identity: PageIdentity, _ page: StoredPage<T>) {
        remove(identity)
        let facts = PageFacts(
            bytes: page.page.byteCount, items: page.page.content.count,
            keyHash: UInt64(truncatingIfNeeded: identity.hashValue))
        guard strategy.admits(facts) else { return }
        let handle = freeHandles.popLast() ?? PageHandle(index: pages.count)
        pages[identity] = (page, handle)
        identities[handle] = identity
        count(page, 1)
        strategy.inserted(handle, facts)
        while let victim = strategy.victim(in: usage), let identity = identities[victim] { remove(identity) }
    }

    private func remove(_ identity: PageIdentity) {
        guard let known = pages.removeValue(forKey: identity) else { return }
        identities[known.handle] = nil
        freeHandles.append(known.handle)
        count(known.page, -1)
        strategy.removed(known.handle)
    }

    private func count(_ page: StoredPage<T>, _ sign: Int) {
        usage.pages += sign
        usage.items += sign * page.page.content.count
        usage.bytes += sign * page.page.byteCount
    }
}
