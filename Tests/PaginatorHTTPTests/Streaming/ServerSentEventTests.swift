import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// The expectations are those of the HTML standard, section "Server-sent events", with its own examples among them.
struct ServerSentEventTests {
    private static let streams: [(text: String, events: [ServerSentEvent])] = [
        (
            "data: YHOO\ndata: +2\ndata: 10\n\n",
            [ServerSentEvent(data: "YHOO\n+2\n10")]
        ),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [
                ServerSentEvent(lastID: "1", hasOwnID: true, data: "first event"),
                ServerSentEvent(hasOwnID: true, data: "second event"),
                ServerSentEvent(data: " third event"),
            ]
        ),
        // An empty event is one where it has a line of data; the last is never ended.
        ("data\n\ndata\ndata\n\ndata:", [ServerSentEvent(data: ""), ServerSentEvent(data: "\n")]),
        ("data:test\n\ndata: test\n\n", [ServerSentEvent(data: "test"), ServerSentEvent(data: "test")]),
        ("event: add\r\ndata: 7\r\n\r\n", [ServerSentEvent(name: "add", data: "7")]),
        ("event: add\rdata: 7\r\rdata: 8\r\r", [ServerSentEvent(name: "add", data: "7"), ServerSentEvent(data: "8")]),
        ("\u{FEFF}data: 1\n\n", [ServerSentEvent(data: "1")]),
        ("id: a\u{0}b\ndata: 1\n\n", [ServerSentEvent(data: "1")]),
        ("id: 5\n\ndata: 1\n\n", [ServerSentEvent(lastID: "5", data: "1")]),
        ("other: 1\ndata: é🎈\n\n", [ServerSentEvent(data: "é🎈")]),
        ("event: lost\n\ndata: 1\n\n", [ServerSentEvent(data: "1")]),
    ]

    @Test func `reads what the standard says, in pieces of any size`() throws {
        for (text, events) in Self.streams {
            let bytes = Array(text.utf8)
            for size in 1...max(1, bytes.count) {
                var parser = ServerSentEventParser(maxBytes: 1_000)
                var read: [ServerSentEvent] = []
                for start in stride(from: 0, to: bytes.count, by: size) {
                    read += try parser.take(bytes[start..<min(bytes.count, start + size)])
                }
                #expect(read == events, "\(text.debugDescription) in pieces of \(size)")
            }
        }
    }

    @Test func `remembers the id to go on from, and the delay`() throws {
        var parser = ServerSentEventParser(lastID: "3", maxBytes: 100)
        #expect(try parser.take("data: 1\n\n".utf8) == [ServerSentEvent(lastID: "3", data: "1")])
        #expect(try parser.take("id: 4\ndata: 2\n".utf8).isEmpty)
        #expect(parser.lastID == "3", "the event is not there yet")
        #expect(try parser.take("\n".utf8).count == 1)
        #expect(parser.lastID == "4")
        _ = try parser.take("retry: 10x\nretry: 99999999999999999999\nretry: 250\nretry:\n".utf8)
        #expect(parser.retryDelay == .milliseconds(250))
    }

    @Test func `bounds lines and events`() throws {
        var line = ServerSentEventParser(maxBytes: 10)
        #expect(try line.take("data: 1234\n\n".utf8) == [ServerSentEvent(data: "1234")], "as long as it may be")
        #expect(throws: ServerSentEventParser.TooLong.self) { try line.take("data: 12345".utf8) }
        var event = ServerSentEventParser(maxBytes: 12)
        #expect(throws: ServerSentEventParser.TooLong.self) { try event.take("data: 123\ndata: 456\ndata: 789\n".utf8) }
        var many = ServerSentEventParser(maxBytes: 12)
        #expect(try many.take(String(repeating: "data: 123\n\n", count: 100).utf8).count == 100)
    }
}
