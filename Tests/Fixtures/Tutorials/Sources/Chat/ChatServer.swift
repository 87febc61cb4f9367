import PaginatorCore

/// A conversation of 95 messages between Mia and Ben.
actor ChatServer {
    private var messages = (1...95).map {
        Message(id: "old-\($0)", number: $0, author: $0.isMultiple(of: 3) ? "Mia" : "Ben", text: "message \($0)")
    }
    private var listeners: [@Sendable (Message) -> Void] = []
    private var waiting: [CheckedContinuation<Void, Never>]?

    /// The page that begins with a message; its key is that message's number.
    func page(from number: Int, count: Int) -> PaginatorPage<Message> {
        let first = max(1, number)
        let content = messages.dropFirst(first - 1).prefix(count)
        let next = first + content.count
        return PaginatorPage(
            content: Array(content), key: String(number), prevKey: first > 1 ? String(max(1, first - count)) : nil,
            nextKey: next <= messages.count ? String(next) : nil)
    }

    /// Accepts a message, notifies all listeners, including its author's, and returns it with its number.
    func take(_ message: Message) async throws -> Message {
        if waiting != nil { await withCheckedContinuation { waiting?.append($0) } }
        guard message.text.count <= 20 else { throw TooLong() }
        var taken = message
        taken.number = messages.count + 1
        messages.append(taken)
        for listener in listeners { listener(taken) }
        return taken
    }

    /// The phone is in a tunnel: messages wait.
    func enterTunnel() { waiting = [] }

    /// The phone has left the tunnel: waiting messages are accepted.
    func leaveTunnel() {
        for each in waiting ?? [] { each.resume() }
        waiting = nil
    }

    /// Calls the listener with each new message, like a socket.
    func listen(_ listener: @escaping @Sendable (Message) -> Void) { listeners.append(listener) }
}

struct TooLong: Error {}
