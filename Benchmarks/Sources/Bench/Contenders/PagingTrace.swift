import HeapModule
import PaginatorTesting

/// What people do to a paged list, as the keys that it asks its cache for, in order.
struct PagingTrace: Sendable {
    let name: String
    /// Keys, numbered as they first appear.
    let requests: [Int]
    /// How many different keys there are.
    let keys: Int

    /// Pages that a cache holds in these rows: the library's default.
    static let capacity = 200

    /// One trace for each habit, and one in which they alternate. All follow from fixed seeds.
    static func all(requests: Int) -> [PagingTrace] {
        let habits: [(String, Habit)] = [
            ("forward with prefetch", forward), ("down and back up", downAndUp), ("jumps", jumps),
            ("pull to refresh", refreshes), ("switching between five lists", lists), ("search as you type", search),
        ]
        var traces = habits.enumerated().map { number, habit in
            make(habit.0, seed: UInt64(100 + number), requests) { walk in
                while walk.count < requests { habit.1(&walk) }
            }
        }
        traces.append(
            make("all of these in turn", seed: 99, requests) { walk in
                while walk.count < requests { habits[walk.random.number(in: 0..<habits.count)].1(&walk) }
            })
        return traces
    }

    private typealias Habit = (inout Walk) -> Void

    private static func make(
        _ name: String, seed: UInt64, _ requests: Int, _ walk: (inout Walk) -> Void
    ) -> PagingTrace {
        var state = Walk(seed: seed)
        walk(&state)
        return PagingTrace(name: name, requests: Array(state.requests.prefix(requests)), keys: state.known.count)
    }

    /// What was asked for so far.
    private struct Walk {
        private struct Page: Hashable {
            let list: Int
            let generation: Int
            let page: Int
        }

        var random: SeededRandom
        private(set) var requests: [Int] = []
        private(set) var known: [AnyHashable: Int] = [:]
        /// How often each list was refreshed; its later pages are others then.
        var generations = [Int](repeating: 0, count: 16)
        /// Where the reader of each list is.
        var places = [Int](repeating: 0, count: 16)

        init(seed: UInt64) { random = SeededRandom(seed: seed) }

        var count: Int { requests.count }

        private mutating func ask(_ key: AnyHashable) {
            let number = known[key] ?? known.count
            known[key] = number
            requests.append(number)
        }

        mutating func ask(list: Int, page: Int) {
            ask(Page(list: list, generation: page == 0 ? 0 : generations[list], page: page))
        }

        mutating func ask(query: String, page: Int) { ask("\(query) \(page)") }

        /// Shows a page and reads ahead by two.
        mutating func show(list: Int, page: Int, ahead: Int = 2) {
            for step in 0...ahead { ask(list: list, page: page + step) }
        }
    }

    /// From the top to somewhere far down, every page with the two after it.
    private static func forward(_ walk: inout Walk) {
        for page in 0..<walk.random.number(in: 100..<600) { walk.show(list: 0, page: page) }
    }

    /// Down some way, and back to the top past everything that was seen.
    private static func downAndUp(_ walk: inout Walk) {
        let end = walk.random.number(in: 20..<400)
        for page in 0..<end { walk.show(list: 1, page: page) }
        for page in (0..<end).reversed() { walk.ask(list: 1, page: page) }
    }

    /// To a date or a search's place, most often a near one, and some pages from there.
    private static func jumps(_ walk: inout Walk) {
        let share = walk.random.unitInterval()
        let page = Int(3_000 * share * share * share)
        for step in 0..<walk.random.number(in: 2..<9) { walk.show(list: 2, page: page + step, ahead: 1) }
    }

    /// Some pages from the top, then a refresh, after which only the first page has its key still.
    private static func refreshes(_ walk: inout Walk) {
        for page in 0..<walk.random.number(in: 3..<25) { walk.show(list: 3, page: page) }
        if walk.random.chance(0.5) { walk.generations[3] += 1 }
        walk.ask(list: 3, page: 0)
    }

    /// Back to one of five lists, the first most often, where it was left, and on from there.
    private static func lists(_ walk: inout Walk) {
        let list = 4 + min(4, Int(5 * walk.random.unitInterval() * walk.random.unitInterval() * 1.5))
        for _ in 0..<walk.random.number(in: 2..<20) {
            walk.show(list: list, page: walk.places[list])
            walk.places[list] = max(0, walk.places[list] + (walk.random.chance(0.75) ? 1 : -1))
        }
        if walk.random.chance(0.05) { walk.places[list] = 0 }
    }

    /// A word letter by letter, now and then with a letter taken back, and some pages of what it finds.
    private static func search(_ walk: inout Walk) {
        let share = walk.random.unitInterval()
        let word = word(Int(800 * share * share))
        var typed = ""
        for letter in word {
            typed.append(letter)
            walk.ask(query: typed, page: 0)
            guard walk.random.chance(0.1) else { continue }
            walk.ask(query: typed + "x", page: 0)
            walk.ask(query: typed, page: 0)
        }
        for page in 1..<walk.random.number(in: 2..<6) { walk.ask(query: word, page: page) }
    }

    /// A word of five to eight letters, the same for the same number.
    private static func word(_ number: Int) -> String {
        var random = SeededRandom(seed: UInt64(7_000 + number))
        return String((0..<random.number(in: 5..<9)).map { _ in "etaoinshrdlu".randomElement(using: &random) ?? "e" })
    }

    /// The most hits that any policy can have which may also leave a page out: of those held, and the new one, the one
    /// that is asked for again the latest goes (Belady, "A study of replacement algorithms", IBM Systems Journal 1966).
    var optimum: Int {
        struct Entry: Comparable {
            let next: Int
            let key: Int
            static func < (left: Entry, right: Entry) -> Bool { left.next < right.next }
        }
        var next = [Int](repeating: .max, count: requests.count)
        var last = [Int](repeating: .max, count: keys)
        for place in requests.indices.reversed() {
            next[place] = last[requests[place]]
            last[requests[place]] = place
        }
        // When a key that is held is asked for again; an entry of the heap that says otherwise is out of date.
        var held: [Int: Int] = [:]
        var heap = Heap<Entry>()
        var hits = 0
        for (place, key) in requests.enumerated() {
            if held[key] != nil { hits += 1 }
            held[key] = next[place]
            heap.insert(Entry(next: next[place], key: key))
            while held.count > Self.capacity, let entry = heap.popMax() {
                if held[entry.key] == entry.next { held[entry.key] = nil }
            }
        }
        return hits
    }
}
