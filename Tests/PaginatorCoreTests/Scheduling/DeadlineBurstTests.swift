import Testing

@testable import PaginatorCore

@Suite struct DeadlineBurstTests {
    private func at(_ nanoseconds: Int) -> PaginatorInstant { PaginatorInstant(nanoseconds: Int64(nanoseconds)) }

    @Test func `of thousands of deadlines one may go, and the others still come in order`() {
        var queue = DeadlineQueue<Int>()
        for key in 0..<3_000 { queue.set(key, at: at(key)) }
        queue.remove(1_500)
        #expect(queue.count == 2_999)
        var came: [Int] = []
        while let key = queue.popDue(at: at(3_000)) { came.append(key) }
        #expect(came == Array(0..<1_500) + Array(1_501..<3_000))
        #expect(queue.invariantViolations() == [])
        queue.set(7, at: at(9))
        #expect(queue.first == 7 && queue.next == at(9), "the queue is as good as new after the burst")
    }
}
