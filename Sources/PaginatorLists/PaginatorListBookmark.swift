import PaginatorCore

/// A place in a list, to come back to after a relaunch: the keys of its pages, and the first visible item.
///
/// It holds up to 10,000 keys, those nearest to the visible page, and no items; those come from the caches or the source
/// again, the visible page first. The item that was the first visible one is known by a hash of its identity's textual
/// description: it is looked for on that page, then on the next one and the one before it, since rows may have come or
/// gone above it. Where it is not found, what stands in its place is come back to.
///
/// ```swift
/// list.bookmark { bookmark in
///     if let bookmark { save(bookmark) }
/// }
/// // After the relaunch:
/// try list.restore(savedBookmark)
/// ```
///
/// Decoding checks it: what is no bookmark throws the decoder's error or a ``/PaginatorCore/PaginatorError`` with
/// ``/PaginatorCore/PaginatorError/Code/invalidBookmark``.
public struct PaginatorListBookmark: Sendable, Codable {
    /// The most pages that a bookmark has; further ones are left out, the farthest first.
    static let maxPages = 10_000

    /// What is encoded, without a check.
    private struct Form: Sendable, Codable {
        let scope: String
        let pageSize, page, item: Int
        let keys: [String]
        let fingerprint: UInt64?
        /// Higher where an earlier library would come to another place; the first bookmarks have none, and are of version 1.
        var version: Int? = 1
    }

    private let form: Form

    /// The scope of the list's rows when it was made, which while a switch keeps the old rows is theirs.
    public var scope: String { form.scope }
    var pageSize: Int { form.pageSize }
    /// The keys of the list's pages, in order.
    var keys: [String] { form.keys }
    /// Which of the keys names the page looked at.
    var page: Int { form.page }
    /// Which of that page's items, as shown, was the first visible one.
    var item: Int { form.item }
    /// Tells that item from the others of its page; `nil` where nobody looked, or their identities say the same.
    var fingerprint: UInt64? { form.fingerprint }

    // As long as keys may be, and each once.
    init(
        scope: String, pageSize: Int, keys: [String], page: Int, item: Int, fingerprint: UInt64? = nil
    ) throws(PaginatorError) {
        try self.init(
            Form(scope: scope, pageSize: pageSize, page: page, item: item, keys: keys, fingerprint: fingerprint))
    }

    private init(_ form: Form) throws(PaginatorError) {
        guard form.version ?? 1 <= 1 else {
            throw PaginatorError(.invalidBookmark, "The bookmark was made by a later version of the library.")
        }
        let keys = form.keys
        let isGood =
            form.pageSize >= 1 && keys.indices.contains(form.page) && form.item >= 0 && keys.count <= Self.maxPages
            && keys.allSatisfy { !$0.isEmpty && $0.utf8.count <= 4_096 } && form.scope.utf8.count <= 4_096
        guard isGood, Set(keys.map(ExactText.init)).count == keys.count else {
            throw PaginatorError(.invalidBookmark, "The bookmark does not describe a place in a list.")
        }
        self.form = form
    }

    /// Decodes and checks a bookmark. One that a later version of the library made may be no place for this one, and throws.
    public init(from decoder: any Decoder) throws {
        try self.init(Form(from: decoder))
    }

    /// Encodes the bookmark.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try form.encode(to: encoder) }
}
