import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Edits that another thread still applies, or that a group still passes on, when the store is flushed.
@Suite struct FlushedEditTests {
    private func appending(_ text: String) -> @Sendable (SampleItem) -> SampleItem? {
        { SampleItem(id: $0.id, text: $0.text + text) }
    }

    /// Flushes or shuts down, and notes what the store has of the page's item when that is done.
    private func end(
        _ paginator: CallbackPaginator<SampleItem>, byShutdown: Bool, _ store: ScriptedStore<SampleItem>,
        noting stored: Guarded<String?>
    ) {
        let note: @Sendable (Result<Void, PaginatorError>) -> Void = { _ in
            let text = store.pages.values.first?.page.content.first?.text
            stored.withLock { $0 = text }
        }
        if byShutdown { paginator.shutdown(completion: note) } else { paginator.flush(completion: note) }
    }

    @Test(arguments: [false, true])
    func `a flush and a shutdown make edits durable that wait to be applied`(_ byShutdown: Bool) throws {
        let rig = FetchRig(hasStore: true)
        let (paginator, store, stored) = (rig.paginator, try #require(rig.store), Guarded<String?>(nil))
        rig.fetch("1")
        let edits = paginator.edits(id: \.id)
        // They wait for the end of this, as for another thread.
        edits.afterEdits {
            edits.update(1, appending("a"))
            edits.update(1, appending("b"))
            end(paginator, byShutdown: byShutdown, store, noting: stored)
        }
        rig.run()
        #expect(stored.withLock { $0 }?.hasSuffix("ab") == true)
    }

    @Test func `edits before a shutdown reach the store although the paginator is released`() throws {
        let rig = FetchRig(hasStore: true)
        let (store, stored) = (try #require(rig.store), Guarded<String?>(nil))
        rig.fetch("1")
        let edits = rig.paginator.edits(id: \.id)
        do {
            let paginator = rig.paginator
            // More than one thread applies at once for others.
            edits.afterEdits {
                for _ in 0..<20 { edits.update(1, appending("x")) }
                end(paginator, byShutdown: true, store, noting: stored)
            }
        }
        rig.release()
        rig.run()
        #expect(stored.withLock { $0 }?.hasSuffix(String(repeating: "x", count: 20)) == true)
    }

    @Test(arguments: [false, true])
    func `a flush and a shutdown make changes durable that were sent to a group`(_ byShutdown: Bool) throws {
        let rig = FetchRig(hasStore: true)
        let (paginator, store, stored) = (rig.paginator, try #require(rig.store), Guarded<String?>(nil))
        rig.fetch("1")
        let group = ConsistencyGroup<String>(executor: rig.work)
        group.join(paginator.edits(id: \.id)) { text in (1, { SampleItem(id: $0.id, text: $0.text + text) }) }
        rig.run()
        group.send("sent")
        end(paginator, byShutdown: byShutdown, store, noting: stored)
        rig.run()
        #expect(stored.withLock { $0 }?.hasSuffix("sent") == true)
    }

    @Test func `a flush that waits for a group ends in time all the same`() throws {
        let rig = FetchRig(hasStore: true)
        let held = SimulatedExecutor()
        let group = ConsistencyGroup<String>(executor: held)
        group.join(rig.paginator.edits(id: \.id)) { _ in nil }
        let codes = Guarded<[PaginatorError.Code?]>([])
        rig.paginator.flush { result in
            let code: PaginatorError.Code? = if case .failure(let error) = result { error.code } else { nil }
            codes.withLock { $0.append(code) }
        }
        rig.run()
        #expect(codes.withLock { $0 } == [])
        rig.advance(.seconds(5))
        #expect(codes.withLock { $0 } == [.storeFailed])
        held.runAll()
        rig.run()
        #expect(codes.withLock { $0.count } == 1)
    }
}
