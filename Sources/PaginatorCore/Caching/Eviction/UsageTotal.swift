/// Exact sums of the pages' costs, however large.
struct UsageTotal: Sendable {
    private(set) var count = 0
    private var items = WideSum()
    private var bytes = WideSum()

    var usage: PageUsage { PageUsage(pages: count, items: items.clamped, bytes: bytes.clamped) }

    mutating func add(_ facts: PageFacts) {
        count += 1
        items.add(facts.items)
        bytes.add(facts.bytes)
    }

    mutating func subtract(_ facts: PageFacts) {
        count -= 1
        items.subtract(facts.items)
        bytes.subtract(facts.bytes)
    }
}

/// A sum of non-negative numbers with double width, because a saturated sum could not be decreased correctly.
private struct WideSum: Sendable {
    private var high = 0
    private var low: UInt = 0

    var clamped: Int { high > 0 ? .max : Int(clamping: low) }

    mutating func add(_ number: Int) {
        let (sum, overflow) = low.addingReportingOverflow(UInt(number))
        low = sum
        if overflow { high += 1 }
    }

    mutating func subtract(_ number: Int) {
        let (difference, overflow) = low.subtractingReportingOverflow(UInt(number))
        low = difference
        if overflow { high -= 1 }
    }
}

extension PageUsage {
    func scaled(by fraction: Double) -> PageUsage {
        // NaN removes nothing, either.
        guard fraction < 1 else { return self }
        let part = max(0, fraction)
        return PageUsage(
            pages: Int(Double(pages) * part), items: Int(Double(items) * part), bytes: Int(Double(bytes) * part))
    }
}
