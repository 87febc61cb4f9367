import PaginatorCore

/// The texts that events name by number.
struct TextTable: Sendable {
    /// The text with the number n at the place n - 1.
    private(set) var texts: [String] = []
    private(set) var bytes = 0
    private var numbers: [ExactText: UInt32] = [:]
    // A page is found without making its text.
    private var pages: [PageIdentity: UInt32] = [:]

    mutating func number(of text: String) -> UInt32 {
        if let number = numbers[ExactText(text)] { return number }
        let number = add(text)
        numbers[ExactText(text)] = number
        return number
    }

    mutating func number(of page: PageIdentity) -> UInt32 {
        if let number = pages[page] { return number }
        let number = add(page.json.string)
        pages[page] = number
        return number
    }

    private mutating func add(_ text: String) -> UInt32 {
        texts.append(text)
        bytes += Self.cost(of: text)
        return UInt32(clamping: texts.count)
    }

    // With what the tables have of it.
    private static func cost(of text: String) -> Int { text.utf8.count + 64 }

    /// Drops the texts that are not used, and returns the new number of each, at the place of the old one.
    mutating func keep(_ isUsed: [Bool]) -> [UInt32] {
        var renumbered = [UInt32](repeating: 0, count: texts.count + 1)
        var kept: [String] = []
        bytes = 0
        for (index, text) in texts.enumerated() where isUsed[index + 1] {
            kept.append(text)
            bytes += Self.cost(of: text)
            renumbered[index + 1] = UInt32(clamping: kept.count)
        }
        texts = kept
        numbers = numbers.compactMapValues { renumbered[Int($0)] }.filter { $0.value > 0 }
        pages = pages.compactMapValues { renumbered[Int($0)] }.filter { $0.value > 0 }
        return renumbered
    }
}
