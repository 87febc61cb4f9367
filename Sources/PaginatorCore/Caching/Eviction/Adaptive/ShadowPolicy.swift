/// An eviction policy that is only watched: it decides over page numbers, to learn how many reads it would answer.
///
/// It holds as many pages as weigh at most its capacity, and may remember some more that it gave up. Each call is O(1),
/// amortized where a policy must look at several pages to give one up.
protocol ShadowPolicy: Sendable {
    /// Whether the page would be here.
    func contains(_ page: Int, _ pages: WatchedPages) -> Bool

    /// Whether the policy holds or remembers anything of the page.
    func knows(_ page: Int, _ pages: WatchedPages) -> Bool

    /// The page that it would give up next, or a good guess.
    var next: Int? { get }

    /// Takes notice of a read; if the page was not here, it is now.
    ///
    /// - Parameters:
    ///   - page: the page read.
    ///   - pages: what is known of all pages.
    ///   - gone: takes the pages that were given up or forgotten.
    mutating func read(_ page: Int, _ pages: inout WatchedPages, _ gone: inout ContiguousArray<Int>)

    /// Learns that a page that it may hold weighs more or less than it did.
    mutating func reweigh(_ page: Int, by difference: Int, _ pages: WatchedPages)
}
