import Dispatch
import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Changes that are begun, committed and taken back in all members of a group.
@Suite struct GroupEditTests {
    /// What is appended to the text of an item; a server's version has another text, and may have another identity.
    struct Appended: Sendable, Equatable {
        var id: Int
        var text: String
        /// Whether the second paginator has an item that it concerns.
        var concernsDetails = true
    }

    struct Detail: Sendable, Identifiable {
        let id: String
        let title: String
    }

    /// Two paginators of different item types with a list each, and a group of them, all on the test's thread.
    final class Stage {
        let executor = SimulatedExecutor()
        let group: ConsistencyGroup<Appended>
        let previews: CallbackPaginator<SampleItem>
        let details: CallbackPaginator<Detail>
        let list: PaginatorList<SampleItem, Int>
        let detailList: PaginatorList<Detail, String>
        var memberships: [PaginatorExecution] = []

        init() {
            group = ConsistencyGroup(on: executor)
            var config = DefaultPaginatorConfig()
            config.simulate(on: executor, clock: ManualPaginatorClock())
            previews = CallbackPaginator(
                dataSource: ArrayDataSource((0..<4).map { SampleItem(id: $0, text: "") }), config: config)
            details = CallbackPaginator(
                dataSource: ArrayDataSource((0..<4).map { Detail(id: "#\($0)", title: "") }), config: config)
            list = PaginatorList(previews, id: \.id)
            detailList = PaginatorList(details, id: \.id)
            list.loadNext()
            detailList.loadNext()
            executor.runAll()
        }

        func joinPreviews() {
            memberships.append(
                group.join(previews.edits(id: \.id)) { change in
                    (change.id, { SampleItem(id: $0.id, text: $0.text + change.text) })
                })
        }

        func joinDetails() {
            memberships.append(
                group.join(details.edits(id: \.id)) { change in
                    guard change.concernsDetails else { return nil }
                    return ("#\(change.id)", { Detail(id: $0.id, title: $0.title + change.text) })
                })
        }

        func joined() -> Self {
            joinPreviews()
            joinDetails()
            return self
        }

        /// The texts of the items, in each list.
        var texts: [[String]] {
            executor.runAll()
            return [list.snapshot.map(\.text), detailList.snapshot.map(\.title)]
        }

        var text: [String] { texts.map { $0[1] } }

        var pending: [Bool] {
            [list.snapshot.isPending(at: 1), detailList.snapshot.isPending(at: 1)]
        }
    }

    enum End: CaseIterable, Sendable {
        case commit, commitOther, rollBack

        func end(_ edit: PaginatorEdit<Appended>) {
            switch self {
            case .commit: edit.commit()
            case .commitOther: edit.commit(with: Appended(id: 1, text: "B"))
            case .rollBack: edit.rollBack()
            }
        }

        var text: String {
            switch self {
            case .commit: "a"
            case .commitOther: "B"
            case .rollBack: ""
            }
        }
    }

    @Test(arguments: End.allCases)
    func `a change shows in all members from its beginning and ends in all of them once`(_ end: End) {
        let stage = Stage().joined()
        let edit = stage.group.begin(Appended(id: 1, text: "a"))
        #expect(stage.text == ["a", "a"])
        #expect(stage.pending == [true, true])
        end.end(edit)
        #expect(stage.text == [end.text, end.text])
        #expect(stage.pending == [false, false])
        for other in End.allCases { other.end(edit) }
        #expect(stage.text == [end.text, end.text])
        let inMemory = stage.previews.peek(key: "0", pageSize: PaginatorListConfig().pageSize)?.page.content.map(\.text)
        #expect(inMemory == ["", end.text, "", ""])
    }

    @Test func `several changes of one item end in any order`() {
        let stage = Stage().joined()
        let edits = ["a", "b", "c", "d"].map { stage.group.begin(Appended(id: 1, text: $0)) }
        #expect(stage.text == ["abcd", "abcd"])
        edits[2].commit()
        #expect(stage.text == ["cabd", "cabd"])
        edits[0].rollBack()
        #expect(stage.text == ["cbd", "cbd"])
        edits[3].commit(with: Appended(id: 1, text: "D"))
        #expect(stage.text == ["cDb", "cDb"])
        stage.group.send(Appended(id: 1, text: "e"))
        edits[1].commit()
        #expect(stage.text == ["cDeb", "cDeb"])
    }

