import Testing

@testable import PaginatorCore

/// A thousand pages or a million: a call does as much. Counted, not timed.
@Suite struct EvictionOperationCountTests {
    @Test func `a strategy is called as often however many pages there are`() {
        let small = calls(in: 1_000)
        let large = calls(in: 1_000_000)
        #expect(small == large)
        #expect(small == CallCounts(inserted: 500, used: 500, removed: 500, victim: 1_000))
    }

    @Test func `pages that only a minimum keeps are not searched one by one`() {
        let (small, large) = (calls(in: 40, limit: 10), calls(in: 400, limit: 10))
        #expect(small == large)
        #expect(small == CallCounts(inserted: 500, used: 500, removed: 500, victim: 500))
    }

    /// The calls of 500 reads and 500 insertions into a full cache. With a limit, a minimum keeps more pages than that.
    private func calls(in capacity: Int, limit: Int? = nil) -> CallCounts {
        let counter = CallCounter()
        let base = QueueOrder(.lru, EvictionLimits(pages: limit ?? capacity))
        let strategy = CountingStrategy(counter: counter, base: base)
        let minimum = limit == nil ? 0 : capacity
        var evictor = PaginatorEvictor(strategy: EvictionStrategy(strategy).keepingAtLeast(pages: minimum))
        for key in 0..<capacity {
            _ = evictor.insert(PageFacts(bytes: 1, items: 1, keyHash: UInt64(key)), at: .zero)
        }
        counter.reset()
        var newest = PageHandle(index: capacity - 1)
        for key in 0..<500 {
            evictor.use(newest)
            let facts = PageFacts(bytes: 1, items: 1, keyHash: UInt64(capacity + key))
            newest = evictor.insert(facts, at: .zero) ?? newest
            while evictor.nextVictim() != nil {}
        }
        return counter.counts
    }
}

struct CallCounts: Equatable {
    var inserted = 0
    var used = 0
    var removed = 0
    var victim = 0
}

final class CallCounter: Sendable {
    private let guarded = Guarded(CallCounts())

    var counts: CallCounts { guarded.withLock { $0 } }

    func reset() { guarded.withLock { $0 = CallCounts() } }

    func count(_ call: WritableKeyPath<CallCounts, Int>) { guarded.withLock { $0[keyPath: call] += 1 } }
}

private struct CountingStrategy: PaginatorEvictionStrategy {
    let counter: CallCounter
    var base: QueueOrder

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        counter.count(\.inserted)
        base.inserted(page, facts)
    }

    mutating func used(_ page: PageHandle) {
        counter.count(\.used)
        base.used(page)
    }

    mutating func removed(_ page: PageHandle) {
        counter.count(\.removed)
        base.removed(page)
    }

    mutating func victim(in usage: PageUsage) -> PageHandle? {
        counter.count(\.victim)
        return base.victim(in: usage)
    }
}
