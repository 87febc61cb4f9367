import Testing

@testable import PaginatorCore

@Suite struct SlotsTests {
    @Test func aPrefetchNeverTakesTheLastFreeSlot() {
        var slots = Slots(limit: 3)
        slots.take()
        #expect(slots.free == 2)
        #expect(slots.admitsPrefetch)
        slots.take()
        #expect(slots.free == 1)
        #expect(!slots.admitsPrefetch)
        slots.release()
        #expect(slots.admitsPrefetch)
    }

    @Test func theOnlySlotThereIsTakesPrefetchesToo() {
        var slots = Slots(limit: 1)
        #expect(slots.admitsPrefetch)
        slots.take()
        #expect(!slots.admitsPrefetch)
    }

    @Test func loweringTheLimitStopsNothing() {
        var slots = Slots(limit: 4)
        for _ in 0..<4 { slots.take() }
        slots.limit = 2
        #expect(slots.running == 4)
        #expect(slots.free == 0)
        for _ in 0..<3 { slots.release() }
        #expect(slots.free == 1)
    }

    @Test func thereIsAtLeastOneSlot() {
        var slots = Slots(limit: -3)
        #expect(slots.free == 1)
        slots.limit = 0
        #expect(slots.free == 1)
    }
}
