import Testing

@testable import PaginatorCore

@Suite struct DeadlineQueueTests {
    private func at(_ nanoseconds: Int64) -> PaginatorInstant { PaginatorInstant(nanoseconds: nanoseconds) }

    @Test func `the earliest deadline comes first`() {
        var queue = DeadlineQueue<String>()
        #expect(queue.next == nil)
        queue.set("late", at: at(30))
        queue.set("early", at: at(10))
        queue.set("middle", at: at(20))
        #expect(queue.next == at(10))
        #expect(queue.count == 3)
        #expect(queue.popDue(at: at(9)) == nil)
        #expect(queue.popDue(at: at(25)) == "early")
        #expect(queue.popDue(at: at(25)) == "middle")
        #expect(queue.popDue(at: at(25)) == nil)
        #expect(queue.popDue(at: at(30)) == "late")
        #expect(queue.isEmpty)
        #expect(queue.next == nil)
    }

    @Test func `equal deadlines come in order of setting`() {
        var queue = DeadlineQueue<Int>()
        for key in 0..<20 { queue.set(key, at: at(5)) }
        queue.set(3, at: at(5))
        var order: [Int] = []
        while let key = queue.popDue(at: at(5)) { order.append(key) }
        #expect(order == [0, 1, 2] + Array(4..<20) + [3])
    }

    @Test func `setting again moves either way`() {
        var queue = DeadlineQueue<String>()
        queue.set("a", at: at(10))
        queue.set("b", at: at(20))
        queue.set("a", at: at(30))
        #expect(queue.next == at(20))
        #expect(queue.deadline(of: "a") == at(30))
        queue.set("a", at: at(1))
        #expect(queue.popDue(at: at(100)) == "a")
        #expect(queue.count == 1)
    }

    @Test func `removing an unknown key is harmless`() {
        var queue = DeadlineQueue<String>()
        queue.remove("a")
        queue.set("a", at: at(10))
        queue.remove("a")
        queue.remove("a")
        #expect(queue.next == nil)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `agrees with a sorted list`(seed: UInt64) throws {
        struct Model {
            var rows: [(key: Int, deadline: PaginatorInstant, order: Int)] = []
            var orders = 0

            var first: Int? {
                rows.indices.min { (rows[$0].deadline, rows[$0].order) < (rows[$1].deadline, rows[$1].order) }
            }
            mutating func remove(_ key: Int) { rows.removeAll { $0.key == key } }
            mutating func set(_ key: Int, at deadline: PaginatorInstant) {
                remove(key)
                orders += 1
                rows.append((key, deadline, orders))
            }
            mutating func popDue(at now: PaginatorInstant) -> Int? {
                guard let first, rows[first].deadline <= now else { return nil }
                return rows.remove(at: first).key
            }
        }
        var random = SplitMix64(seed: seed)
        var queue = DeadlineQueue<Int>()
        var model = Model()
        for step in 0..<4_000 {
            let key = Int.random(in: 0..<60, using: &random)
            let deadline = at(Int64.random(in: 0..<40, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                queue.set(key, at: deadline)
                model.set(key, at: deadline)
            case 2:
                let known = model.rows.first { $0.key == key }?.deadline
                try #require(queue.deadline(of: key) == known, "seed \(seed), step \(step)")
                queue.remove(key)
                model.remove(key)
            default:
                let now = at(Int64.random(in: 0..<20, using: &random))
                try #require(queue.popDue(at: now) == model.popDue(at: now), "seed \(seed), step \(step)")
            }
            try #require(queue.invariantViolations() == [], "seed \(seed), step \(step)")
            try #require(queue.count == model.rows.count, "seed \(seed), step \(step)")
            try #require(queue.next == model.first.map { model.rows[$0].deadline }, "seed \(seed), step \(step)")
        }
    }
}
