import PaginatorCore

/// The rows of one scope on the server: what a list shows in the end.
struct ServerTable {
    /// How pages are addressed.
    enum Style: Int, CaseIterable, Sendable { case offset, cursor, number, named }

    /// The keys of `named` tables; two of them are equal to Swift and not to a server.
    static let names = ["a", "b", "c", "caf\u{e9}", "cafe\u{301}", "d"]

    let style: Style
    let scope: String
    let base: Int
    /// The numbers of the rows' items, in order.
    private(set) var rows: [Int32]
    private var revisions: [Int32]
    private var edits: [UInt64]

    init(style: Style, scope: String, base: Int, rows count: Int) {
        self.style = style
        self.scope = scope
        self.base = base
        rows = (0..<Int32(count)).map { $0 }
        revisions = [Int32](repeating: 0, count: count)
        edits = [UInt64](repeating: 0, count: count)
    }

    static func firstKey(_ style: Style) -> String {
        switch style {
        case .offset: "0"
        case .cursor: "start"
        case .number: "1"
        case .named: names[0]
        }
    }

    /// The ids of all rows, in order.
    var ids: [Int] { rows.map { base + Int($0) } }

    /// The item of an id, as the server has it now; `nil` when it is gone.
    func item(_ id: Int) -> SimulatedItem? {
        guard rows.contains(Int32(truncatingIfNeeded: id - base)) else { return nil }
        return value(Int32(id - base), page: 0, made: 0, verdict: .accept)
    }

    private func value(_ row: Int32, page: UInt64, made: Int, verdict: SimulatedItem.Verdict) -> SimulatedItem {
        SimulatedItem(
            id: base + Int(row), revision: Int(revisions[Int(row)]), edits: edits[Int(row)], page: page, made: made,
            verdict: verdict)
    }

    // MARK: - Changes

    /// Adds a row, and returns its id.
    mutating func insert(at index: Int) -> Int {
        let row = Int32(revisions.count)
        revisions.append(0)
        edits.append(0)
        rows.insert(row, at: min(max(0, index), rows.count))
        return base + Int(row)
    }

    mutating func remove(_ id: Int) { rows.removeAll { base + Int($0) == id } }

    mutating func remove(at index: Int) -> Int { base + Int(rows.remove(at: index)) }

    mutating func revise(_ index: Int) { revisions[Int(rows[index])] += 1 }

    mutating func edit(_ id: Int, _ bits: UInt64) {
        guard edits.indices.contains(id - base) else { return }
        edits[id - base] |= bits
    }

    // MARK: - Pages

    /// The page of a key; `nil` when the key names no place.
    func page(
        _ identity: PageIdentity, made: Int, verdict: SimulatedItem.Verdict, expiresAt: Date?, isCyclic: Bool = false
    ) -> PaginatorPage<SimulatedItem>? {
        let size = identity.pageSize
        guard let start = start(of: identity.key, size) else { return nil }
        let end = min(rows.count, start + size)
        let shown = start < end ? rows[start..<end] : []
        let content = shown.map { value($0, page: identity.stableHash, made: made, verdict: verdict) }
        let keys = neighbors(of: identity.key, size)
        return PaginatorPage(
            content: content, key: identity.key, expirationTime: expiresAt, prevKey: keys?.previous,
            nextKey: isCyclic ? Self.firstKey(style) : keys?.next)
    }

    /// The keys beside a page; `nil` when the key names no place.
    func neighbors(of key: String, _ size: Int) -> NeighborKeys? {
        if style == .named {
            guard let index = Self.names.firstIndex(where: { $0.hasSameBytes(as: key) }) else { return nil }
            return NeighborKeys(
                previous: index > 0 ? Self.names[index - 1] : nil,
                next: index + 1 < Self.names.count ? Self.names[index + 1] : nil)
        }
        guard let start = start(of: key, size) else { return nil }
        return NeighborKeys(
            previous: start > 0 ? self.key(at: max(0, start - size), size) : nil,
            next: start + size < rows.count ? self.key(at: start + size, size) : nil)
    }

    /// The key of the page that begins at a row.
    func key(at index: Int, _ size: Int) -> String {
        switch style {
        case .offset: String(index)
        case .number: String(index / size + 1)
        case .cursor: index == 0 ? "start" : "after:\(rows[index - 1])"
        case .named: Self.names[min(index / size, Self.names.count - 1)]
        }
    }

    private func start(of key: String, _ size: Int) -> Int? {
        switch style {
        case .offset:
            guard let offset = Int(key), offset >= 0 else { return nil }
            return offset
        case .number:
            guard let number = Int(key), number >= 1, number < 1 << 30 else { return nil }
            return (number - 1) * size
        case .cursor:
            guard key != "start" else { return 0 }
            guard key.hasPrefix("after:"), let row = Int32(key.dropFirst(6)) else { return nil }
            return rows.firstIndex(of: row).map { $0 + 1 }
        case .named:
            return Self.names.firstIndex { $0.hasSameBytes(as: key) }.map { $0 * size }
        }
    }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
