import PaginatorCore

/// A place in a list to return to after a relaunch: the keys of its pages, and the first visible item.
///
/// It contains at most 10,000 keys, those nearest to the visible page, and no items: these are loaded again from the
/// caches or the source, the visible page first. The first visible item is found by a hash of its identity's
/// description, on its page, the next one and the one before, since rows above it may have been added or removed. If it
/// is not found, the list returns to the row in its place.
///
/// ```swift
/// list.bookmark { bookmark in
///     if let bookmark { save(bookmark) }
/// }
/// // After the relaunch:
/// try list.restore(savedBookmark)
/// ```
///
/// Decoding throws the decoder's error or a ``/PaginatorCore/PaginatorError`` with
/// ``/PaginatorCore/PaginatorError/Code/invalidBookmark`` if the data is not a valid bookmark.
public struct PaginatorListBookmark: Sendable, Codable {
    /// The maximum number of keys; the farthest ones are left out.
    static let maxPages = 10_000

    /// The encoded form, not checked.
    private struct Form: Sendable, Codable {
        let scope: String
        let pageSize, page, item: Int
        let keys: [String]
        let fingerprint: UInt64?
        /// Raised when an earlier version of the library would return to another place. The first bookmarks have none
        /// and count as version 1.
        var version: Int? = 1
    }

    private let form: Form

    /// The scope of the rows that were shown when the bookmark was made.
    public var scope: String { form.scope }
    var pageSize: Int { form.pageSize }
    /// The keys of the list's pages, in order.
    var keys: [String] { form.keys }
    /// The index of the visible page's key.
    var page: Int { form.page }
    /// The index of the first visible item among the rows that its page shows.
    var item: Int { form.item }
    /// A hash that distinguishes the item from the others of its page; `nil` if no rows were visible, or if identities
    /// have the same description.
    var fingerprint: UInt64? { form.fingerprint }

    // Throws unless keys are unique and within the length limit.
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

    /// Decodes and checks a bookmark.
    ///
    /// - Throws: the decoder's error, or ``/PaginatorCore/PaginatorError/Code/invalidBookmark``, also if a later
    ///   version of the library made it.
    public init(from decoder: any Decoder) throws {
        try self.init(Form(from: decoder))
    }

    /// Encodes the bookmark.
    ///
    /// - Throws: the encoder's error.
    public func encode(to encoder: any Encoder) throws { try form.encode(to: encoder) }
}
