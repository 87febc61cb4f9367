import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Answers that are older than what the list knows already: from a cache, or because the source failed.
@Suite struct ListOldAnswerTests {
    /// A list machine whose loads the test answers, at times of its choice.
    private struct MachineList {
        var machine: ListMachine
        var items = MachineItems<Int>()

        init(_ configure: (inout PaginatorListConfig) -> Void = { _ in }) {
            var config = PaginatorListConfig()
            configure(&config)
            machine = ListMachine(config: config, firstKey: "0")
        }

        var rows: [Int] { Array(items.snapshot(of: machine)) }

        var gaps: [Int] { items.snapshot(of: machine).gaps }

        /// The loads that have begun since this was last called.
        mutating func takeFetches() -> [(load: UInt64, key: String)] {
            var fetches: [(load: UInt64, key: String)] = []
            for case .fetch(let load, let request, _) in machine.actions { fetches.append((load, request.key)) }
            machine.actions = []
            return fetches
        }

        /// Answers the last load that has begun.
        mutating func answer(
            _ ids: [Int], next: String? = nil, at nanoseconds: Int64, insteadOf error: PaginatorError? = nil
        ) throws {
            let fetches = takeFetches()
            let load = try #require(fetches.last?.load)
            let time = PaginatorInstant(nanoseconds: nanoseconds)
            let page = items.page(
                ids.map { ($0, $0) }, previous: nil, next: next, fetchedAt: time, refreshError: error)
            machine.handle { $0.arrived(load, page, isFinal: true) }
        }

        mutating func insertLive(_ values: [(id: Int, value: Int)], at nanoseconds: Int64) {
            let rows = values.map { items.row($0.id, $0.value) }
            machine.handle { $0.insert(rows, .head, token: nil, at: PaginatorInstant(nanoseconds: nanoseconds)) }
        }
    }

    private static let error = PaginatorError(.sourceFailed, "a simulated failure")

    @Test func `a gap is told of before a page older than a refresh, though both share a row`() throws {
        var list = MachineList { config in
            config.addressing = .offset
            config.pageSize = 3
        }
        list.machine.handle { $0.loadNext() }
        try list.answer([0, 1, 2], next: "3", at: 1)
        // The server has deleted 1, so 3 has moved up. The page after it comes from a cache that does not know that.
        list.machine.handle { $0.refresh(.firstPage, at: PaginatorInstant(nanoseconds: 5)) }
        try list.answer([0, 2, 3], next: "3", at: 6)
        list.machine.handle { $0.loadNext() }
        try list.answer([3, 4, 5], at: 2, insteadOf: Self.error)
        #expect(list.rows == [0, 2, 3, 4, 5] && list.gaps == [3])
        #expect(list.machine.notices.contains(.gapOpened))
        list.machine.handle { $0.retry() }
        try list.answer([4, 5, 6], at: 8)
        #expect(list.rows == [0, 2, 3, 4, 5, 6] && list.gaps == [])
        #expect(list.machine.invariantViolations() == [])
    }

    @Test func `a last page whose refresh failed is not asked for again at once, though its end is in view`() throws {
        var list = MachineList { $0.prefetchDistance = 5 }
        list.machine.handle { $0.loadNext() }
        try list.answer([0, 1, 2], next: "b", at: 1)
        list.machine.handle { $0.loadNext() }
        try list.answer([3, 4], at: 2)
        list.machine.handle { $0.hint(3..<5, at: PaginatorInstant(nanoseconds: 3)) }
        let ahead = list.takeFetches()
        #expect(ahead.isEmpty)
        list.machine.handle { $0.refresh(.page("b"), at: PaginatorInstant(nanoseconds: 5)) }
        try list.answer([3, 4], at: 2, insteadOf: Self.error)
        let atOnce = list.takeFetches()
        #expect(atOnce.isEmpty)
        list.machine.handle { $0.woken() }
        let later = list.takeFetches()
        #expect(later.map(\.key) == ["b"])
    }

    @Test func `the newest value of an item outlives a refresh without it, however many live rows there are`() throws {
        var list = MachineList()
        list.machine.handle { $0.loadNext() }
        try list.answer(Array(0..<400), at: 1)
        list.machine.handle { $0.refresh(.all, at: PaginatorInstant(nanoseconds: 3)) }
        list.insertLive([(399, -1)], at: 9)
        list.insertLive((0..<300).map { (1_000 + $0, $0) }, at: 10)
        // Both pages were requested before the source pushed the value.
        try list.answer(Array(400..<800), next: "b", at: 5)
        list.machine.handle { $0.loadNext() }
        try list.answer([399], at: 6)
        let live = Array((0..<300).reversed())
        #expect(list.rows == live + Array(400..<800) + [-1])
        #expect(list.machine.invariantViolations() == [])
    }
}
