import PaginatorTesting

@testable import PaginatorCore
@testable import PaginatorLists

// What the server's table alone says of what is shown, with nothing asked of the machine but its rows, gaps and ends.
extension ListWorld {
    /// Lets everything come to rest, loads each page anew, and then walks to both ends. Where the keys are cursors, since offsets count
    /// edits of which this server does not know.
    mutating func comeToRest() {
        guard !isOffset else { return }
        for token in openTokens { run { $0.settle(token, .rolledBack, at: .zero) } }
        run { $0.cancelLoads() }
        run { $0.setPrefetchPaused(true) }
        if machine.seats.isEmpty { run { $0.loadNext() } }
        let time = now
        run { $0.refresh(.keepingPlace, at: time) }
        complain("after a refresh")
        for _ in 0..<20 {
            guard let gap = snapshot.gaps.first else { break }
            run { $0.fillGap(at: gap, fromStart: true) }
            complain("after a gap was filled")
        }
        for _ in 0..<40 where !machine.isEndLoaded { run { $0.loadNext() } }
        complain("at the end")
        for _ in 0..<40 where !machine.isStartLoaded { run { $0.loadPrevious() } }
        complain("at the start")
    }

    /// Hands the machine an event, and answers all that it asks for, as the server has it.
    private mutating func run(_ event: (inout ListMachine) -> Void) {
        machine.handle(event)
        for _ in 0..<200 {
            let actions = machine.actions
            machine.actions = []
            if actions.isEmpty { return }
            for case .fetch(let load, let request, _) in actions {
                now = now.advanced(by: .milliseconds(1))
                if request.policy == .cacheOnly {
                    machine.handle { $0.failed(load, PaginatorError(.notInCache, "not there")) }
                } else if let page = serve(request.key) {
                    machine.handle { $0.arrived(load, page, isFinal: true) }
                } else {
                    machine.handle { $0.failed(load, PaginatorError(.expiredKey, "it has expired")) }
                }
            }
        }
    }

    private mutating func complain(_ when: String) {
        let (snapshot, rows) = (snapshot, table.map(\.id))
        let places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1, $0) })
        let (shown, gaps) = (snapshot.ids, Set(snapshot.gaps))
        let all = Set(shown)
        let local = Set(machine.local.keys.map(\.number))
        var above: (place: Int, position: Int)?
        for (position, id) in shown.enumerated() where !local.contains(id) {
            guard let place = places[id] else { continue }
            defer { above = (place, position) }
            if let above, !gaps.contains(where: { $0 > above.position && $0 <= position }) {
                // What lies between may be shown above, where a page has it that somebody jumped to.
                let missing = place > above.place ? rows[above.place + 1..<place].filter { !all.contains($0) } : [id]
                if !missing.isEmpty { failures.append("\(when): \(missing) stand not behind \(rows[above.place])") }
            }
        }
        // One end may lie inside, where somebody said that a page belongs elsewhere.
        if machine.isStartLoaded, let first = rows.first, !all.contains(first), gaps.isEmpty {
            failures.append("\(when): the start comes too early")
        }
        // A page behind the last row is at the end, too.
        if machine.isEndLoaded, !shown.isEmpty, let last = rows.last, !all.contains(last), gaps.isEmpty {
            failures.append("\(when): the end comes too early")
        }
    }
}
