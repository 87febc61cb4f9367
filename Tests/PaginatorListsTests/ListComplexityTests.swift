import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// How much work an append, an edit and a hint are, by the number of pages that are loaded; counted, not timed.
@Suite struct ListComplexityTests {
    private struct Loaded {
        var machine = ListMachine(config: config, firstKey: "0")
        var items = MachineItems<PlainItem>()

        static var config: PaginatorListConfig {
            var config = PaginatorListConfig()
            config.pageSize = 30
            return config
        }

        init(pages: Int) {
            for _ in 0..<pages { append() }
        }

        mutating func append() {
            machine.handle { $0.loadNext() }
            for case .fetch(let load, let request, _) in machine.actions {
                let number = Int(request.key) ?? 0
                let page = items.page(
                    (number * 30..<number * 30 + 30).map { (id: $0, value: PlainItem(id: $0, value: 0)) },
                    previous: number > 0 ? "\(number - 1)" : nil, next: "\(number + 1)", fetchedAt: .zero)
                machine.actions = []
                machine.handle { $0.arrived(load, page, isFinal: true) }
            }
            machine.actions = []
        }

        mutating func edit(_ id: Int) {
            let (id, change) = (items[id], items.change { PlainItem(id: $0.id, value: 9) })
            machine.handle { $0.edit(1, id, change, at: .zero) }
        }

        mutating func work(_ body: (inout Loaded) -> Void) -> Int {
            let before = machine.tree
            body(&self)
            return machine.tree.newParts(since: before)
        }
    }

    @Test func `an append an edit and a hint of ten thousand pages are those of ten plus a logarithm`() {
        var small = Loaded(pages: 10)
        var large = Loaded(pages: 10_000)
        #expect(large.machine.tree.count == 300_000)
        // The tree of the large list is higher by at most 1.44 times the logarithm of the ratio; an event goes through
        // it a few times.
        let logarithm = 15
        let steps: [(String, (inout Loaded) -> Void)] = [
            ("append", { $0.append() }),
            ("edit", { $0.edit($0.machine.tree.count / 2) }),
            ("commit", { $0.machine.handle { $0.settle(1, .committed, at: .zero) } }),
            ("hint", { $0.machine.handle { $0.hint($0.tree.count / 2..<$0.tree.count / 2 + 5, at: .zero) } }),
        ]
        for (name, step) in steps {
            let few = small.work(step)
            let many = large.work(step)
            #expect(few > 0 || name == "hint")
            #expect(many <= few + 8 * logarithm, "\(name): \(few) with 10 pages, \(many) with 10,000")
        }
    }

    @Test func `a difference looks at the changed pages only`() {
        var loaded = Loaded(pages: 1_000)
        let old = loaded.machine.tree
        loaded.machine.touches = []
        loaded.edit(15_000)
        #expect(loaded.machine.touches?.count == 1)
        let difference = PaginatorListDifference<PlainItem>(
            from: old, to: loaded.machine.tree, touches: loaded.machine.touches)
        #expect(difference.removals.isEmpty && difference.insertions.isEmpty)
        #expect(difference.updates.map(\.position) == [15_000])
        loaded.machine.touches = []
        loaded.append()
        #expect((1...2).contains(loaded.machine.touches?.count ?? 0))
    }

    @Test(.enabled(if: Int.bitWidth > 32), arguments: [false, true])
    func `a gap is filled page by page, and the other pages are not numbered anew`(fromEnd: Bool) {
        let stage = ListStage(count: 200)
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "150") }
        let ranks = stage.list.engine.machine.ranks
        for _ in 0..<60 {
            guard let gap = stage.list.snapshot.gaps.first else { break }
            stage.after { $0.fillGap(at: gap, fromEnd: fromEnd) }
        }
        #expect(stage.ids.count == 2 * 62 && stage.list.snapshot.gaps.count == 1)
        let now = stage.list.engine.machine.ranks
        #expect(ranks.count == 2 && ranks.allSatisfy { now[$0.key] == $0.value })
    }
}
