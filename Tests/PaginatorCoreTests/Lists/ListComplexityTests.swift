import Testing

@testable import PaginatorCore

/// How much work an append, an edit and a hint are, by the number of pages that are loaded; counted, not timed.
@Suite struct ListComplexityTests {
    private typealias Machine = ListMachine<PlainItem, Int>

    private func machine(pages: Int) -> Machine {
        var config = PaginatorListConfig()
        config.pageSize = 30
        var machine = Machine(config: config, firstKey: "0")
        for _ in 0..<pages { append(to: &machine) }
        return machine
    }

    private func append(to machine: inout Machine) {
        machine.handle(.loadNext)
        for case .fetch(let load, let request, _) in machine.actions {
            let first = (Int(request.key) ?? 0) * 30
            let items = (first..<first + 30).map { (id: $0, value: PlainItem(id: $0, value: 0)) }
            let number = Int(request.key) ?? 0
            let page = ListPage<PlainItem, Int>(
                items: items, previous: number > 0 ? "\(number - 1)" : nil, next: "\(number + 1)",
                fetchedAt: .zero)
            machine.actions = []
            machine.handle(.arrived(load, page, isFinal: true))
        }
        machine.actions = []
        machine.touches = ListTouches()
    }

    private func work(_ machine: inout Machine, _ body: (inout Machine) -> Void) -> Int {
        let before = machine.workDone
        body(&machine)
        return machine.workDone - before
    }

    @Test func `an append an edit and a hint of ten thousand pages are those of ten plus a logarithm`() {
        var small = machine(pages: 10)
        var large = machine(pages: 10_000)
        #expect(large.snapshot.count == 300_000)
        // The tree of the large list is higher by at most 1.44 times the logarithm of the ratio; an event goes through
        // it a few times.
        let logarithm = 15
        let steps: [(String, (inout Machine) -> Void)] = [
            ("append", { append(to: &$0) }),
            ("edit", { $0.handle(.edit(token: 1, $0.snapshot.count / 2, { PlainItem(id: $0.id, value: 9) })) }),
            ("commit", { $0.handle(.settle(token: 1, .committed, at: .zero)) }),
            ("hint", { $0.handle(.hint($0.snapshot.count / 2..<$0.snapshot.count / 2 + 5)) }),
        ]
        for (name, step) in steps {
            let few = work(&small, step)
            let many = work(&large, step)
            #expect(few > 0)
            #expect(many <= few + 8 * logarithm, "\(name): \(few) with 10 pages, \(many) with 10,000")
        }
    }

    @Test func `a difference looks at the changed pages only`() {
        var machine = machine(pages: 1_000)
        let old = machine.snapshot
        machine.handle(.edit(token: 1, 15_000, { PlainItem(id: $0.id, value: 9) }))
        #expect(machine.touches.ranks.count == 1)
        let difference = PaginatorListDifference(from: old, to: machine.snapshot, touches: machine.touches)
        #expect(difference.removals.isEmpty && difference.insertions.isEmpty)
        #expect(difference.updates.map(\.position) == [15_000])
        machine.touches = ListTouches()
        append(to: &machine)
        #expect(machine.touches.ranks.count <= 2)
    }
}
