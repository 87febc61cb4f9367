import PaginatorCore

/// The texts that events refer to by number, in generations: an event refers to texts of the generation in which it was
/// recorded.
///
/// A generation begins empty, so old texts are dropped as a whole with the events that refer to them, without searching
/// events.
struct TextTable: Sendable {
    private struct Generation: Sendable {
        /// The number of texts and of events before it.
        let firstText: Int
        let firstEvent: Int
        /// The text with the number n is at index n - 1, with its role.
        var texts: [(text: String, role: TextRole)] = []
        var bytes = 0
    }

    /// The number of generations from which the oldest is dropped.
    private static let maxGenerations = 4

    private let maxBytes: Int
    // The newest last; there is always one.
    private var generations = [Generation(firstText: 0, firstEvent: 0)]
    private var bytes = 0
    private var details: [ExactText: UInt32] = [:]
    private var errors: [ExactText: UInt32] = [:]
    // By identity, so that a page is found without making its text.
    private var pages: [PageIdentity: UInt32] = [:]

    init(maxBytes: Int) {
        self.maxBytes = max(1, maxBytes)
    }

    // MARK: - Numbers

    /// The number of texts before the current generation.
    var firstTextNow: Int { generations[generations.count - 1].firstText }

    mutating func number(ofDetail text: String) -> UInt32 {
        let text = text.shortened
        if let number = details[ExactText(text)] { return number }
        let number = add(text, .detail)
        details[ExactText(text)] = number
        return number
    }

    /// - Parameter text: the result of ``RecordingNames/text(of:)``.
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
        // With the overhead of the tables.
        let cost = text.utf8.count + 64
        let last = generations.count - 1
        generations[last].texts.append((text, role))
        generations[last].bytes += cost
        bytes += cost
        return UInt32(clamping: generations[last].texts.count)
    }

    // MARK: - What is kept

    /// The number of texts before the first one kept, and before the next one.
    var firstText: Int { generations[0].firstText }
    var endText: Int { firstTextNow + generations[generations.count - 1].texts.count }

    /// The texts with indices among all texts ever.
    func texts(_ places: Range<Int>) -> [(text: String, role: TextRole)] {
        generations.flatMap { generation in
            let kept = places.clamped(to: generation.firstText..<generation.firstText + generation.texts.count)
            return generation.texts[kept.lowerBound - generation.firstText..<kept.upperBound - generation.firstText]
        }
    }

    /// The bytes of the kept text at an index.
    func bytes(at place: Int) -> Int {
        let texts = generations.last { $0.firstText <= place }.map { $0.texts[(place - $0.firstText)...] }
        return texts?.first?.text.utf8.count ?? 0
    }

    /// Whether to call ``turnOver(firstEvent:nextEvent:)``.
    var isFull: Bool { bytes > maxBytes || generations[generations.count - 1].bytes >= maxBytes / Self.maxGenerations }

    /// Begins a generation, and drops those that no event refers to or that exceed the bound.
    ///
    /// - Parameters:
    ///   - first: the number of the first event kept.
    ///   - next: the number of the next event.
    /// - Returns: the number of the first event whose texts are still there.
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
    /// The text up to 4 KB; beyond that its beginning and a hash of all of it.
    var shortened: String {
        guard utf8.count > 4_096 else { return self }
        return String(decoding: utf8.prefix(4_000), as: UTF8.self) + "… "
            + String(StableHash.value(of: self), radix: 16)
    }
}

extension PageIdentity {
    /// With shortened key and scope.
    var shortened: PageIdentity {
        guard key.utf8.count > 4_096 || scope.utf8.count > 4_096 else { return self }
        return PageIdentity(key: key.shortened, pageSize: pageSize, scope: scope.shortened)
    }
}