    @Test func `nobody sees a step between a change and the server's version of it`() {
        let stage = Stage()
        let (previews, list) = (stage.previews, stage.list)
        let seen = Guarded<[String?]>([])
        let isLooking = Guarded(false)
        // Looks whenever the edit is at work; what is pending is applied by a look, too.
        @Sendable func look() {
            guard
                isLooking.withLock({ isLooking in
                    defer { isLooking = true }; return !isLooking
                })
            else { return }
            let page = previews.peek(key: "0", pageSize: PaginatorListConfig().pageSize)
            seen.withLock { $0 += [page?.page.content[1].text, list.snapshot[1].text] }
            isLooking.withLock { $0 = false }
        }
        stage.group.join(previews.edits(id: \.id)) { change in
            (
                change.id,
                {
                    look()
                    return SampleItem(id: $0.id, text: $0.text + change.text)
                }
            )
        }
        let edit = stage.group.begin(Appended(id: 1, text: "a"))
        #expect(stage.text[0] == "a")
        seen.withLock { $0 = [] }
        let observation = stage.list.observe { update in seen.withLock { $0.append(update.snapshot[1].text) } }
        edit.commit(with: Appended(id: 1, text: "A"))
        #expect(stage.text[0] == "A")
        #expect(Set(seen.withLock { $0 }) == ["a", "A"])
        observation.cancel()
    }

    @Test func `the server's version may be of another item, or of none`() {
        let stage = Stage().joined()
        let edit = stage.group.begin(Appended(id: 1, text: "a"))
        edit.commit(with: Appended(id: 2, text: "b"))
        #expect(stage.texts == [["", "", "b", ""], ["", "", "b", ""]])
        let second = stage.group.begin(Appended(id: 1, text: "c"))
        #expect(stage.text == ["c", "c"])
        second.commit(with: Appended(id: 1, text: "d", concernsDetails: false))
        #expect(stage.text == ["d", ""])
    }

    @Test func `a member of which a change concerned no item takes what is committed`() {
        let stage = Stage().joined()
        let edit = stage.group.begin(Appended(id: 1, text: "a", concernsDetails: false))
        #expect(stage.text == ["a", ""])
        edit.commit(with: Appended(id: 1, text: "b"))
        #expect(stage.text == ["b", "b"])
    }

    @Test(arguments: End.allCases)
    func `a member with a plain closure takes what is committed`(_ end: End) {
        let stage = Stage()
        let taken = Guarded<[String]>([])
        stage.group.join { change in taken.withLock { $0.append(change.text) } }
        let edit = stage.group.begin(Appended(id: 1, text: "a"))
        stage.executor.runAll()
        #expect(taken.withLock { $0 } == [])
        end.end(edit)
        stage.executor.runAll()
        #expect(taken.withLock { $0 } == (end == .rollBack ? [] : [end.text]))
    }

    @Test(arguments: End.allCases)
    func `a member that joins while a change is pending shows it, and ends it with the others`(_ end: End) {
        let stage = Stage()
        stage.joinPreviews()
        let before = stage.group.begin(Appended(id: 1, text: "x"))
        before.commit()
        let edit = stage.group.begin(Appended(id: 1, text: "a"))
        #expect(stage.text == ["xa", ""])
        stage.joinDetails()
        #expect(stage.text == ["xa", "a"])
        end.end(edit)
        #expect(stage.text == ["x" + end.text, end.text])
    }

    @Test(arguments: End.allCases)
    func `what a member shows as pending when it leaves ends with the others`(_ end: End) {
        let stage = Stage().joined()
        let edit = stage.group.begin(Appended(id: 1, text: "a"))
        #expect(stage.text == ["a", "a"])
        #expect(stage.memberships[1].cancel())
        #expect(!stage.memberships[1].cancel())
        stage.group.send(Appended(id: 1, text: "x"))
        let later = stage.group.begin(Appended(id: 1, text: "y"))
        #expect(stage.text == ["xay", "a"])
        end.end(edit)
        #expect(stage.text == ["x" + end.text + "y", end.text])
        later.commit()
        #expect(stage.text == ["x" + end.text + "y", end.text])
    }

    @Test func `an edit that is dropped stays pending, and one outlives its group`() {
        let stage = Stage().joined()
        _ = stage.group.begin(Appended(id: 1, text: "a"))
        #expect(stage.text == ["a", "a"])
        #expect(stage.pending == [true, true])
        var group: ConsistencyGroup<Appended>? = ConsistencyGroup(on: stage.executor)
        group?.join(stage.previews.edits(id: \.id)) { change in
            (change.id, { SampleItem(id: $0.id, text: $0.text + change.text) })
        }
        let edit = group?.begin(Appended(id: 1, text: "b"))
        group = nil
        #expect(stage.text == ["ab", "a"])
        edit?.commit()
        #expect(stage.text == ["ba", "a"])
    }

    @Test func `a paginator that is released leaves the group`() {
        final class Mark: Sendable {}
        let executor = SimulatedExecutor()
        let group = ConsistencyGroup<Appended>(on: executor)
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        var paginator: CallbackPaginator<SampleItem>? = CallbackPaginator(
            dataSource: ArrayDataSource([SampleItem(id: 1, text: "")]), config: config)
        weak var mark: Mark?
        func join() {
            guard let edits = paginator?.edits(id: \.id) else { return }
            let kept = Mark()
            mark = kept
            group.join(edits) { change in withExtendedLifetime(kept) { (change.id, { $0 }) } }
        }
        join()
        let edit = group.begin(Appended(id: 1, text: "a"))
        executor.runAll()
        #expect(mark != nil)
        paginator = nil
        edit.commit()
        group.send(Appended(id: 1, text: "b"))
        executor.runAll()
        #expect(mark == nil)
    }

