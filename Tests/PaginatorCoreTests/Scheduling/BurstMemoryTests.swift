import Testing

@testable import PaginatorCore

/// What a burst needed is given back when it is over.
@Suite("After a burst") struct BurstMemoryTests {
    @Test func `a scheduler keeps no memory of tasks that are gone`() {
        var machine = SchedulerMachine(config: PaginatorSchedulerConfig(), seed: 1)
        let client = machine.addClient()
        let tasks = (1...20_000).map { SchedulerTask(client: client, id: UInt64($0)) }
        for task in tasks { machine.handle(.submit(task, SchedulerDemand(.low, isPrefetch: false)), at: .zero) }
        for task in tasks.dropFirst() { machine.handle(.cancel(task), at: .zero) }
        #expect(machine.clients[client]?.count == 1, "the one that is left stays, however many there were")
        machine.handle(.cancel(tasks[0]), at: .zero)
        #expect((machine.clients[client]?.capacity ?? 0) <= 1_024)
    }

    @Test func `a queue keeps no memory of deadlines that are gone`() throws {
        var queue = DeadlineQueue<Int>()
        for key in 0..<20_000 { queue.set(key, at: .zero) }
        for key in 0..<20_000 { queue.remove(key) }
        let places = try #require(Mirror(reflecting: queue).descendant("places") as? [Int: Int])
        #expect(places.capacity <= 1_024)
    }

    @Test func `work that waits for a thread runs in its order, and may come while it runs`() {
        var queue = Queue<Int>()
        var taken: [Int] = []
        for number in 0..<10 { queue.append(number) }
        while let number = queue.popFirst() {
            taken.append(number)
            if number < 10 { queue.append(number + 10) }
        }
        #expect(taken == Array(0..<20))
        #expect(queue.isEmpty)
    }
}
