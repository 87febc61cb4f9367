/// An eviction policy that is only watched: it decides over page numbers, to learn how many reads it would answer.
///
/// It holds as many pages as weigh at most its capacity, and may remember some more that it gave up. Each call is O(1),
/// amortized where a policy must look at several pages to give one up.
protocol ShadowPolicy: Sendable {
    /// Whether the page would be here.
    func contains(_ page: PageHandle) -> Bool

    /// Whether the policy holds or remembers anything of the page.
    func knows(_ page: PageHandle) -> Bool

    /// The page that it would give up next, or a good guess.
    var next: PageHandle? { get }

    /// Takes notice of a read.
    ///
    /// - Parameters:
    ///   - page: the page read.
    ///   - weights: the weight of every page, by number.
    ///   - gone: takes the pages that were given up or forgotten.
    /// - Returns: whether the page was here; if not, it is now.
    mutating func read(
        _ page: PageHandle, _ weights: ContiguousArray<Int>, _ gone: inout ContiguousArray<PageHandle>
    ) -> Bool

    /// Learns that a page that it may hold weighs more or less than it did.
    mutating func reweigh(_ page: PageHandle, by difference: Int)
}

extension ContiguousArray {
    /// The element at `index`, where the array is filled up with `filler` to reach it.
    @inline(__always)
    mutating func set(_ element: Element, at index: Int, filler: Element) {
        while count <= index { append(filler) }
        self[index] = element
    }
}
