import ChatClient
import PaginatorTesting
import Testing

/// Accepted messages stand by the server's id, those that wait behind them by the time of writing.
struct TimelineTests {
    private func message(_ id: Int64, requestId: String? = nil, status: MessageStatus = .synced) -> Message {
        Message(
            messageId: id, fromUserId: "ann", toUserId: "bob", content: "\(id)", status: status, createdAt: 1_000 - id,
            requestId: requestId)
    }

    private func request(_ id: String, at time: Int64, _ status: MessageRequestStatus = .pending) -> MessageRequest {
        MessageRequest(requestId: id, toUserId: "bob", content: id, status: status, createdAt: time)
    }

    @Test func `clocks order nothing that was accepted`() {
        let rows = Timeline.rows(messages: [message(3), message(1), message(2)], requests: [])
        #expect(rows.map(\.content) == ["1", "2", "3"])
    }

    @Test func `what waits follows by the time of writing`() {
        let rows = Timeline.rows(
            messages: [message(5)], requests: [request("c", at: 3), request("a", at: 1), request("b", at: 1)])
        #expect(rows.map(\.content) == ["5", "a", "b", "c"])
    }

    @Test func `drafts are not shown and failures are`() {
        let rows = Timeline.rows(messages: [], requests: [request("d", at: 1, .draft), request("f", at: 2, .failed)])
        #expect(rows.map(\.content) == ["f"])
    }

    @Test func `a request that became a message is not shown twice`() {
        let rows = Timeline.rows(messages: [message(9, requestId: "a")], requests: [request("a", at: 1)])
        #expect(rows == [.message(message(9, requestId: "a"))])
    }

    @Test func `a gap stands before what waits and only at the end`() {
        let rows = Timeline.rows(messages: [message(1)], requests: [request("a", at: 1)], hasGap: true)
        #expect(rows.map(\.content) == ["1", "", "a"])
        #expect(rows[1] == .gap)
        let far = Timeline.rows(messages: [message(1)], requests: [request("a", at: 1)], hasGap: true, showsEnd: false)
        #expect(far.map(\.content) == ["1"])
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `any order and repetition of the tellings ends the same`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let tellings = (1...20).flatMap { id in
            MessageStatus.allCases.map { message(Int64(id), requestId: $0 == .read ? "r\(id)" : nil, status: $0) }
        }
        var shuffled = (tellings + tellings.prefix(17)).shuffled(using: &random)
        shuffled += shuffled.prefix(5)
        let rows = Timeline.rows(messages: shuffled, requests: [])
        let expected = (1...20).map { TimelineRow.message(message(Int64($0), requestId: "r\($0)", status: .read)) }
        #expect(rows == expected, "seed \(seed)")
    }
}
