import PaginatorCore

/// Which page comes next on a walk from page to neighbor: the first, then each side's, the nearest before the farther,
/// forward before backward. A value that decides and does nothing.
struct PageWalk: Sendable {
    /// One page to fetch.
    struct Step: Sendable, Hashable {
        var key: String
        /// How far from the first page it lies; negative before it.
        var distance: Int
    }

    /// A key that names a page which came before.
    struct Repeat: Sendable, Hashable {
        var key: String
        /// Where the page lies that names it.
        var distance: Int
    }

    private struct Side: Sendable {
        var isWanted: Bool
        var next: String?
        var reached = 0
    }

    private let pageSize: Int
    private let scope: String
    private let depth: Int
    private var first: String?
    private var forward: Side
    private var backward: Side
    private var seen: Set<PageIdentity> = []

    /// Starts before the first page.
    ///
    /// - Parameters:
    ///   - page: names the first page, its size and its scope.
    ///   - direction: which sides to walk.
    ///   - depth: how many pages to go on each side.
    init(from page: PageRequest, direction: PageFetchDirection, depth: Int = .max) {
        pageSize = page.pageSize
        scope = page.scope
        self.depth = depth
        first = page.key
        forward = Side(isWanted: depth > 0 && direction != .backward)
        backward = Side(isWanted: depth > 0 && direction != .forward)
    }

    /// The next page; `nil` at the end.
    var next: Step? {
        if let first { return Step(key: first, distance: 0) }
        // +1, -1, +2, -2: the side that has come less far goes on, the forward one first.
        if let key = forward.next, backward.next == nil || forward.reached <= backward.reached {
            return Step(key: key, distance: forward.reached + 1)
        }
        return backward.next.map { Step(key: $0, distance: -backward.reached - 1) }
    }

    /// Takes the keys beside the next page, which has come. Complexity: O(bytes of the keys).
    ///
    /// - Returns: the keys that came before; their sides are over.
    mutating func arrived(previous: String?, next: String?) -> [Repeat] {
        guard let step = self.next else { return [] }
        if step.distance == 0 {
            seen.insert(PageIdentity(key: step.key, pageSize: pageSize, scope: scope))
            first = nil
        }
        var repeats: [Repeat] = []
        // The first page, at distance 0, says how both sides go on.
        if step.distance >= 0, forward.isWanted {
            forward.reached = step.distance
            forward.next = follow(next, from: step, &repeats)
        }
        if step.distance <= 0, backward.isWanted {
            backward.reached = -step.distance
            backward.next = follow(previous, from: step, &repeats)
        }
        return repeats
    }

    /// Ends the next page's side, because the page did not come.
    mutating func failed() {
        guard let step = next else { return }
        first = nil
        if step.distance >= 0 { forward.next = nil }
        if step.distance <= 0 { backward.next = nil }
    }

    private mutating func follow(_ key: String?, from step: Step, _ repeats: inout [Repeat]) -> String? {
        guard abs(step.distance) < depth, let key else { return nil }
        // Keys of both sides: a cycle ends the walk where it closes, whichever way it was entered.
        guard seen.insert(PageIdentity(key: key, pageSize: pageSize, scope: scope)).inserted else {
            repeats.append(Repeat(key: key, distance: step.distance))
            return nil
        }
        return key
    }
}
