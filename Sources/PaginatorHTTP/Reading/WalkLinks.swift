import PaginatorCore

/// Records which page named which next page since the first page was last requested, to detect a server whose pages
/// form a cycle or never end.
///
/// Pure and bounded: beyond the maximum number of links it forgets all of a walk except its length.
struct WalkLinks {
    private struct Walk {
        /// For each page: the page that named it as the next one, `nil` at the start of the walk, and the number of
        /// pages before it.
        var links: [ExactText: (parent: ExactText?, depth: Int)] = [:]
        var lastUse = 0
    }

    /// Identifies a walk.
    struct Key: Hashable {
        private let scope: ExactText
        private let pageSize: Int

        init(scope: String, pageSize: Int) {
            self.scope = ExactText(scope)
            self.pageSize = pageSize
        }
    }

    private let maxPages: Int
    private let maxWalks = 16
    private let maxLinks = 20_000
    private var walks: [Key: Walk] = [:]
    private var uses = 0

    init(maxPages: Int) {
        self.maxPages = maxPages
    }

    /// Records the next key of a page. Complexity: O(1) for a key that is new to the walk, else O(pages before it).
    mutating func note(
        _ key: String, next: String?, isFirst: Bool, in id: Key
    ) throws(HTTPSourceError) {
        uses += 1
        var walk = walks.removeValue(forKey: id) ?? Walk()
        // A walk restarts with its first page, because a refresh visits the same keys again.
        if isFirst { walk.links = [:] }
        // The length of the walk is kept.
        let key = ExactText(key)
        if walk.links.count >= maxLinks { walk.links = [key: (nil, walk.links[key]?.depth ?? 0)] }
        walk.lastUse = uses
        defer {
            walks[id] = walk
            if walks.count > maxWalks, let oldest = walks.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
                walks[oldest] = nil
            }
        }
        guard let next = next.map(ExactText.init) else { return }
        let depth = walk.links[key]?.depth ?? 0
        if walk.links[key] == nil { walk.links[key] = (nil, 0) }
        // Only an earlier page closes a cycle; a later one was loaded by a jump.
        if let known = walk.links[next], known.depth <= depth, Self.leads(from: next, to: key, walk) {
            throw HTTPSourceError(
                .repeatedCursor, "The server names a page as the next one that was there before, \(depth) pages on.",
                field: "next")
        }
        guard depth + 1 < maxPages else {
            throw .limitExceeded("pagesPerWalk", "The pages go on beyond \(maxPages)")
        }
        if walk.links[next]?.parent == nil { walk.links[next] = (key, depth + 1) }
    }

    /// Whether `ancestor` is before `key`.
    private static func leads(from ancestor: ExactText, to key: ExactText, _ walk: Walk) -> Bool {
        var current = key
        // Bounded, in case the links themselves form a cycle.
        for _ in 0...walk.links.count {
            if current == ancestor { return true }
            guard let parent = walk.links[current]?.parent else { return false }
            current = parent
        }
        return false
    }
}
