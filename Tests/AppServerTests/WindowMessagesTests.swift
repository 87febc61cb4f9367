import Testing

@testable import FeedChatExample

/// What is said next to a window, and what is not said any more.
@Suite struct WindowMessagesTests {
    private func look(_ state: AppJSON, _ names: [String]) -> WindowMessages.Look {
        WindowMessages.Look(
            kind: "feed", state: state, rows: names.map { AppRow(id: $0, content: .placeholder("post")) })
    }

    /// Everything that waits.
    private func rest(_ mail: inout WindowMessages, _ look: (Int64) -> WindowMessages.Look?) -> [AppJSON] {
        var messages: [AppJSON] = []
        while let message = mail.next(look) { messages.append(message) }
        return messages
    }

    @Test func `a screen is told whole at first, and what has changed later`() {
        var mail = WindowMessages()
        mail.changed(3)
        let first = rest(&mail) { _ in look(["waiting": 0], ["a", "b"]) }
        #expect(first.map { $0["t"] } == ["screen", "list"])
        #expect(first.last?["n"] == 2)
        #expect(first.last?["reset"] != nil)
        mail.changed(3)
        let second = rest(&mail) { _ in look(["waiting": 0], ["a", "b", "c"]) }
        #expect(
            second == [
                ["t": "list", "id": 3, "n": 3, "ops": [["+", 2, ["id": "c", "kind": "placeholder", "like": "post"]]]]
            ])
        #expect(rest(&mail) { _ in look(["waiting": 0], ["a", "b", "c"]) }.isEmpty)
    }

    @Test func `states that a slow browser misses are never said`() {
        var mail = WindowMessages()
        mail.changed(3)
        _ = rest(&mail) { _ in look(["waiting": 0], ["a"]) }
        for _ in 1...1_000 { mail.changed(3) }
        let messages = rest(&mail) { _ in look(["waiting": 1_000], ["b"]) }
        #expect(messages.count == 2)
        #expect(messages.first?["state"] == ["waiting": 1_000])
    }

    @Test func `a screen that looks as it did says nothing`() {
        var mail = WindowMessages()
        mail.changed(3)
        _ = rest(&mail) { _ in look([:], ["a"]) }
        mail.changed(3)
        #expect(rest(&mail) { _ in look([:], ["a"]) }.isEmpty)
    }

    @Test func `a page that has lost count is told everything anew`() {
        var mail = WindowMessages()
        mail.changed(3)
        _ = rest(&mail) { _ in look([:], ["a"]) }
        mail.again(3)
        #expect(rest(&mail) { _ in look([:], ["a"]) }.map { $0["t"] } == ["screen", "list"])
    }

    @Test func `rows that a page sees are found where they stand now, and not where they stood`() {
        let rows = look([:], ["a", "b", "c", "d", "e"]).rows ?? []
        #expect(rows.positions(from: "b", to: "d") == 1..<4)
        #expect(Array(rows.dropFirst()).positions(from: "b", to: "d") == 0..<3)
        #expect(Array(rows.dropFirst()).positions(from: "a", to: "b") == nil)
        #expect(rows.positions(from: "d", to: "b") == nil)
    }

    @Test func `a closed screen says nothing, and its number may be another screen`() {
        var mail = WindowMessages()
        mail.changed(3)
        _ = rest(&mail) { _ in look([:], ["a"]) }
        mail.changed(3)
        mail.closed(3)
        #expect(rest(&mail) { _ in look([:], ["b"]) }.isEmpty)
        mail.changed(3)
        #expect(rest(&mail) { _ in look([:], ["a"]) }.last?["reset"] != nil)
    }

    @Test func `answers come before states, in their order`() {
        var mail = WindowMessages()
        mail.changed(3)
        mail.say(["t": "done", "n": 1])
        mail.say(["t": "done", "n": 2])
        #expect(rest(&mail) { _ in look([:], []) }.map { $0["t"] } == ["done", "done", "screen", "list"])
    }

    @Test func `a browser that asks without reading is given up`() {
        var mail = WindowMessages()
        for _ in 0..<WindowMessages.answerLimit { mail.say(["t": "done"]) }
        #expect(!mail.isFull)
        mail.say(["t": "done"])
        #expect(mail.isFull)
    }
}
