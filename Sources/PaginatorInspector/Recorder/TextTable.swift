import PaginatorCore

/// The texts that events name by number, in generations: an event names texts of the one in which it was recorded.
///
/// A generation begins without a text, so that old texts go as a whole, with the events that name them, and no event has to
/// be looked at for that.
struct TextTable: Sendable {
    private struct Generation: Sendable {
        /// How many texts there were before it, and how many events.
        let firstText: Int
        let firstEvent: Int
        /// The text with the number n at the place n - 1, and what it is.
        var texts: [(text: String, role: TextRole)] = []
        var bytes = 0
    }

    /// Of so many the oldest goes at once.
    private static let maxGenerations = 4

    private let maxBytes: Int
    // The newest at the end; there always is one.
    private var generations = [Generation(firstText: 0, firstEvent: 0)]
    private var bytes = 0
    private var details: [ExactText: UInt32] = [:]
    private var errors: [ExactText: UInt32] = [:]
    // A page is found without making its text.
    private var pages: [PageIdentity: UInt32] = [:]

    init(maxBytes: Int) {
        self.maxBytes = max(1, maxBytes)
    }

    // MARK: - Numbers

    /// How many texts there were before the generation whose texts events name now.
    var firstTextNow: Int { generations[generations.count - 1].firstText }

    mutating func number(ofDetail text: String) -> UInt32 {
        let text = text.shortened
        if let number = details[ExactText(text)] { return number }
        let number = add(text, .detail)
        details[ExactText(text)] = number
        return number
    }

    /// - Parameter text: as ``RecordingNames/text(of:)`` makes it.
    mutating func number(ofError text: String) -> UInt32 {
        if let number = errors[ExactText(text)] { return number }
        let number = add(text, .error)
        errors[ExactText(text)] = number
        return number
    }

    mutating func number(of page: PageIdentity) -> UInt32 {
        let page = page.shortened
        if let number = pages[page] { return number }
        let number = add(page.json.string, .page)
        pages[page] = number
        return number
    }

    private mutating func add(_ text: String, _ role: TextRole) -> UInt32 {
        // With what the tables have of it.
        let cost = text.utf8.count + 64
        let last = generations.count - 1
        generations[last].texts.append((text, role))
        generations[last].bytes += cost
        bytes += cost
        return UInt32(clamping: generations[last].texts.count)
    }

    // MARK: - What is kept

    /// How many texts there were before the first one that is kept, and before the next one.
    var firstText: Int { generations[0].firstText }
    var endText: Int { firstTextNow + generations[generations.count - 1].texts.count }

    /// Those with a place among all that there ever were.
    func texts(_ places: Range<Int>) -> [(text: String, role: TextRole)] {
        generations.flatMap { generation in
            let kept = places.clamped(to: generation.firstText..<generation.firstText + generation.texts.count)
            return generation.texts[kept.lowerBound - generation.firstText..<kept.upperBound - generation.firstText]
        }
    }

    /// How many bytes the one at a place has that is kept.
    func bytes(at place: Int) -> Int {
        let texts = generations.last { $0.firstText <= place }.map { $0.texts[(place - $0.firstText)...] }
        return texts?.first?.text.utf8.count ?? 0
    }

    /// Whether ``turnOver(firstEvent:nextEvent:)`` is due.
    var isFull: Bool { bytes > maxBytes || generations[generations.count - 1].bytes >= maxBytes / Self.maxGenerations }

    /// Begins a generation, and drops those that no event names or that are too much.
    ///
    /// - Parameters:
    ///   - first: the number of the first event that is kept.
    ///   - next: that of the next event.
    /// - Returns: the number of the first event that names texts which are still there.
    mutating func turnOver(firstEvent first: Int, nextEvent next: Int) -> Int {
        while generations.count > 1, bytes > maxBytes || generations[1].firstEvent <= first {
            bytes -= generations.removeFirst().bytes
        }
        if generations[generations.count - 1].bytes >= maxBytes / Self.maxGenerations {
            generations.append(Generation(firstText: endText, firstEvent: next))
            (details, errors, pages) = ([:], [:], [:])
        }
        return generations[0].firstEvent
    }
}

extension String {
    /// Itself up to 4 KB, and beyond that its beginning with the hash of all of it.
    var shortened: String {
        guard utf8.count > 4_096 else { return self }
        return String(decoding: utf8.prefix(4_000), as: UTF8.self) + "… "
            + String(StableHash.value(of: self), radix: 16)
    }
}

extension PageIdentity {
    /// With a key and a scope that are.
    var shortened: PageIdentity {
        guard key.utf8.count > 4_096 || scope.utf8.count > 4_096 else { return self }
        return PageIdentity(key: key.shortened, pageSize: pageSize, scope: scope.shortened)
    }
}
