import PaginatorCore
import PaginatorLists

/// Which rows a list loads ahead.
package enum PrefetchMethod: String, CaseIterable, Sendable {
    case none = "none"
    /// The default of the library before distances adapted.
    case fixed = "fixed 15"
    /// Texture's batch fetching: two screens.
    case texture = "Texture, 2 screens"
    /// Paging 3: a page, and a first load of three pages.
    case paging = "Paging 3"
    case adaptive = "adaptive"
    /// Knows where the user will stop, and loads everything up to there as soon as the link allows, one page after the
    /// other: nobody can let a user wait less, or load less.
    case clairvoyant = "clairvoyant"

    func distance(pageSize: Int) -> Int? {
        switch self {
        case .none: 0
        case .fixed: 15
        case .texture: 2 * ScrollingSession.screen
        case .paging: pageSize
        case .adaptive: nil
        case .clairvoyant: .max
        }
    }
}

/// A user who scrolls through a list over a link, in virtual time.
package struct ScrollingSession: Sendable {
    /// What came of one session, or of several.
    package struct Outcome: Sendable {
        /// Seconds for which the user wanted to go on and the next row was not there; the first page does not count.
        package var waited = 0.0
        /// Seconds in all, but for the first page.
        package var lasted = 0.0
        /// Calls of the source.
        package var requests = 0
        /// The fewest calls that show what was seen: as many pages as that takes.
        package var needed = 0
        /// Rows that the source was asked for, and rows that were on the screen.
        package var fetched = 0
        package var seen = 0

        package init() {}

        package var waiting: Double { waited / lasted }
        package var requestsToNeed: Double { Double(requests) / Double(needed) }
        package var unseen: Double { Double(fetched - seen) / Double(fetched) }

        static func += (left: inout Outcome, right: Outcome) {
            left.waited += right.waited
            left.lasted += right.lasted
            left.requests += right.requests
            left.needed += right.needed
            left.fetched += right.fetched
            left.seen += right.seen
        }
    }

    /// The rows on the screen.
    static let screen = 6

    package var link: SimulatedLink
    package var style: ScrollingStyle
    package var method: PrefetchMethod
    package var pageSize: Int
    package var minutes = 30.0

    package init(_ link: SimulatedLink, _ style: ScrollingStyle, _ method: PrefetchMethod, pageSize: Int) {
        (self.link, self.style, self.method, self.pageSize) = (link, style, method, pageSize)
    }

    /// Scrolls to the end of the session.
    package func run(seed: UInt64) -> Outcome {
        let stretches = style.session(seconds: minutes * 60, seed: seed)
        var (top, deepest) = (0.0, 0.0)
        for stretch in stretches {
            top = max(0, top + stretch.rows)
            deepest = max(deepest, top)
        }
        let seen = Int(deepest) + Self.screen
        let timeline = Timeline(seed: seed, longDelay: .milliseconds(1))
        let process = SimulatedProcess(timeline)
        let source = LinkedSource(
            link, timeline, process: process.number, firstPages: method == .paging ? 3 : 1,
            end: method == .clairvoyant ? seen : .max, seed: seed &+ 1)
        var paging = DefaultPaginatorConfig()
        paging.clock = timeline
        paging.executor = process
        paging.callbackExecutor = process
        paging.randomSeed = seed
        var listing = PaginatorListConfig()
        listing.pageSize = pageSize
        listing.prefetchDistance = method.distance(pageSize: pageSize)
        let list = PaginatorList(
            CallbackPaginator<Int>(dataSource: source, config: paging), id: { $0 }, config: listing)

        func wait(until time: Int64) {
            while let next = timeline.next, next <= time { _ = timeline.runNext() }
            timeline.wait(until: time)
        }
        func wait(forRow row: Int) -> Int64 {
            guard list.snapshot.count <= row else { return 0 }
            let start = timeline.nanoseconds
            // Who sees the spinner at the end.
            list.loadNext()
            while list.snapshot.count <= row, timeline.runNext() {}
            return timeline.nanoseconds - start
        }
        _ = wait(forRow: 0)
        let start = timeline.nanoseconds
        var waited: Int64 = 0
        var shown = 0
        func look(at row: Int) {
            waited += wait(forRow: row + Self.screen - 1)
            shown = row
            list.hint(visible: row..<row + Self.screen)
        }
        look(at: 0)
        top = 0
        for stretch in stretches {
            let begin = top
            let duration = stretch.seconds
            var elapsed = 0.0
            while elapsed < duration {
                // A frame of the screen.
                let step = if case .pause = stretch { duration } else { min(1 / 60.0, duration - elapsed) }
                elapsed += step
                wait(until: timeline.nanoseconds + Int64(step * 1e9))
                top = max(0, begin + stretch.rows(after: elapsed))
                if Int(top) != shown { look(at: Int(top)) }
            }
        }
        process.die()
        var outcome = Outcome()
        outcome.waited = Double(waited) * 1e-9
        outcome.lasted = Double(timeline.nanoseconds - start) * 1e-9
        (outcome.requests, outcome.fetched, outcome.seen) = (source.cost.requests, source.cost.rows, seen)
        outcome.needed = (seen + pageSize - 1) / pageSize
        return outcome
    }
}
