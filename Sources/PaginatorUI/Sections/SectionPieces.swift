import PaginatorCore
import PaginatorLists

/// Consecutive rows that stay consecutive, in one section before and one section after.
struct SectionStretch {
    var (oldSection, newSection): (Int, Int)
    var (old, new): (Range<Int>, Range<Int>)
}

extension Array {
    /// Returns the place of a position in these sections. Complexity: O(log sections).
    func place<Key>(of position: Int) -> PaginatorBatch.Place? where Element == PaginatorListSection<Key> {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].range.upperBound <= position { low = middle + 1 } else { high = middle }
        }
        guard low < count, self[low].range.contains(position) else { return nil }
        return PaginatorBatch.Place(section: low, row: position - self[low].range.lowerBound)
    }

    /// What remains of the sections without some positions, in runs of consecutive rows.
    ///
    /// - Parameter holes: disjoint ranges in any order.
    func pieces<Key>(without holes: [Range<Int>]) -> [SectionPiece]
    where Element == PaginatorListSection<Key> {
        var pieces: [SectionPiece] = []
        var holes = holes.sorted { $0.lowerBound < $1.lowerBound }[...]
        for (index, section) in enumerated() {
            var start = section.range.lowerBound
            while let hole = holes.first, hole.lowerBound < section.range.upperBound {
                if start < hole.lowerBound { pieces.append((index, start..<hole.lowerBound)) }
                start = hole.upperBound
                // The hole may reach into the next section.
                if hole.upperBound > section.range.upperBound { break }
                holes.removeFirst()
            }
            if start < section.range.upperBound { pieces.append((index, start..<section.range.upperBound)) }
        }
        return pieces
    }

    /// The rows that stay in place in the list, with their sections before and after.
    func stretches<T, Key>(
        after difference: PaginatorListDifference<T>, to new: [PaginatorListSection<Key>]
    ) -> [SectionStretch] where Element == PaginatorListSection<Key> {
        var before = pieces(without: difference.removals + difference.moves.map { $0.from..<$0.from + 1 })[...]
        var after = new.pieces(
            without: difference.insertions.map(\.range) + difference.moves.map { $0.to..<$0.to + 1 })[...]
        var stretches: [SectionStretch] = []
        // The same rows in the same order, cut at the bounds of either.
        while let old = before.first, let new = after.first {
            let length = Swift.min(old.range.count, new.range.count)
            stretches.append(
                SectionStretch(
                    oldSection: old.section, newSection: new.section, old: old.range.prefix(length),
                    new: new.range.prefix(length)))
            before.drop(length)
            after.drop(length)
        }
        return stretches
    }
}

typealias SectionPiece = (section: Int, range: Range<Int>)

extension ArraySlice<SectionPiece> {
    /// Removes the first positions, which must be in the first piece.
    mutating func drop(_ length: Int) {
        if self[startIndex].range.count == length { removeFirst() } else { self[startIndex].range.removeFirst(length) }
    }
}
