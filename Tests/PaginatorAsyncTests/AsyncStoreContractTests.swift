import PaginatorAsync
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import Testing

/// A dictionary that keeps as many pages as the strategy of its paginator says.
private actor LimitedShelf: AsyncPageStore {
    private var pages: [PageIdentity: StoredPage<SampleItem>] = [:]
    private var evictor = StoreEvictor(strategy: .lru(maxPages: 1_000))
    private var clock: any PaginatorClock = SystemPaginatorClock()

    func attach(to environment: StoreEnvironment) {
        clock = environment.clock
        if let strategy = environment.evictionStrategy { evictor = StoreEvictor(strategy: strategy) }
    }

    func load(_ identity: PageIdentity) -> StoredPage<SampleItem>? {
        evictor.use(identity)
        return pages[identity]
    }

    func apply(_ changes: [StoreChange<SampleItem>]) {
        for change in changes { make(change) }
    }

    func flush() {}

    private func make(_ change: StoreChange<SampleItem>) {
        switch change {
        case .save(let identity, let page):
            let (bytes, items) = (page.page.byteCount, page.page.content.count)
            pages[identity] = evictor.save(identity, bytes: bytes, items: items, at: clock.now) ? page : nil
            while let victim = evictor.nextVictim(at: clock.now) { pages[victim] = nil }
        case .remove(let selection):
            for identity in pages.keys where selection.contains(identity) {
                pages[identity] = nil
                evictor.remove(identity)
            }
        case .invalidate(let selection):
            for (identity, page) in pages where selection.contains(identity) { invalidate(identity, page) }
        case .invalidateTags(let tags):
            for (identity, page) in pages where page.page.hasTag(in: tags) { invalidate(identity, page) }
        case .edit(let selection, let edit):
            for (identity, page) in pages where selection.contains(identity) {
                if let edited = page.edited(by: edit) { pages[identity] = edited }
            }
        }
    }

    private func invalidate(_ identity: PageIdentity, _ page: StoredPage<SampleItem>) {
        pages[identity] = StoredPage(page: page.page, fetchedAt: page.fetchedAt, isInvalidated: true)
    }
}

@Suite struct AsyncStoreContractTests {
    static let contract = Contract.store { AsyncStore(LimitedShelf()) }

    @Test(arguments: contract.cases)
    func `an actor that takes what its paginator offers keeps the contract of stores, limits included`(
        _ name: String
    ) async {
        await Self.contract.check(name) { message, file, line in Issue.record("\(message) (\(file):\(line))") }
    }
}
