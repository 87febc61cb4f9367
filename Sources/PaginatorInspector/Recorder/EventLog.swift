/// The last events, in blocks: the oldest block is reused for new events.
struct EventLog: Sendable {
    static let blockSize = 4_096

    /// Events that refer to texts of one generation.
    struct Block: Sendable {
        /// The number of texts before those.
        let firstText: Int
        var events: [RecordedEvent]
    }

    private let capacity: Int
    private var blocks: [Block] = []
    /// The number of the oldest event kept, and of the next one; the very first is zero.
    private(set) var first = 0
    private(set) var end = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    var count: Int { end - first }

    mutating func append(_ event: RecordedEvent, firstText: Int) {
        if blocks.last.map({ $0.events.count == Self.blockSize || $0.firstText != firstText }) ?? true {
            addBlock(firstText)
        }
        blocks[blocks.count - 1].events.append(event)
        end += 1
    }

    private mutating func addBlock(_ firstText: Int) {
        var events: [RecordedEvent] = []
        // The oldest block is dropped as a whole if the others are enough.
        while let oldest = blocks.first?.events.count, count - oldest >= capacity {
            events = blocks.removeFirst().events
            first += oldest
            events.removeAll(keepingCapacity: true)
        }
        events.reserveCapacity(Self.blockSize)
        blocks.append(Block(firstText: firstText, events: events))
    }

    /// Drops the events before a number, which is that of a block's first event.
    mutating func drop(before number: Int) {
        while let oldest = blocks.first?.events.count, first + oldest <= number {
            blocks.removeFirst()
            first += oldest
        }
    }

    /// All events, with text numbers relative to `firstText`.
    func events(firstText: Int) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        events.reserveCapacity(count)
        for block in blocks {
            let shift = block.firstText - firstText
            if shift == 0 { events += block.events } else { events += block.events.lazy.map { $0.naming(shift) } }
        }
        return events
    }

    /// At most ``blockSize`` events of one block from a number on; empty only at the end.
    func block(from number: Int) -> (events: ArraySlice<RecordedEvent>, firstText: Int) {
        var skipped = max(0, number - first)
        for block in blocks {
            if skipped < block.events.count { return (block.events[skipped...], block.firstText) }
            skipped -= block.events.count
        }
        return ([], 0)
    }
}

extension RecordedEvent {
    /// The event with its text numbers increased by `shift`.
    func naming(_ shift: Int) -> RecordedEvent {
        func shifted(_ text: UInt32) -> UInt32 { text == 0 ? 0 : UInt32(clamping: Int(text) + shift) }
        var event = self
        (event.page, event.error, event.detail) = (shifted(page), shifted(error), shifted(detail))
        return event
    }
}
