import PaginatorCore

/// A row as a user sees it, with what the oracle wants to know of it.
package struct UserItem: Sendable, Hashable {
    /// Its number; negative while only the device knows the row.
    var id: Int
    /// How often the server has changed it.
    var version: Int
    /// A bit for each edit that is in it.
    var marks: UInt64 = 0
    /// The bytes of the key by which it came; empty for a row that came by itself.
    var page: [UInt8] = []
    /// When the server read it from its table.
    var made = 0
    /// What it was asked for: the same rows under another name.
    var scope = ""
}

/// The rows of the server: an array of all that ever were, in order. Rows never move.
struct UserTable {
    /// How pages are addressed. Numbers are spelled so that two keys each are equal to Swift and not to a server. A
    /// brittle cursor expires with the row that it names.
    enum Style: Int, CaseIterable, Sendable { case offset, number, cursor, brittleCursor }

    struct Row {
        let id: Int
        let born: Int
        var died: Int?
        var version = 0
        var marks: UInt64 = 0
    }

    let style: Style
    var rows: [Row]
    private var lastID: Int

    init(style: Style, count: Int) {
        self.style = style
        rows = (0..<count).map { Row(id: $0 + 1, born: 0) }
        lastID = count
    }

    /// The rows that are there now.
    var alive: [Row] { rows.filter { $0.died == nil } }

    /// Where a row stands among all that ever were.
    func place(of id: Int) -> Int? { rows.firstIndex { $0.id == id } }

    func item(_ id: Int) -> UserItem? {
        guard let row = rows.first(where: { $0.id == id && $0.died == nil }) else { return nil }
        return UserItem(id: id, version: row.version, marks: row.marks)
    }

    /// Adds a row before the one that is the `index`th now.
    mutating func insert(at index: Int, _ tick: Int) -> Int {
        let alive = alive
        let place = index >= alive.count ? rows.count : index <= 0 ? 0 : self.place(of: alive[index].id) ?? 0
        return insert(inPlace: place, tick)
    }

    /// Adds a row before all that ever were, of which a list may still show some.
    mutating func insertFirst(_ tick: Int) -> Int { insert(inPlace: 0, tick) }

    /// Adds a row right behind another one.
    mutating func insert(after id: Int, _ tick: Int) -> Int {
        insert(inPlace: (place(of: id) ?? -1) + 1, tick)
    }

    private mutating func insert(inPlace place: Int, _ tick: Int) -> Int {
        lastID += 1
        rows.insert(Row(id: lastID, born: tick), at: place)
        return lastID
    }

    mutating func remove(_ id: Int, _ tick: Int) {
        if let place = place(of: id), rows[place].died == nil { rows[place].died = tick }
    }

    mutating func change(_ id: Int, marks: UInt64 = 0) {
        guard let place = place(of: id) else { return }
        rows[place].version += 1
        rows[place].marks |= marks
    }

    // MARK: - Pages

    /// The key of the page that begins at a row.
    func key(at index: Int, _ size: Int) -> String {
        switch style {
        case .offset: "\(index)"
        case .number: Self.name(index / size)
        case .cursor, .brittleCursor: index == 0 ? "start" : "after:\(alive[index - 1].id)"
        }
    }

    private static func name(_ number: Int) -> String {
        (number % 2 == 0 ? "caf\u{e9}" : "cafe\u{301}") + "\(number / 2)"
    }

    /// The row that the page of a key begins at; `nil` when the key names no place, or none any more.
    func start(of key: String, _ size: Int) -> Int? {
        switch style {
        case .offset:
            return Int(key).flatMap { $0 >= 0 ? $0 : nil }
        case .number:
            return (0..<1_000).first { Array(Self.name($0).utf8) == Array(key.utf8) }.map { $0 * size }
        case .cursor, .brittleCursor:
            if key == "start" { return 0 }
            guard key.hasPrefix("after:"), let id = Int(key.dropFirst(6)), let place = place(of: id) else { return nil }
            if style == .brittleCursor, rows[place].died != nil { return nil }
            return rows[...place].filter { $0.died == nil }.count
        }
    }

    /// The keys beside the page that begins at a row.
    func neighbors(of start: Int, _ size: Int) -> NeighborKeys {
        NeighborKeys(
            previous: start > 0 ? key(at: max(0, min(start, alive.count) - size), size) : nil,
            next: start + size < alive.count ? key(at: start + size, size) : nil)
    }

    /// What the server answers for a key at a time.
    func page(_ key: String, _ size: Int, _ tick: Int) -> (items: [UserItem], keys: NeighborKeys)? {
        guard let start = start(of: key, size) else { return nil }
        let items = alive.dropFirst(start).prefix(size).map {
            UserItem(id: $0.id, version: $0.version, marks: $0.marks, page: Array(key.utf8), made: tick)
        }
        return (items, neighbors(of: start, size))
    }
}
