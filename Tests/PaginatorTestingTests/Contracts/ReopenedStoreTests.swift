import PaginatorCore
import PaginatorTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A store with its pages in memory and in a file, and one flaw that only the next launch shows.
private final class CachedStore: PaginatorStore {
    let file: ScriptedStore<SampleItem>
    private let memory = ScriptedStore<SampleItem>(answersInside: true)
    private let flaw: String
    private let isReopened: Bool

    init(over file: ScriptedStore<SampleItem>, _ flaw: String) {
        let pages = file.pages
        (self.file, self.flaw, isReopened) = (file, flaw, !pages.isEmpty)
        // It reads a page when it is loaded.
        if flaw == "index" { return }
        for (id, stored) in pages {
            let known = flaw != "file names" ? stored : pages.first { $0.key.key == id.key }?.value ?? stored
            memory.seed(
                read(known.page), for: id, fetchedAt: flaw == "time" ? .distantPast : known.fetchedAt,
                isInvalidated: known.isInvalidated)
        }
    }

    private func read(_ page: PaginatorPage<SampleItem>) -> PaginatorPage<SampleItem> {
        PaginatorPage(
            content: page.content, key: page.key, expirationTime: flaw == "expiration" ? nil : page.expirationTime,
            prevKey: flaw == "previous key" ? nil : page.prevKey, nextKey: flaw == "next key" ? nil : page.nextKey,
            byteCount: page.byteCount, revision: flaw == "revision" ? nil : page.revision,
            total: flaw == "total" ? nil : page.total, tags: page.tags)
    }

    func attach(to environment: StoreEnvironment) { memory.attach(to: environment) }

    func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<SampleItem>?, PaginatorError>) -> Void
    ) {
        memory.load(identity) { [flaw, file] result in
            guard flaw == "index", case .success(nil) = result else { return completion(result) }
            file.load(identity, completion: completion)
        }
    }

    func apply(
        _ changes: [StoreChange<SampleItem>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        let written = changes.filter { change in
            switch (flaw, change) {
            case ("edits", .edit): false
            // It makes them for the pages that it knows.
            case ("index", .edit), ("index", .remove(.scope)): !isReopened
            case ("saves", .save): !isReopened
            default: true
            }
        }
        memory.apply(flaw == "saves" ? written : changes, accepted: accepted)
        file.apply(written) { _ in }
    }

    func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        memory.flush(completion: completion)
    }
}

@Suite struct ReopenedStoreTests {
    @Test(
        arguments: [
            ("edits", "an edit is lost"), ("next key", "the next key"), ("previous key", "the previous key"),
            ("expiration", "the expiration time"), ("total", "the total"), ("revision", "the revision"),
            ("time", "the time of fetching"), ("file names", "the items differ"),
            ("index", "an edit or a removal misses"), ("index", "pages are left of 40"),
        ])
    func `the case of reopening finds a store that keeps something in memory only`(_ flaw: String, _ message: String) {
        let failures = FailureList()
        contract(flaw).check("reopen", report: failures.report)
        #expect(failures.all.contains { $0.contains("after reopening") && $0.contains(message) })
    }

    @Test func `the case of reopening finds a store that saves nothing after a launch`() {
        let failures = FailureList()
        contract("saves").check("reopen", report: failures.report)
        #expect(failures.all == ["reopen: after reopening the page that was saved last is gone"])
    }

    @Test func `the case of reopening finds nothing in a store that keeps everything in its file`() {
        contract("").check("reopen", report: toTesting)
    }

    private func contract(_ flaw: String) -> Contract {
        Contract.store(reopen: { CachedStore(over: ($0 as! CachedStore).file, flaw) }) {
            CachedStore(over: ScriptedStore(answersInside: true), flaw)
        }
    }
}
