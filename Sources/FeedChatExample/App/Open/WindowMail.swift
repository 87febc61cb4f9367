/// Decides what is said next to one window of the page.
///
/// A screen that has changed is remembered, not what it changed to: what is said is what it shows when the one before is on
/// its way, so that a browser that reads slowly misses states and holds up nothing.
struct WindowMail {
    private struct Told {
        var state: AppJSON?
        var rows: [AppRow]?
    }

    /// What a screen shows.
    struct Look {
        let kind: String
        let state: AppJSON
        let rows: [AppRow]?
    }

    /// How many answers wait for a browser that asks without reading.
    static let answerLimit = 500

    private var answers: [AppJSON] = []
    private var told: [Int64: Told] = [:]
    private var changed: [Int64] = []

    /// Whether the browser has left too much unread.
    private(set) var isFull = false

    /// Says something that is no state of a screen.
    mutating func say(_ message: AppJSON) {
        isFull = isFull || answers.count >= Self.answerLimit
        if !isFull { answers.append(message) }
    }

    /// A screen was opened, or has changed.
    mutating func changed(_ id: Int64) {
        if !changed.contains(id) { changed.append(id) }
    }

    /// The page has lost count of a screen's rows.
    mutating func again(_ id: Int64) {
        told[id] = nil
        changed(id)
    }

    mutating func closed(_ id: Int64) {
        told[id] = nil
        changed.removeAll { $0 == id }
    }

    /// The next message; `nil` while there is nothing to say.
    ///
    /// - Parameter look: what a screen shows now; `nil` for one that is closed.
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
