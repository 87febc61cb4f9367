/// Decides the next message to one window of the page.
///
/// It records that a screen has changed, and not its state: the state is read when the previous message has been sent.
/// So a slow browser skips states and delays nothing.
struct WindowMessages {
    private struct Told {
        var state: AppJSON?
        var rows: [AppRow]?
    }

    /// The state and rows of a screen.
    struct Look {
        let kind: String
        let state: AppJSON
        let rows: [AppRow]?
    }

    /// The maximum number of answers that wait for a browser that does not read.
    static let answerLimit = 500

    private var answers: [AppJSON] = []
    private var told: [Int64: Told] = [:]
    private var changed: [Int64] = []

    /// Whether the browser has too many unread messages.
    private(set) var isFull = false

    /// Adds a message that is not a screen state.
    mutating func say(_ message: AppJSON) {
        isFull = isFull || answers.count >= Self.answerLimit
        if !isFull { answers.append(message) }
    }

    /// Records that a screen was opened or has changed.
    mutating func changed(_ id: Int64) {
        if !changed.contains(id) { changed.append(id) }
    }

    /// Records that the page needs all rows of a screen again.
    mutating func again(_ id: Int64) {
        told[id] = nil
        changed(id)
    }

    mutating func closed(_ id: Int64) {
        told[id] = nil
        changed.removeAll { $0 == id }
    }

    /// Returns the next message; `nil` while there is none.
    ///
    /// - Parameter look: returns the current state of a screen; `nil` if it is closed.
    mutating func next(_ look: (Int64) -> Look?) -> AppJSON? {
        if !answers.isEmpty { return answers.removeFirst() }
        while let id = changed.first {
            if let look = look(id) {
                if let message = message(id, look) { return message }
            }
            changed.removeFirst()
        }
        return nil
    }

    private mutating func message(_ id: Int64, _ look: Look) -> AppJSON? {
        let before = told[id] ?? Told()
        if before.state != look.state {
            told[id] = Told(state: look.state, rows: before.rows)
            return ["t": "screen", "id": .int(id), "kind": .string(look.kind), "state": look.state]
        }
        guard let rows = look.rows, before.rows != rows else { return nil }
        told[id] = Told(state: look.state, rows: rows)
        guard let known = before.rows else {
            return [
                "t": "list", "id": .int(id), "reset": .array(rows.map(\.json)), "n": .int(Int64(rows.count)),
            ]
        }
        return [
            "t": "list", "id": .int(id), "ops": .array(RowOp.ops(from: known, to: rows).map(\.json)),
            "n": .int(Int64(rows.count)),
        ]
    }
}
