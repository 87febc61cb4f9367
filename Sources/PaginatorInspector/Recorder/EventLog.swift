/// The last events, in blocks: the oldest block is used again for the newest events.
struct EventLog: Sendable {
    static let blockSize = 4_096

    /// How many blocks there are at most; one more than needed, since the oldest goes as a whole.
    private let maxBlocks: Int
    private var blocks: [[RecordedEvent]] = []
    /// The number of the oldest event kept, and of the next one; the first ever has the number zero.
    private(set) var first = 0
    private(set) var end = 0

    init(capacity: Int) {
        maxBlocks = max(1, (max(1, capacity) - 1) / Self.blockSize + 1) + 1
    }

    var count: Int { end - first }

    mutating func append(_ event: RecordedEvent) {
        if blocks.last.map({ $0.count == Self.blockSize }) ?? true { addBlock() }
        blocks[blocks.count - 1].append(event)
        end += 1
    }

    private mutating func addBlock() {
        guard blocks.count == maxBlocks else {
            var block: [RecordedEvent] = []
            block.reserveCapacity(Self.blockSize)
            return blocks.append(block)
        }
        var oldest = blocks.removeFirst()
        first += oldest.count
        oldest.removeAll(keepingCapacity: true)
        blocks.append(oldest)
    }

    /// The events from a number on.
    func events(from number: Int) -> [RecordedEvent] {
        var skipped = max(0, number - first)
        var events: [RecordedEvent] = []
        events.reserveCapacity(max(0, count - skipped))
        for block in blocks {
            if skipped < block.count { events += block[skipped...] }
            skipped = max(0, skipped - block.count)
        }
        return events
    }

    /// The events from a number on, of one block: at most ``blockSize`` of them, and none only at the end.
    func block(from number: Int) -> ArraySlice<RecordedEvent> {
        var skipped = max(0, number - first)
        for block in blocks {
            if skipped < block.count { return block[skipped...] }
            skipped -= block.count
        }
        return []
    }

    func forEach(_ body: (RecordedEvent) -> Void) {
        for block in blocks { block.forEach(body) }
    }

    /// Changes every event; for the numbers of their texts.
    mutating func changeAll(_ change: (inout RecordedEvent) -> Void) {
        for block in blocks.indices {
            for index in blocks[block].indices { change(&blocks[block][index]) }
        }
    }

    /// Drops the older half.
    mutating func halve() {
        let kept = events(from: first + count / 2)
        let last = end
        blocks = []
        (first, end) = (last - kept.count, last - kept.count)
        for event in kept { append(event) }
    }
}
