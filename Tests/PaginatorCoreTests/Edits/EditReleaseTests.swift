import Oracles
import PaginatorTesting
import Testing

@testable import PaginatorCore

/// What edits keep of the user's, and when they let go of it.
@Suite struct EditReleaseTests {
    /// Tells when it ends whether a lock may be held then.
    private final class Probe: Sendable {
        let ended: Guarded<[Bool]>

        init(_ ended: Guarded<[Bool]>) { self.ended = ended }

        deinit {
            let mayHoldLock = CurrentThread.existing.map { $0.depth > 0 } ?? false
            ended.withLock { $0.append(mayHoldLock) }
        }
    }

    @Test func `the closures of old edits end while no lock is held`() throws {
        let clock = ManualPaginatorClock()
        var config = DefaultPaginatorConfig()
        config.clock = clock
        let paginator = CallbackPaginator(dataSource: ArrayDataSource<Int>([]), config: config)
        let ended = Guarded<[Bool]>([])
        do {
            let probe = Probe(ended)
            let edits = paginator.edits { (number: Int) in withExtendedLifetime(probe) { _ in number } }
            edits.update(1) { number in withExtendedLifetime(probe) { _ in number + 100 } }
        }
        // So that nothing but the log has the closure above: four others are told apart now.
        for _ in 0..<4 { paginator.edits { (number: Int) in number }.update(2) { $0 } }
        #expect(ended.withLock { $0.isEmpty })
        clock.advance(by: .minutes(2))
        paginator.edits { (number: Int) in number }.update(3) { $0 }
        #expect(ended.withLock { $0 } == [false])
    }

    @Test func `what an edit of stored pages finds its item by ends while no lock is held`() {
        let ended = Guarded<[Bool]>([])
        func makeEdit() -> PageEdit<Int> {
            PageEdit(of: ItemTarget(identifier: Probe(ended), hash: 1) { _ in [] }) { _ in nil }
        }
        var edit: PageEdit<Int>? = makeEdit()
        var (_, gone) = DeferredRelease.collect { edit = nil }
        let isGone = edit == nil
        #expect(isGone && ended.withLock { $0.isEmpty })
        gone.removeAll()
        #expect(ended.withLock { $0 } == [false])
    }

    @Test func `an edit applies few of the edits that others make meanwhile, and its paginator the rest`() {
        let rig = FetchRig()
        rig.fetch("1")
        let edits = rig.paginator.edits(id: \.id)
        let applied = Guarded<Set<Int>>([])
        edits.afterEdits {
            for number in 1...100 {
                edits.update(1) { item in
                    applied.withLock { _ = $0.insert(number) }
                    return SampleItem(id: item.id, text: "\(number)")
                }
            }
        }
        #expect(applied.withLock { $0.count } < 20)
        rig.run()
        #expect(rig.paginator.peek(key: "1", pageSize: 10)?.page.content.map(\.text) == ["100"])
    }

    /// How many of ten edits the log keeps two minutes later, with one more edit.
    private func kept(oldestLoad: PaginatorInstant? = nil, undeliveredPages: UInt64 = 0) -> Int {
        let log = EditLog()
        let ended = Guarded<[Bool]>([])
        func after(_ seconds: Int) -> PaginatorInstant { PaginatorInstant.zero.advanced(by: .seconds(seconds)) }
        for second in 0..<10 {
            let probe = Probe(ended)
            _ = log.append({ page in withExtendedLifetime(probe) { page } }, at: after(second))
        }
        log.undeliveredPages.value = undeliveredPages
        _ = log.append({ $0 }, at: after(120), oldestLoad: { oldestLoad })
        return 10 - ended.withLock { $0.count }
    }

    @Test func `the log drops the edits that no page can lack any more and no others`() {
        #expect(kept() == 0)
        #expect(kept(undeliveredPages: 1) == 10)
        // Its page has those that were committed before it began.
        #expect(kept(oldestLoad: PaginatorInstant.zero.advanced(by: .seconds(7))) == 3)
    }
}
