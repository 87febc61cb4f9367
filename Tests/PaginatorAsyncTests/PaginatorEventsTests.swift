import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

@Suite struct PaginatorEventsTests {
    @Test func `every iterator gets every event in order`() async throws {
        let events = PaginatorEvents()
        var first = events.makeAsyncIterator()
        var second = events.makeAsyncIterator()
        let world = AsyncWorld { $0.observer = events }
        _ = try await world.paginator.fetch(key: "0", pageSize: 10)
        var kinds: [PaginatorEvent.Kind] = []
        while kinds.last != .fetchEnded, let event = await first.next() { kinds.append(event.kind) }
        #expect(kinds.first == .fetchStarted)
        #expect(kinds.contains(.attemptStarted))
        var others: [PaginatorEvent.Kind] = []
        while others.count < kinds.count, let event = await second.next() { others.append(event.kind) }
        #expect(others == kinds)
    }

    @Test func `what finds no room is counted at its place`() async {
        let events = PaginatorEvents(capacity: 3)
        var iterator = events.makeAsyncIterator()
        for _ in 0..<10 { events.paginatorDidReport(PaginatorEvent(.joined, at: .zero)) }
        for _ in 0..<3 { #expect(await iterator.next()?.kind == .joined) }
        let loss = await iterator.next()
        #expect(loss?.kind == .eventsLost)
        #expect(loss?.count == 7)
        events.paginatorDidReport(PaginatorEvent(.memoryHit, at: .zero))
        #expect(await iterator.next()?.kind == .memoryHit)
    }

    @Test(arguments: [1, 0, -1])
    func `one event waits whatever the capacity, and no more than one if that is one`(_ capacity: Int) async {
        let events = PaginatorEvents(capacity: capacity)
        var iterator = events.makeAsyncIterator()
        for _ in 0..<3 { events.paginatorDidReport(PaginatorEvent(.joined, at: .zero)) }
        #expect(await iterator.next()?.kind == .joined)
        let loss = await iterator.next()
        #expect(loss?.kind == .eventsLost && loss?.count == 2)
    }

    @Test func `no more events wait than the capacity, also while some are taken`() async {
        let events = PaginatorEvents(capacity: 2)
        var iterator = events.makeAsyncIterator()
        func put(_ kinds: PaginatorEvent.Kind...) {
            for kind in kinds { events.paginatorDidReport(PaginatorEvent(kind, at: .zero)) }
        }
        put(.joined, .memoryHit)
        #expect(await iterator.next()?.kind == .joined)
        put(.attemptStarted, .attemptEnded)
        #expect(await iterator.next()?.kind == .memoryHit)
        // The lost event was between this one and the next.
        put(.validated)
        #expect(await iterator.next()?.kind == .attemptStarted)
        let loss = await iterator.next()
        #expect(loss?.kind == .eventsLost && loss?.count == 1)
        #expect(await iterator.next()?.kind == .validated)
    }

    @Test func `a finished sequence delivers what waits and ends`() async {
        let events = PaginatorEvents()
        var iterator = events.makeAsyncIterator()
        events.paginatorDidReport(PaginatorEvent(.joined, at: .zero))
        events.finish()
        events.paginatorDidReport(PaginatorEvent(.joined, at: .zero))
        #expect(await iterator.next()?.kind == .joined)
        #expect(await iterator.next()?.kind == nil)
        var late = events.makeAsyncIterator()
        #expect(await late.next()?.kind == nil)
    }

    @Test func `it ends in a cancelled task, and when nobody can report any more`() async throws {
        let events = PaginatorEvents()
        let started = Handshake(false)
        let task = Task {
            var iterator = events.makeAsyncIterator()
            started.update { $0 = true }
            while await iterator.next() != nil {}
        }
        try await started.wait { $0 }
        task.cancel()
        await task.value

        var shortLived: PaginatorEvents? = PaginatorEvents()
        var iterator = try #require(shortLived).makeAsyncIterator()
        shortLived = nil
        #expect(await iterator.next()?.kind == nil)
    }
}