    // MARK: - Against plain dictionaries

    /// Folds a history: committed changes in the order of their commits, and pending ones over them in that of their
    /// beginnings.
    private struct Oracle {
        var committed: [Int: String] = [:]
        var pending: [(number: Int, change: Appended)] = []

        func texts(for details: Bool) -> [String] {
            var texts = committed
            for (_, change) in pending where change.concernsDetails || !details {
                texts[change.id, default: ""] += change.text
            }
            return (0..<4).map { texts[$0] ?? "" }
        }

        mutating func commit(_ change: Appended, for details: Bool) {
            if change.concernsDetails || !details { committed[change.id, default: ""] += change.text }
        }
    }

    @Test(arguments: UInt64(0)..<150)
    func `all members show one history, whoever begins, commits and rolls back`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let stage = Stage()
        stage.joinPreviews()
        var oracles = [Oracle(), Oracle()]
        var open: [(number: Int, change: Appended, edit: PaginatorEdit<Appended>)] = []
        var told: [Appended] = []
        let taken = Guarded<[Appended]>([])
        stage.group.join { change in taken.withLock { $0.append(change) } }
        // The second one comes at any time, and shows what is pending then.
        var hasJoined = false
        func change(_ step: Int) -> Appended {
            Appended(id: random.number(in: 0..<4), text: "\(step) ", concernsDetails: !random.chance(0.2))
        }
        func commit(_ change: Appended) {
            told.append(change)
            oracles[0].commit(change, for: false)
            if hasJoined { oracles[1].commit(change, for: true) }
        }
        for step in 0..<60 {
            if !hasJoined, random.chance(0.1) {
                stage.joinDetails()
                hasJoined = true
                oracles[1].pending = oracles[0].pending
            }
            switch random.number(in: 0..<5) {
            case 0:
                let change = change(step)
                stage.group.send(change)
                commit(change)
            case 1, 2:
                let change = change(step)
                open.append((step, change, stage.group.begin(change)))
                oracles[0].pending.append((step, change))
                if hasJoined { oracles[1].pending.append((step, change)) }
            default:
                guard !open.isEmpty else { continue }
                let (number, begun, edit) = open.remove(at: random.number(in: 0..<open.count))
                for index in oracles.indices { oracles[index].pending.removeAll { $0.number == number } }
                switch random.number(in: 0..<3) {
                case 0: edit.rollBack()
                case 1:
                    edit.commit()
                    commit(begun)
                default:
                    var final = change(step)
                    if random.chance(0.7) { final.id = begun.id }
                    edit.commit(with: final)
                    commit(final)
                }
            }
            // Also several calls at once before any of them takes place.
            guard random.chance(0.6) else { continue }
            #expect(stage.texts == [oracles[0].texts(for: false), oracles[1].texts(for: true)], "step \(step)")
            #expect(taken.withLock { $0 } == told, "step \(step)")
        }
    }

    @Test func `writers on many threads give all members one history`() {
        let group = ConsistencyGroup<Appended>()
        let items = [SampleItem(id: 0, text: ""), SampleItem(id: 1, text: "")]
        let paginators = (0..<3).map { _ in
            CallbackPaginator(dataSource: ArrayDataSource(items), config: DefaultPaginatorConfig())
        }
        let lists = paginators.map { paginator in
            group.join(paginator.edits(id: \.id)) { change in
                (change.id, { SampleItem(id: $0.id, text: $0.text + change.text) })
            }
            return PaginatorList(paginator, id: \.id)
        }
        for list in lists {
            list.loadNext()
            wait(for: list) { $0.count == 2 }
        }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<30 {
                let edit = group.begin(Appended(id: round % 2, text: "\(thread).\(round) "))
                switch round % 3 {
                case 0: edit.commit()
                case 1: edit.rollBack()
                default: edit.commit(with: Appended(id: round % 2, text: "\(thread):\(round) "))
                }
            }
        }
        group.send(Appended(id: 0, text: "end"))
        group.send(Appended(id: 1, text: "end"))
        for list in lists { wait(for: list) { $0.allSatisfy { $0.text.hasSuffix("end") } } }
        let texts = lists.map { $0.snapshot.map(\.text) }
        #expect(texts[0] == texts[1] && texts[1] == texts[2])
        let words = texts[0].flatMap { $0.split(separator: " ") }.map(String.init)
        // Two of three are committed, and none of them twice.
        #expect(words.count == 162)
        #expect(Set(words).count == 161)
    }

    private func wait(
        for list: PaginatorList<SampleItem, Int>,
        until isReached: @escaping @Sendable (PaginatorListSnapshot<SampleItem, Int>) -> Bool
    ) {
        let reached = DispatchSemaphore(value: 0)
        let observation = list.observe { if isReached($0.snapshot) { reached.signal() } }
        reached.wait()
        observation.cancel()
    }
}
