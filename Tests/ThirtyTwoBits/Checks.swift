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
        timers()
        lengths()
        print("32 bits: ok")
    }

    static func durations() {
        precondition(Duration.days(100_000).wholeNanoseconds == 8_640_000_000_000_000_000)
        precondition(PaginatorInstant.zero.advanced(by: .days(.max)) == .distantFuture)
        var summary = DurationSummary()
        summary.record(nanoseconds: 3_600_000_000_000)
        // As many as a server has in a year.
        for _ in 0..<40 { summary.merge(summary) }
        precondition(summary.count == .max)
        precondition(summary.mean >= .seconds(3_599) || summary.mean > .zero)
        precondition(summary.percentile(0.5) > .zero)
    }

    /// The greater half of the hashes is no negative number.
    static func hashes() {
        precondition(StableHash.value(of: "") != StableHash.value(of: "0"))
        var index = ItemIndex()
        index.set(1, [.max, 1 << 31])
        precondition(index.places(of: .max) == [1] && index.places(of: 1 << 31) == [1])
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
        // Of weights that are all nothing no limit is ever reached.
        precondition(EvictionLimits.whole == 1_099_511_627_776)
    }

    static func caps() {
        let config = WriteBehindConfig().normalized
        precondition(config.maxPendingBytes == 16_000_000 && config.maxBatchBytes == 4_000_000)
        precondition(config.maxPendingChanges == 1_024 && config.maxBatchChanges == 256)
    }

    static func ranks() {
        var tree = RankTree<QueueExecutor>()
        for rank in [Int.min, -1, 0, 1, Int.max] {
            tree.set(QueueExecutor(), RankTree<QueueExecutor>.Measure(rows: 1), at: rank)
        }
        precondition(tree.first == Int.min && tree.last == Int.max)
        // Room for half a million pages, and for gaps between each two of them.
        precondition(RankTree<QueueExecutor>.step == 1 << 12)
    }

    /// A timer waits in pieces of ten seconds, and a store for what it does now and then: more than two.
    static func timers() {
        precondition(Duration.seconds(10).wholeMicroseconds == 10_000_001)
        precondition(Duration.minutes(30).wholeMicroseconds == 1_800_000_001)
        precondition(Duration.days(100_000).wholeMicroseconds == .max && Duration.zero.wholeMicroseconds == 1)
    }

    /// Damaged bytes that name more than an `Int` holds, wherever a length stands.
    static func lengths() {
        let most = [UInt8](repeating: 0xff, count: 4)
        let longest = [UInt8](repeating: 0xff, count: 9) + [1]
        let (array, object, text) = (CompactFormat.Tag.array, CompactFormat.Tag.object, CompactFormat.Tag.text)
        for value in [[array] + most, [object] + most, [text] + longest, [CompactFormat.Tag.bytes] + longest] {
            refused(value) { input throws(PageCodingError) in
                _ = try input.end(of: input.all)
            }
        }
        refused([array, 4, 0, 0, 0] + most) { input throws(PageCodingError) in
            _ = try input.array(input.all)
        }
        refused(longest) { input throws(PageCodingError) in
            var place = input.all
            _ = try input.text(&place)
        }
        // The offset of the table of names is the last of the bytes.
        refused([CompactFormat.Tag.null] + most) { input throws(PageCodingError) in
            _ = try input.parts()
        }
    }

    static func refused(
        _ value: [UInt8], _ read: (CompactScanner) throws(PageCodingError) -> Void
    ) {
        do throws(PageCodingError) {
            try read(try CompactScanner([CompactFormat.version] + value))
            preconditionFailure("a damaged length was taken")
        } catch {
            return
        }
    }
}

extension CompactScanner {
    var all: Place { Place(offset: 1, end: bytes.count) }
}
