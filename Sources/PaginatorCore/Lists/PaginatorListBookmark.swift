/// A place in a list, to come back to after a relaunch: the keys of its pages, and the first visible item.
///
/// It holds up to 10,000 keys, those nearest to the visible page, and no items; those come from the caches or the source
/// again, the visible page first.
///
/// ```swift
/// list.bookmark { bookmark in
///     guard let bookmark else { return }
///     save(bookmark.bytes)
/// }
/// // After the relaunch:
/// list.restore(try PaginatorListBookmark(bytes: savedBytes))
/// ```
public struct PaginatorListBookmark: Sendable, Hashable, Codable {
    /// The most pages that a bookmark has; further ones are left out, the farthest first.
    package static let maxPages = 10_000

    private let exactScope: ExactText
    private let exactKeys: [ExactText]

    /// What separates the list's keys; see ``PaginatorListConfig/scope``.
    var scope: String { exactScope.text }
    /// The list's page size.
    let pageSize: Int
    /// The keys of the list's pages, in order.
    package var keys: [String] { exactKeys.map(\.text) }
    /// Which of the keys names the page looked at.
    package let page: Int
    /// Which of that page's items, as shown, was the first visible one.
    package let item: Int

    /// Makes a bookmark.
    ///
    /// - Throws: ``PaginatorError`` with ``PaginatorError/Code/invalidBookmark`` when a number is out of range, or a key
    ///   is empty, longer than 4,096 bytes or there twice.
    init(scope: String, pageSize: Int, keys: [String], page: Int, item: Int) throws(PaginatorError) {
        let isGood =
            pageSize >= 1 && keys.indices.contains(page) && item >= 0 && keys.count <= Self.maxPages
            && keys.allSatisfy { !$0.isEmpty && $0.utf8.count <= 4_096 } && scope.utf8.count <= 4_096
        let exactKeys = keys.map(ExactText.init)
        guard isGood, Set(exactKeys).count == keys.count else {
            throw PaginatorError(.invalidBookmark, "The bookmark does not describe a place in a list.")
        }
        exactScope = ExactText(scope)
        self.pageSize = pageSize
        self.exactKeys = exactKeys
        self.page = page
        self.item = item
    }

    /// Reads a bookmark; any bytes are safe. Complexity: O(bytes).
    ///
    /// - Parameter bytes: what ``bytes`` gave.
    /// - Throws: ``PaginatorError`` with ``PaginatorError/Code/invalidBookmark`` for anything else.
    public init(bytes: [UInt8]) throws(PaginatorError) {
        var reader = BookmarkReader(bytes)
        guard reader.number() == 1, let scope = reader.text(), let pageSize = reader.number(),
            let page = reader.number(), let item = reader.number(), let keys = reader.texts(), reader.isAtEnd
        else { throw PaginatorError(.invalidBookmark, "The bytes are no bookmark.") }
        try self.init(scope: scope, pageSize: pageSize, keys: keys, page: page, item: item)
    }

    /// The bookmark as bytes, preceded by the version of their form.
    public var bytes: [UInt8] {
        var writer = BookmarkWriter()
        writer.write(1)
        writer.write(scope)
        writer.write(pageSize)
        writer.write(page)
        writer.write(item)
        writer.write(keys.count)
        for key in keys { writer.write(key) }
        return writer.bytes
    }

    /// Decodes ``bytes``, with the same checks as ``init(bytes:)``.
    public init(from decoder: any Decoder) throws {
        try self.init(bytes: decoder.singleValueContainer().decode([UInt8].self))
    }

    /// Encodes ``bytes``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }
}
