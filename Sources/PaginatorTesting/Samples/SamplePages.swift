package import PaginatorCore

/// An item of ``SamplePages``.
public struct SampleItem: Sendable, Hashable, Codable, Identifiable {
    /// The item's identity.
    public var id: Int
    /// A text; some are empty, some long, many not ASCII.
    public var text: String

    /// Creates an item.
    public init(id: Int, text: String) {
        self.id = id
        self.text = text
    }
}

/// A table of items, divided into pages as servers do it, with their peculiarities.
///
/// It is a value. A ``SampleServer`` serves it, and can change it between two calls.
public struct SamplePages: Sendable {
    /// How pages are addressed.
    public enum Style: Sendable, CaseIterable {
        /// By the offset of the first item, from "0".
        case offset
        /// By the page number, from "1".
        case number
        /// By an opaque cursor that names the item before the page, from "start".
        case cursor
    }

    /// The items, in order.
    public package(set) var items: [SampleItem]

    /// How pages are addressed.
    package let style: Style

    /// Wrong next keys by the key of their page, for cycles and repeated cursors; empty by default.
    package var nextKeys: [String: String] = [:]

    /// The greatest number of items of single pages by key; 0 makes an empty page with a next key. Empty by default.
    package var shortPages: [String: Int] = [:]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - count: the number of items, with the ids 0, 1, 2 and so on; negative values count as zero.
    ///   - style: how pages are addressed; by offset by default.
    ///   - seed: the seed that texts are chosen by; 1 by default.
    public init(count: Int, style: Style = .offset, seed: UInt64 = 1) {
        var random = SeededRandom(seed: seed)
        items = (0..<max(0, count)).map { SampleItem(id: $0, text: Self.texts.randomElement(using: &random) ?? "") }
        self.style = style
    }

    /// Texts that break careless code: empty, long, right to left, with combining marks, emoji of several scalars,
    /// quotes or a NUL.
    package static let texts: [String] = [
        "", "plain", "caf\u{e9}", "cafe\u{301}", "日本語のテキスト", "שלום עולם", "مرحبا", "👩‍👩‍👧‍👦 family", "🇫🇷🇯🇵",
        "a\u{301}\u{302}\u{303}",
        "it's \"quoted\"; -- %_\\", "line\nbreak\tand tab", "nul\u{0}inside", "\u{feff}bom", "ﬁ ligature ﷽",
        String(repeating: "long text ", count: 200), String(repeating: "🌊", count: 50),
    ]

    /// The key of the first page.
    public var firstKey: String {
        switch style {
        case .offset: "0"
        case .number: "1"
        case .cursor: "start"
        }
    }

    /// Inserts new items, whose ids follow the largest one.
    ///
    /// - Parameters:
    ///   - count: the number of items; negative values count as zero.
    ///   - index: the position of the first one; 0 by default, clamped to the table.
    public mutating func insert(_ count: Int, at index: Int = 0) {
        let firstID = (items.map(\.id).max() ?? -1) + 1
        let added = (0..<max(0, count)).map { SampleItem(id: firstID + $0, text: "inserted \($0)") }
        items.insert(contentsOf: added, at: min(max(0, index), items.count))
    }

    /// Removes items.
    ///
    /// - Parameter range: their positions, clamped to the table.
    public mutating func remove(_ range: Range<Int>) {
        items.removeSubrange(range.clamped(to: 0..<items.count))
    }

    /// Returns the page of a key; `nil` if the key is not in the table.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the number of items; at least 1.
    package func page(key: String, pageSize: Int) -> PaginatorPage<SampleItem>? {
        let size = max(1, pageSize)
        guard let start = start(of: key, pageSize: size) else { return nil }
        let end = start + min(size, items.count - start)
        let shown = items[start..<end].prefix(max(0, shortPages[key] ?? .max))
        let keys = keys(from: start, pageSize: size)
        return PaginatorPage(
            content: Array(shown), key: key, prevKey: keys.previous, nextKey: nextKeys[key] ?? keys.next,
            byteCount: shown.reduce(0) { $0 + $1.text.utf8.count + 8 })
    }

    /// Returns a source's answer to a request. A key that is not in the table is expired.
    package func answer(to request: SourceRequest) -> Result<PaginatorPage<SampleItem>, SourceError> {
        guard let page = page(key: request.key, pageSize: request.pageSize) else {
            return .failure(.keyExpired(UnknownKey(key: request.key)))
        }
        return .success(page)
    }

    /// Returns the keys before and after a page; `nil` for cursors, which only the page tells.
    package func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        let size = max(1, pageSize)
        guard style != .cursor, let start = start(of: key, pageSize: size) else { return nil }
        return keys(from: start, pageSize: size)
    }

    /// The error of a key that is not in the table.
    private struct UnknownKey: Error {
        let key: String
    }

    private func start(of key: String, pageSize: Int) -> Int? {
        let start: Int?
        switch style {
        case .offset:
            start = Int(key)
        case .number:
            guard let number = Int(key), number >= 1 else { return nil }
            let (product, overflow) = (number - 1).multipliedReportingOverflow(by: pageSize)
            start = overflow ? nil : product
        case .cursor:
            if key == firstKey { return 0 }
            guard key.hasPrefix("after:"), let id = Int(key.dropFirst(6)) else { return nil }
            start = items.firstIndex { $0.id == id }.map { $0 + 1 }
        }
        guard let start, start >= 0, start <= items.count else { return nil }
        return start
    }

    private func keys(from start: Int, pageSize: Int) -> NeighborKeys {
        let next = start + min(pageSize, items.count - start)
        let previous = max(0, start - pageSize)
        return NeighborKeys(
            previous: start > 0 ? key(from: previous, pageSize: pageSize) : nil,
            next: next < items.count ? key(from: next, pageSize: pageSize) : nil)
    }

    private func key(from start: Int, pageSize: Int) -> String {
        switch style {
        case .offset: String(start)
        case .number: String(start / pageSize + 1)
        case .cursor: start == 0 ? firstKey : "after:\(items[start - 1].id)"
        }
    }
}
