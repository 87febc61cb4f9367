import PaginatorCore

/// What a server said of the pages that are still in memory, so that it can be asked whether they have changed.
///
/// It keeps no page alive: once a page has left the caches, its validators are of no use and go too.
struct RevalidationMemory<Item: Sendable> {
    /// The validators of a page, RFC 9110, section 8.8.
    struct Validators: Hashable {
        var etag: String?
        var lastModified: String?

        init?(_ headers: HTTPHeaderFields) {
            etag = headers["ETag"]
            lastModified = headers["Last-Modified"]
            if etag == nil, lastModified == nil { return nil }
        }
    }

    private struct Entry {
        weak var page: PaginatorPage<Item>?
        var validators: Validators
    }

    private var entries: [PageIdentity: Entry] = [:]
    private var sweepsAt = 256

    /// The number of pages that validators are kept of, with some that have gone meanwhile.
    var count: Int { entries.count }

    /// Returns a page that is still in memory, and its validators.
    func entry(_ identity: PageIdentity) -> (page: PaginatorPage<Item>, validators: Validators)? {
        guard let entry = entries[identity], let page = entry.page else { return nil }
        return (page, entry.validators)
    }

    /// Keeps the validators of a page; `nil` when it has none. Complexity: O(1) amortized.
    mutating func keep(_ validators: Validators?, of page: PaginatorPage<Item>, as identity: PageIdentity) {
        entries[identity] = validators.map { Entry(page: page, validators: $0) }
        guard entries.count > sweepsAt else { return }
        entries = entries.filter { $0.value.page != nil }
        sweepsAt = max(256, entries.count * 2)
    }
}
