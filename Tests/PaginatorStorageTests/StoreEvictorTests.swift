import PaginatorCore
import PaginatorStorage
import Testing

/// The evictor of a store that is written without a page file.
@Suite("The evictor of a user's store")
struct StoreEvictorTests {
    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10) }

    private func save(_ key: String, bytes: Int = 1, in evictor: inout StoreEvictor) -> Bool {
        evictor.save(id(key), bytes: bytes, items: 1, at: .zero)
    }

    @Test func `A page that was read stays, and one that was not goes`() {
        var evictor = StoreEvictor(strategy: .lru(maxPages: 2))
        for key in ["a", "b"] { #expect(save(key, in: &evictor)) }
        evictor.use(id("a"))
        evictor.use(id("unknown"))
        #expect(evictor.nextVictim(at: .zero) == nil)
        #expect(save("c", in: &evictor))
        #expect(evictor.nextVictim(at: .zero) == id("b"))
        #expect(evictor.nextVictim(at: .zero) == nil)
    }

    @Test func `A page that is gone makes room, and one that is too large is not admitted`() {
        var evictor = StoreEvictor(strategy: .lru(maxBytes: 10))
        #expect(save("a", bytes: 10, in: &evictor))
        evictor.remove(id("a"))
        #expect(save("b", bytes: 10, in: &evictor))
        #expect(evictor.nextVictim(at: .zero) == nil)
        #expect(!save("b", bytes: 11, in: &evictor))
        #expect(save("c", bytes: 10, in: &evictor))
        #expect(evictor.nextVictim(at: .zero) == nil)
    }

    @Test func `After a removal the next page takes the free place, and no other one goes for it`() {
        var evictor = StoreEvictor(strategy: .lru(maxPages: 2))
        for key in ["a", "b"] { #expect(save(key, in: &evictor)) }
        evictor.remove(id("b"))
        #expect(save("c", in: &evictor))
        #expect(evictor.nextVictim(at: .zero) == nil)
        // Nor for one that is saved again and again.
        for _ in 0..<3 { #expect(save("c", in: &evictor)) }
        #expect(evictor.nextVictim(at: .zero) == nil)
    }

    @Test func `LIFO keeps the place of a page that is saved again`() {
        var evictor = StoreEvictor(strategy: .lifo(maxPages: 3))
        for key in ["a", "b", "c", "a", "d"] { #expect(save(key, in: &evictor)) }
        #expect(evictor.nextVictim(at: .zero) == id("c"))
        #expect(evictor.nextVictim(at: .zero) == nil)
    }

    /// Takes no page that was read before.
    private struct UnreadPages: PaginatorEvictionStrategy {
        func inserted(_ page: PageHandle, _ facts: PageFacts) {}
        func used(_ page: PageHandle) {}
        func removed(_ page: PageHandle) {}
        func victim(in usage: PageUsage) -> PageHandle? { nil }
        func admits(_ facts: PageFacts) -> Bool { facts.restoredUses == 0 }
    }

    @Test func `A strategy is told how often a page was read that is saved again; a new page was not read`() {
        var evictor = StoreEvictor(strategy: EvictionStrategy(UnreadPages()))
        #expect(save("a", in: &evictor))
        #expect(save("a", in: &evictor))
        evictor.use(id("a"))
        #expect(!save("a", in: &evictor))
        // It was not admitted, so it is a new one when it comes again.
        #expect(save("a", in: &evictor))
    }
}
