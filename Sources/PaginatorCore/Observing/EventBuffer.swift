/// Events on their way to the observer: a bounded queue that counts what finds no room.
///
/// Lost events are told at the place where they are missing, as one event of the kind ``PaginatorEvent/Kind/eventsLost``
/// whose count is their number.
package struct EventBuffer: Sendable {
    /// How many events wait at most, beside one notice of a loss.
    package let capacity: Int
    private var events: [PaginatorEvent] = []
    private var lost = 0
    private var lossTime = PaginatorInstant.zero

    /// Makes an empty buffer.
    ///
    /// - Parameter capacity: how many events wait at most; values below 2 count as 2.
    package init(capacity: Int) {
        self.capacity = max(2, capacity)
    }

    /// Whether there is nothing to tell.
    package var isEmpty: Bool { events.isEmpty && lost == 0 }

    /// Adds an event, or counts it as lost. Complexity: O(1).
    package mutating func append(_ event: PaginatorEvent) {
        let needed = lost > 0 ? 2 : 1
        guard events.count + needed <= capacity else {
            if lost == 0 { lossTime = event.time }
            lost += 1
            return
        }
        if lost > 0 { noteLoss() }
        events.append(event)
    }

    /// Takes everything out, in order, leaving `spare` as the next storage. Complexity: O(1).
    ///
    /// - Parameter spare: an empty array whose storage is used again.
    package mutating func takeAll(leaving spare: [PaginatorEvent] = []) -> [PaginatorEvent] {
        if lost > 0 { noteLoss() }
        var taken = spare
        swap(&taken, &events)
        return taken
    }

    private mutating func noteLoss() {
        var notice = PaginatorEvent(.eventsLost, at: lossTime)
        notice.count = lost
        events.append(notice)
        lost = 0
    }
}
