import PaginatorCore

/// Remembers which page named which as its next one, since the first page was last asked for, so that a server that sends
/// its readers in a circle, or on for ever, is found out.
///
/// Pure and bounded: it keeps links of at most so many pages, and forgets all of a walk but its length when they are more.
struct WalkLinks {
    private struct Walk {
        /// The page that named a page as its next one, `nil` where the walk began, and how many pages lie before it.
        var links: [ExactText: (parent: ExactText?, depth: Int)] = [:]
        var lastUse = 0
    }

    /// What tells one walk from another.
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

    /// Notes the next key of a page. Complexity: O(1) for a key that is new to the walk, else O(pages before it).
    mutating func note(
        _ key: String, next: String?, isFirst: Bool, in id: Key
    ) throws(HTTPSourceError) {
        uses += 1
        var walk = walks.removeValue(forKey: id) ?? Walk()
        if isFirst { walk.links = [:] }
        // How far the walk has come is known all the same.
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

    /// Whether `ancestor` lies before `key`.
    private static func leads(from ancestor: ExactText, to key: ExactText, _ walk: Walk) -> Bool {
        var current = key
        for _ in 0...walk.links.count {
            if current == ancestor { return true }
            guard let parent = walk.links[current]?.parent else { return false }
            current = parent
        }
        return false
    }
}
