import ChatClient
import Foundation
import PaginatorCore

@testable import FeedChatExample

/// What a page in the browser is, without one: it opens screens, keeps their rows, and waits for what they show.
@MainActor final class PageDouble {
    struct Screen {
        var state = AppJSON.object([:])
        var rows: [AppJSON] = []
    }

    private(set) var screens: [Int64: Screen] = [:]
    private(set) var others: [AppJSON] = []
    /// Whether a step did not fit the rows.
    private(set) var hasLostCount = false
    private var connection: (any ChatConnection)?
    private let inputs: AsyncStream<SocketInput>
    private let put: AsyncStream<SocketInput>.Continuation

    init(_ url: URL) async throws {
        (inputs, put) = AsyncStream<SocketInput>.makeStream()
        var address = URLComponents(url: url, resolvingAgainstBaseURL: false)
        address?.scheme = "ws"
        address?.path = "/app"
        guard let socket = address?.url else { throw ChatTransportError.badAddress }
        connection = try await WebSocketTransport().connect(socket, token: "none") { [put] in put.yield($0) }
    }

    func say(_ message: AppJSON) { connection?.send(text: String(decoding: message.bytes, as: UTF8.self)) }

    func open(_ id: Int64, _ kind: String, with: AppJSON = [:]) {
        say(["t": "open", "id": .int(id), "kind": .string(kind), "with": with])
    }

    func act(_ id: Int64, _ what: String, _ more: [String: AppJSON] = [:]) {
        say(.object(more.merging(["t": "do", "n": 1, "id": .int(id), "what": .string(what)]) { first, _ in first }))
    }

    /// How many replies are shown in the first screen.
    var replies: Int { screens[1]?.rows.count { $0["kind"] == "comment" && $0["parent"] != nil } ?? 0 }
    /// What stands below them.
    var threadEnd: AppJSON? { screens[1]?.rows.first { $0["kind"] == "footer" && $0["parent"] != nil } }

    /// Takes what comes until something is so; returns whether it came to be.
    func wait(until isMet: (PageDouble) -> Bool) async -> Bool {
        if isMet(self) { return true }
        for await input in inputs {
            guard case .text(let text) = input, let message = AppJSON(Data(text.utf8)) else { return false }
            take(message)
            if isMet(self) { return true }
        }
        return false
    }

    private func take(_ message: AppJSON) {
        let id = message["id"]?.int ?? -1
        switch message["t"]?.string {
        case "screen": screens[id, default: Screen()].state = message["state"] ?? .null
        case "list":
            var rows = screens[id]?.rows ?? []
            if case .array(let all)? = message["reset"] { rows = all }
            if case .array(let ops)? = message["ops"] { for op in ops { apply(op, to: &rows) } }
            hasLostCount = hasLostCount || Int64(rows.count) != message["n"]?.int
            screens[id, default: Screen()].rows = rows
        default: others.append(message)
        }
    }

    private func apply(_ op: AppJSON, to rows: inout [AppJSON]) {
        guard case .array(let parts) = op, parts.count >= 2, let place = parts[1].int.map(Int.init), place >= 0,
            place < rows.count || (parts[0] == "+" && place == rows.count)
        else {
            hasLostCount = true
            return
        }
        switch parts[0].string {
        case "-": rows.remove(at: place)
        case "+": rows.insert(parts[2], at: place)
        default: rows[place] = parts[2]
        }
    }
}

extension AppJSON {
    /// The text of runs, put together.
    func string(of member: String) -> String? {
        guard case .array(let runs) = self else { return nil }
        return runs.compactMap { $0[member]?.string }.joined()
    }
}
