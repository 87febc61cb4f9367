import PaginatorCore

/// A conversation of 95 messages, in which Mia writes and others answer.
actor ChatServer {
    private var messages = (1...95).map {
        Message(id: "old-\($0)", number: $0, author: $0.isMultiple(of: 3) ? "Mia" : "Ben", text: "message \($0)")
    }
    private var listeners: [@Sendable (Message) -> Void] = []
    private var waiting: [CheckedContinuation<Void, Never>]?

    /// The page that begins with a message; its key is the number of that message.
    func page(from number: Int, count: Int) -> PaginatorPage<Message> {
        let first = max(1, number)
        let content = messages.dropFirst(first - 1).prefix(count)
        let next = first + content.count
        return PaginatorPage(
            content: Array(content), key: String(number), prevKey: first > 1 ? String(max(1, first - count)) : nil,
            nextKey: next <= messages.count ? String(next) : nil)
    }

    /// Takes a message, tells everybody of it, its author included, and returns it with its number.
    func take(_ message: Message) async throws -> Message {
        if waiting != nil { await withCheckedContinuation { waiting?.append($0) } }
        guard message.text.count <= 20 else { throw TooLong() }
        var taken = message
        taken.number = messages.count + 1
        messages.append(taken)
        for listener in listeners { listener(taken) }
        return taken
    }

    /// The phone is in a tunnel: what is sent waits.
    func enterTunnel() { waiting = [] }

    /// What has waited is taken.
    func leaveTunnel() {
        for each in waiting ?? [] { each.resume() }
        waiting = nil
    }

    /// What a socket does: tells each new message.
    func listen(_ listener: @escaping @Sendable (Message) -> Void) { listeners.append(listener) }
}

struct TooLong: Error {}
