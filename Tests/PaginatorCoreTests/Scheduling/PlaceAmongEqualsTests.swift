import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Within one priority, the one that asked first starts first.
@Suite struct PlaceAmongEqualsTests {
    @Test func `a page that somebody hurried wants for a moment keeps its place among the others`() {
        let rig = FetchRig { $0.maxParallelCalls = 1 }
        rig.hangSource()
        rig.fetch("0")
        for key in 1...3 { rig.fetch("\(key)") }
        rig.fetch("1", priority: .high).execution.cancel()
        rig.run()
        for key in 0...3 { rig.answer("\(key)") }
        #expect(rig.source.keys == ["0", "1", "2", "3"])
    }

    @Test func `also when it was lowered for a moment, and however many others have come and gone`() {
        var queue = ReadyQueue()
        let handles = (0..<500 as Range<UInt64>).map {
            queue.add(
                SchedulerTask(client: 1, id: $0), priority: .medium, kind: .wanted,
                at: PaginatorInstant(nanoseconds: Int64($0)))
        }
        for place in [3, 70, 71, 130, 499] {
            queue.reprioritize(handles[place], priority: .low, kind: .wanted, at: .zero)
        }
        let taken = (0..<100).map { _ in queue.take(upTo: .idlePrefetch)?.task.id }
        #expect(taken == (0..<103 as Range<UInt64>).filter { ![3, 70, 71].contains($0) })
        for place in [130, 71, 499, 3, 70] {
            queue.reprioritize(handles[place], priority: .medium, kind: .wanted, at: .zero)
        }
        var order: [UInt64] = []
        while let entry = queue.take(upTo: .idlePrefetch) { order.append(entry.task.id) }
        #expect(order == [3, 70, 71] + Array(103..<500))
    }
}
