/// A page from memory, in the few words that its way to the caller needs; a fresh one where nothing else is said.
///
/// Most fetches end with one, so nothing else of the page is copied.
struct FreshHit: Sendable {
    /// The `PaginatorPage`.
    package var object: any AnyObject & Sendable
    /// When the source gave it.
    package let fetchedAt: PaginatorInstant
    /// How many committed edits it contains; see ``EditLog``.
    var editCount: UInt64

    /// Takes from an entry what its reader needs.
    init(_ object: any AnyObject & Sendable, _ details: CachedEntry.Details) {
        self.object = object
        fetchedAt = details.fetchedAt
        editCount = details.editCount
    }

    /// How long ago the source gave the page; never negative.
    package func age(at now: PaginatorInstant) -> Duration {
        max(.zero, fetchedAt.duration(to: now))
    }
}

extension FetchedPage {
    /// Gives a page its item type back.
    init(_ hit: FreshHit, isStale: Bool = false, at now: PaginatorInstant) {
        self.init(page: .from(hit.object), origin: .memory, age: hit.age(at: now), isStale: isStale)
    }
}
