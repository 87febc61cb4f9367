import PaginatorCore

/// Events on their way to the observer: a bounded queue that counts what finds no room.
///
/// Lost events are told at the place where they are missing, as one event of the kind ``PaginatorEvent/Kind/eventsLost``
/// whose count is their number.
struct EventBuffer: Sendable {
    /// How many events wait at most, beside one notice of a loss.
    let capacity: Int
    private var events: [PaginatorEvent] = []
    private var lost = 0
    private var lossTime = PaginatorInstant.zero

    /// Makes an empty buffer.
    ///
    /// - Parameter capacity: how many events wait at most; values below 1 count as 1.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Whether there is nothing to tell.
    var isEmpty: Bool { events.isEmpty && lost == 0 }

    /// Adds an event, or counts it as lost. Complexity: O(1).
    mutating func append(_ event: PaginatorEvent) {
        guard events.count < capacity else {
            if lost == 0 { lossTime = event.time }
            lost += 1
            return
        }
        events.append(event)
    }

    /// Takes everything out, in order, with the notice of a loss at the end, where the lost events would be.
    /// Complexity: O(1).
    ///
    /// - Parameter spare: an empty array whose storage is used again.
    mutating func takeAll(leaving spare: [PaginatorEvent] = []) -> [PaginatorEvent] {
        var taken = spare
        swap(&taken, &events)
        guard lost > 0 else { return taken }
        var notice = PaginatorEvent(.eventsLost, at: lossTime)
        notice.count = lost
        taken.append(notice)
        lost = 0
        return taken
    }
}
