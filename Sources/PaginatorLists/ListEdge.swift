/// The local rows beyond one end of the pages, in chunks, so that inserting or removing one costs O(log n).
///
/// Rows are added at the outer end and removed anywhere. If the window has no room, the outermost chunks are *hidden*:
/// they are counted, and shown again one by one.
struct ListEdge: Sendable {
    private static var chunkSize: Int { 32 }

    private let end: ListEnd
    // The identities of each chunk's rows, topmost first, by rank.
    private var chunks: [Int: [ListItemID]] = [:]
    private var outermost: Int
    // The ranks of the hidden chunks, the outermost first.
    private var hidden: [Int] = []
    // Whether the adjacent page was loaded at the last call of `takeDirty`.
    var isShown = false
    private var dirty: Set<Int> = []
    // The number of rows, without those that follow one of them.
    private(set) var count = 0
    private(set) var hiddenCount = 0

    init(at end: ListEnd) {
        self.end = end
        outermost = Self.innermost(end)
    }

    private static func innermost(_ end: ListEnd) -> Int {
        end == .start ? ListMachine.pageRanks.lowerBound - 1 : ListMachine.pageRanks.upperBound + 1
    }

    var ids: [ListItemID] { chunks.values.flatMap { $0 } }

    mutating func add(_ id: ListItemID) -> Int {
        if let size = chunks[outermost]?.count, size >= Self.chunkSize {
            outermost += end == .start ? -1 : 1
            // Everything beyond a hidden chunk is hidden.
            if !hidden.isEmpty { hidden.insert(outermost, at: 0) }
        }
        chunks[outermost, default: []].insert(id, at: end == .start ? 0 : chunks[outermost]?.count ?? 0)
        changed(outermost, by: 1)
        return outermost
    }

    // Adds a row at the head, below the others. Such rows are few, so its chunk may exceed the size.
    mutating func addLowest(_ id: ListItemID) -> Int {
        let rank = Self.innermost(end)
        chunks[rank, default: []].append(id)
        changed(rank, by: 1)
        return rank
    }

    mutating func replace(_ id: ListItemID, with others: [ListItemID], at rank: Int) {
        guard let index = chunks[rank]?.firstIndex(of: id) else { return }
        chunks[rank]?.replaceSubrange(index...index, with: others)
        changed(rank, by: others.count - 1)
        guard chunks[rank]?.isEmpty == true else { return }
        chunks[rank] = nil
        if isHidden(rank) { hidden.removeAll { $0 == rank } }
        guard rank == outermost else { return }
        outermost = (end == .start ? chunks.keys.min() : chunks.keys.max()) ?? Self.innermost(end)
    }

    mutating func touch(_ rank: Int) {
        if !isHidden(rank) { dirty.insert(rank) }
    }

    private mutating func changed(_ rank: Int, by rows: Int) {
        count += rows
        if isHidden(rank) { hiddenCount += rows } else { dirty.insert(rank) }
    }

    private func isHidden(_ rank: Int) -> Bool {
        guard let inner = hidden.last else { return false }
        return end == .start ? rank <= inner : rank >= inner
    }

    // The chunks that changed, with their rows; none for a chunk to remove.
    mutating func takeDirty(isShown: Bool) -> [(rank: Int, ids: [ListItemID])] {
        defer { (self.isShown, dirty) = (isShown, []) }
        // All chunks are shown and hidden with the adjacent page.
        if isShown != self.isShown { dirty.formUnion(chunks.keys) } else if !isShown { return [] }
        return dirty.map { ($0, isShown && !isHidden($0) ? chunks[$0] ?? [] : []) }
    }

    // MARK: - The window

    mutating func hide(outermost rank: Int) {
        dirty.insert(rank)
        hidden.append(rank)
        hiddenCount += chunks[rank]?.count ?? 0
    }

    mutating func reveal() -> Bool {
        guard let rank = hidden.popLast() else { return false }
        hiddenCount -= chunks[rank]?.count ?? 0
        dirty.insert(rank)
        return true
    }
}
