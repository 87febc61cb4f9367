import Testing

@testable import FeedChatExample

/// The steps that take the page from the rows that it has to those that it should show.
@Suite struct RowOpTests {
    private func row(_ name: Int, _ text: Int = 0) -> AppRow { AppRow(id: "\(name)", content: .separator("\(text)")) }

    /// What the page does with steps: each place counts as of that moment.
    private func apply(_ ops: [RowOp], to rows: [AppRow]) -> [AppRow]? {
        var rows = rows
        for op in ops {
            switch op {
            case .remove(let place):
                guard rows.indices.contains(place) else { return nil }
                rows.remove(at: place)
            case .insert(let place, let row):
                guard (0...rows.count).contains(place) else { return nil }
                rows.insert(row, at: place)
            case .replace(let place, let row):
                guard rows.indices.contains(place), rows[place].id == row.id else { return nil }
                rows[place] = row
            }
        }
        return rows
    }

    @Test(arguments: 0..<400) func `the steps lead from any rows to any others`(seed: UInt64) {
        var dice = SplitMix(state: seed)
        func rows() -> [AppRow] {
            let names = Array(0..<Int.random(in: 0...12, using: &dice)).shuffled(using: &dice)
            return names.filter { _ in Bool.random(using: &dice) }.map { row($0, Int.random(in: 0...1, using: &dice)) }
        }
        let (old, new) = (rows(), rows())
        let ops = RowOp.ops(from: old, to: new)
        #expect(apply(ops, to: old) == new, "seed \(seed): \(ops)")
        if old == new { #expect(ops.isEmpty) }
        // No row is touched twice, and none that stays the same.
        #expect(ops.count <= old.count + new.count)
    }

    @Test func `a page of rows at the end, and one at the beginning, are insertions only`() {
        let old = (100..<3_000).map { row($0) }
        let more = old + (3_000..<3_030).map { row($0) }
        #expect(RowOp.ops(from: old, to: more) == (0..<30).map { .insert(2_900 + $0, row(3_000 + $0)) })
        let earlier = (70..<100).map { row($0) } + old
        #expect(RowOp.ops(from: old, to: earlier) == (0..<30).map { .insert($0, row(70 + $0)) })
    }

    @Test func `one row that moves is one that goes and comes`() {
        let old = (0..<10).map { row($0) }
        var new = old
        new.insert(new.remove(at: 8), at: 1)
        #expect(RowOp.ops(from: old, to: new) == [.remove(8), .insert(1, row(8))])
    }

    @Test func `a row that looks different is replaced where it stands`() {
        let old = (0..<10).map { row($0) }
        var new = old
        new[4] = row(4, 1)
        new.remove(at: 2)
        #expect(RowOp.ops(from: old, to: new) == [.remove(2), .replace(3, row(4, 1))])
    }
}

/// Numbers that look random and are the same in every run: SplitMix64 by Steele, Lea and Flood.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
