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
}
