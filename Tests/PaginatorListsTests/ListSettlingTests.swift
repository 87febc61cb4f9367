import Foundation
import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Whatever has happened before: once the server's table stands still and somebody refreshes, scrolling through the whole
/// list shows the table, row by row.
@Suite struct ListSettlingTests {
    enum Ending: CaseIterable { case all, keepingPlace, reset, firstPageAndAll }

    private static let seeds = ProcessInfo.processInfo.environment["PAGINATOR_LONG_TESTS"] != nil ? 2_000 : 20

    @Test(arguments: SamplePages.Style.allCases, Ending.allCases)
    func `after a refresh the whole list shows the table`(_ style: SamplePages.Style, _ ending: Ending) {
        for seed in 0..<Self.seeds {
            var random = SeededRandom(seed: UInt64(seed))
            let hasStore = seed % 3 == 0
            let executor = SimulatedExecutor()
            let stage = ListStage(
                count: random.number(in: 0..<80), style: style, pageSize: random.number(in: 2..<9),
                memoryPages: hasStore ? 2 : 200, store: hasStore ? ScriptedStore(executor: executor) : nil,
                executor: executor
            ) { config in
                if seed % 2 == 0 { config.windowItems = 20 }
                config.prefetchDistance = seed % 5
            }
            let other = stage.makeOtherList { $0.pageSize = 4 }
            for _ in 0..<60 { act(stage, other, &random) }
            stage.source.otherwise { [table = stage.table] request in
                .result(table.pages.answer(to: request)).insideFetch
            }
            stage.settle()
            end(stage, ending)
            let complaints = walk(stage)
            #expect(complaints.isEmpty, "seed \(seed): \(complaints)")
            if !complaints.isEmpty { return }
        }
    }

    /// Something that happens to a list, a server and the caches.
    private func act(_ stage: ListStage, _ other: PaginatorList<SampleItem, Int>, _ random: inout SeededRandom) {
        let list = stage.list
        let count = list.snapshot.count
        switch random.number(in: 0..<20) {
        case 0..<4: list.loadNext()
        case 4..<6: list.loadPrevious()
        case 6..<9:
            let first = random.number(in: 0..<count + 1)
            list.hint(visible: first..<first + 3)
        case 9:
            // A cursor does not tell where its page belongs.
            if stage.table.pages.style != .cursor { list.jump(to: key(stage, &random)) }
        case 10:
            if let gap = list.snapshot.gaps.first { list.fillGap(at: gap, fromEnd: !random.chance(0.5)) }
        case 11:
            list.refresh([.all, .firstPage, .stalePages, .keepingPlace][random.number(in: 0..<4)])
        case 12:
            stage.table.pages.insert(random.number(in: 1..<6), at: random.chance(0.6) ? 0 : random.number(in: 0..<40))
        case 13:
            let first = random.number(in: 0..<40)
            stage.table.pages.remove(first..<first + random.number(in: 1..<5))
        case 14: other.loadNext()
        case 15: other.refresh(.keepingPlace)
        case 16: stage.paginator.invalidate(random.chance(0.5) ? .all : .key(key(stage, &random)))
        case 17: if random.chance(0.2) { list.reset() }
        case 18: list.retry()
        default:
            let fails = random.chance(0.4)
            stage.source.otherwise { [table = stage.table] request in
                fails
                    ? .fail(.retry(ListTrouble())).insideFetch : .result(table.pages.answer(to: request)).insideFetch
            }
        }
        stage.clock.advance(by: .milliseconds(random.number(in: 0..<3)))
        if random.chance(0.7) { stage.settle() }
    }

    private func key(_ stage: ListStage, _ random: inout SeededRandom) -> String {
        let count = stage.table.pages.items.count
        let index = random.number(in: 0..<count + 1)
        switch stage.table.pages.style {
        case .offset: return "\(index)"
        case .number: return "\(index / 5 + 1)"
        case .cursor: return index == 0 ? "start" : "after:\(stage.table.pages.items[index - 1].id)"
        }
    }

    private func end(_ stage: ListStage, _ ending: Ending) {
        // The source has failed often, and is spared for a while.
        for _ in 0..<10 {
            stage.clock.advance(by: .seconds(300))
            stage.paginator.fetch(key: "1", pageSize: 900, listener: PaginatorFetchListener())
            stage.settle()
        }
        stage.after { $0.retry() }
        switch ending {
        case .all: stage.after { $0.refresh(.all) }
        case .keepingPlace: stage.after { $0.refresh(.keepingPlace) }
        case .reset:
            stage.after { $0.reset() }
            stage.after { $0.loadNext() }
        case .firstPageAndAll:
            stage.after { $0.refresh(.firstPage) }
            stage.after { $0.refresh(.all) }
        }
    }

    /// Scrolls through everything; what there is to complain of on the way.
    private func walk(_ stage: ListStage) -> [String] {
        var seen: Set<Int> = []
        /// Looks at the list, fills its gaps and looks again.
        func look() -> [String] {
            // A cursor that names a deleted row is not accepted any more: the list tells that it is stale.
            if stage.list.status.staleError?.code == .expiredKey { stage.after { $0.refresh(.all) } }
            seen.formUnion(stage.ids)
            for _ in 0..<60 where !stage.list.snapshot.gaps.isEmpty {
                if !stage.complaints.isEmpty { break }
                let gap = stage.list.snapshot.gaps[0]
                stage.after { $0.hint(visible: max(0, gap - 1)..<gap + 1) }
                if let gap = stage.list.snapshot.gaps.first { stage.after { $0.fillGap(at: gap) } }
                seen.formUnion(stage.ids)
            }
            var complaints = stage.complaints
            if !stage.list.snapshot.gaps.isEmpty { complaints.append("a gap stays: \(stage.list.snapshot.gaps)") }
            return complaints.isEmpty ? [] : complaints + ["\(stage.ids) of \(stage.table.pages.items.map(\.id))"]
        }
        if let error = stage.list.status.refresh.error ?? stage.list.status.next.error { return ["\(error)"] }
        // Filling the gaps may drop pages at both ends, which is why it comes before the way to them.
        if case let complaints = look(), !complaints.isEmpty { return complaints }
        for _ in 0..<120 where stage.list.status.previous != .endReached {
            if case let complaints = look(), !complaints.isEmpty { return complaints }
            stage.after { $0.hint(visible: 0..<2) }
            stage.after { $0.loadPrevious() }
        }
        for _ in 0..<120 where stage.list.status.next != .endReached {
            if case let complaints = look(), !complaints.isEmpty { return complaints }
            stage.after { $0.hint(visible: max(0, stage.ids.count - 2)..<stage.ids.count) }
            stage.after { $0.loadNext() }
        }
        if case let complaints = look(), !complaints.isEmpty { return complaints }
        let rows = Set(stage.table.pages.items.map(\.id))
        return seen == rows ? [] : ["never shown: \(rows.subtracting(seen).sorted())"]
    }
}
