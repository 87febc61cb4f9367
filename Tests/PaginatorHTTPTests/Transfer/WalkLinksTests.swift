import PaginatorTesting
import Testing

@testable import PaginatorHTTP

struct WalkLinksTests {
    private let id = WalkLinks.Key(scope: "", pageSize: 10)

    @Test func `finds a circle`() throws {
        var walk = WalkLinks(maxPages: 100)
        try walk.note("first", next: "a", isFirst: true, in: id)
        try walk.note("a", next: "b", isFirst: false, in: id)
        try walk.note("b", next: "c", isFirst: false, in: id)
        let error = #expect(throws: HTTPSourceError.self) { try walk.note("c", next: "a", isFirst: false, in: id) }
        #expect(error?.code == .repeatedCursor)
        #expect(error?.field == "next")
    }

    @Test func `tells keys apart by their bytes`() throws {
        var walk = WalkLinks(maxPages: 100)
        try walk.note("first", next: "\u{e9}", isFirst: true, in: id)
        try walk.note("\u{e9}", next: "e\u{301}", isFirst: false, in: id)
        try walk.note("e\u{301}", next: "b", isFirst: false, in: id)
        #expect(throws: HTTPSourceError.self) { try walk.note("b", next: "\u{e9}", isFirst: false, in: id) }
        #expect(throws: HTTPSourceError.self) { try walk.note("b", next: "e\u{301}", isFirst: false, in: id) }
    }

    @Test func `finds the way back to the start`() throws {
        var walk = WalkLinks(maxPages: 100)
        try walk.note("first", next: "a", isFirst: true, in: id)
        #expect(throws: HTTPSourceError.self) { try walk.note("a", next: "first", isFirst: false, in: id) }
    }

    @Test func `takes a page again`() throws {
        var walk = WalkLinks(maxPages: 100)
        for _ in 0..<3 {
            try walk.note("first", next: "a", isFirst: true, in: id)
            try walk.note("a", next: "b", isFirst: false, in: id)
            try walk.note("a", next: "b", isFirst: false, in: id)
            try walk.note("b", next: nil, isFirst: false, in: id)
        }
    }

    @Test func `forgets with the first page`() throws {
        var walk = WalkLinks(maxPages: 100)
        try walk.note("first", next: "a", isFirst: true, in: id)
        try walk.note("a", next: "b", isFirst: false, in: id)
        try walk.note("first", next: "b", isFirst: true, in: id)
        try walk.note("b", next: "a", isFirst: false, in: id)
    }

    @Test func `tells scopes and sizes apart`() throws {
        var walk = WalkLinks(maxPages: 100)
        try walk.note("a", next: "b", isFirst: false, in: id)
        try walk.note("b", next: "a", isFirst: false, in: .init(scope: "other", pageSize: 10))
        try walk.note("b", next: "a", isFirst: false, in: .init(scope: "", pageSize: 20))
    }

    @Test func `bounds a walk`() throws {
        var walk = WalkLinks(maxPages: 50)
        for page in 0..<49 { try walk.note("\(page)", next: "\(page + 1)", isFirst: page == 0, in: id) }
        let error = #expect(throws: HTTPSourceError.self) { try walk.note("49", next: "50", isFirst: false, in: id) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.field == "pagesPerWalk")
    }

    @Test func `a circle of more pages than are remembered ends at the greatest number of pages`() throws {
        var walk = WalkLinks(maxPages: 20_010)
        for page in 0..<20_005 { try walk.note("\(page)", next: "\(page + 1)", isFirst: page == 0, in: id) }
        // Nothing but the length of the walk is kept of the first 20,000 pages.
        try walk.note("20005", next: "3", isFirst: false, in: id)
        for page in 3..<6 { try walk.note("\(page)", next: "\(page + 1)", isFirst: false, in: id) }
        let error = #expect(throws: HTTPSourceError.self) { try walk.note("6", next: "7", isFirst: false, in: id) }
        #expect(error?.code == .limitExceeded && error?.field == "pagesPerWalk")
    }

    @Test func `remembers the last walks alone`() throws {
        var walk = WalkLinks(maxPages: 100)
        func id(_ number: Int) -> WalkLinks.Key { .init(scope: "\(number)", pageSize: 10) }
        for number in 0..<16 { try walk.note("a", next: "b", isFirst: true, in: id(number)) }
        // The second one is now the one that was not used for the longest time.
        try walk.note("b", next: nil, isFirst: false, in: id(0))
        try walk.note("a", next: "b", isFirst: true, in: id(16))
        for number in [0] + Array(2...16) {
            #expect(throws: HTTPSourceError.self) { try walk.note("b", next: "a", isFirst: false, in: id(number)) }
        }
        try walk.note("b", next: "a", isFirst: false, in: id(1))
    }

    /// On random graphs with one way out of each page, a walk ends with an error exactly if it comes back.
    @Test(arguments: 0..<50)
    func `agrees with a plain walk`(_ round: Int) {
        var random = SeededRandom(seed: UInt64(round))
        let size = random.number(in: 1..<12)
        let ways = (0..<size).map { _ in random.number(in: 0..<(size + 2)) }
        var walk = WalkLinks(maxPages: 1_000)
        var page = 0
        var seen: Set<Int> = []
        var failed = false
        while page < size, seen.insert(page).inserted, !failed {
            let next = ways[page]
            do {
                try walk.note("\(page)", next: next < size ? "\(next)" : nil, isFirst: seen.count == 1, in: id)
            } catch {
                failed = true
                #expect(seen.contains(next), "seed \(round): \(ways)")
            }
            if !failed { page = next }
        }
        #expect(failed == (page < size), "seed \(round): \(ways)")
    }
}
