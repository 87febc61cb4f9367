// What `WriteBehindConfig` names and embedded Swift has not.
package protocol WorkExecutor: AnyObject, Sendable {}

final class QueueExecutor: WorkExecutor {
    static let work: any WorkExecutor = QueueExecutor()
}

/// A number that is wrong, or does not fit, ends the program with a trap.
@main struct Checks {
    static func main() {
        precondition(Int.bitWidth == 32)
        durations()
        hashes()
        weights()
        caps()
        ranks()
        print("32 bits: ok")
    }

    static func durations() {
        precondition(Duration.days(100_000).wholeNanoseconds == 8_640_000_000_000_000_000)
        precondition(PaginatorInstant.zero.advanced(by: .days(.max)) == .distantFuture)
        var summary = DurationSummary()
        summary.record(.seconds(3_600))
        // As many as a server has in a year.
        for _ in 0..<40 { summary.merge(summary) }
        precondition(summary.count == .max)
        precondition(summary.mean >= .seconds(3_599) || summary.mean > .zero)
        precondition(summary.percentile(0.5) > .zero)
    }

    /// The greater half of the hashes is no negative number.
    static func hashes() {
        precondition(StableHash.value(of: "") != StableHash.value(of: "0"))
    }

    /// Pages of any weight, and pages that become heavy once they are there.
    static func weights() {
        var order = AdaptiveOrder(EvictionLimits(pages: 5_000, bytes: 2_000_000_000))
        for round in 0..<2 {
            for number in 0..<4_000 {
                let facts = PageFacts(
                    bytes: round == 0 ? 1 : 2_000_000_000, items: 1, keyHash: StableHash.value(of: "\(number)"))
                order.inserted(PageHandle(index: number), facts)
            }
        }
        precondition(order.first(where: { _ in true }) != nil)
    }

    static func caps() {
        let config = WriteBehindConfig().normalized
        precondition(config.maxPendingBytes == 16_000_000 && config.maxBatchBytes == 4_000_000)
    }

    static func ranks() {
        var tree = RankTree<QueueExecutor>()
        for rank in [Int.min, -1, 0, 1, Int.max] {
            tree.set(QueueExecutor(), RankTree<QueueExecutor>.Measure(rows: 1), at: rank)
        }
        precondition(tree.first == Int.min && tree.last == Int.max)
    }
}
