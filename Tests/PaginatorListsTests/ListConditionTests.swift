import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Loading ahead where conditions speak against it: it is put off, never failed, and made up for.
@Suite struct ListConditionTests {
    static let holding: [PaginatorConditions] = [.lowPower, .background, .weakLink, .offline]

    private func stage(_ connectivity: ScriptedConnectivity, store: ScriptedStore<SampleItem>? = nil) -> ListStage {
        let stage = ListStage(pageSize: 10, connectivity: connectivity) { $0.prefetchDistance = 5 }
        stage.after { $0.loadNext() }
        return stage
    }

    /// Lets time pass, and runs what comes of it.
    private func wait(_ stage: ListStage, _ duration: Duration) {
        stage.clock.advance(by: duration)
        stage.settle()
    }

    @Test(arguments: holding)
    func `a hint under bad conditions fails nothing, and is made up for when they are good`(
        _ conditions: PaginatorConditions
    ) {
        let connectivity = ScriptedConnectivity()
        let stage = stage(connectivity)
        connectivity.set(conditions)
        stage.after { $0.hint(visible: 4..<9) }
        for _ in 0..<5 { wait(stage, .seconds(30)) }
        #expect(stage.list.status.next.error == nil)
        #expect(stage.newKeys() == ["0"])
        connectivity.set([])
        stage.settle()
        #expect(stage.newKeys() == ["10"])
        #expect(stage.ids == Array(0..<20))
    }

    @Test(arguments: holding)
    func `hints go on working after bad conditions are over`(_ conditions: PaginatorConditions) {
        let connectivity = ScriptedConnectivity(conditions)
        let stage = stage(connectivity)
        if conditions == .offline {
            connectivity.set([])
            stage.after { $0.loadNext() }
            connectivity.set(conditions)
        }
        for lower in 0..<5 {
            stage.after { $0.hint(visible: lower..<lower + 5) }
            wait(stage, .seconds(30))
        }
        #expect(stage.list.status.next.error == nil && stage.ids.count == 10)
        connectivity.set([])
        wait(stage, .seconds(1))
        stage.after { $0.hint(visible: 5..<9) }
        #expect(stage.ids == Array(0..<20))
    }

    @Test(arguments: [PaginatorError.Code.offline, .throttled])
    func `a failure for want of a connection is made up for, though it is told when that is back`(
        _ code: PaginatorError.Code
    ) throws {
        var machine = ListMachine(config: PaginatorListConfig(), firstKey: "0")
        func lastLoad() throws -> UInt64 {
            try #require(machine.actions.compactMap { if case .fetch(let id, _, _) = $0 { id } else { nil } }.last)
        }
        machine.handle { $0.conditionsChanged(.offline) }
        machine.handle { $0.loadNext() }
        let first = try lastLoad()
        machine.handle { $0.conditionsChanged([]) }
        machine.handle { $0.failed(first, PaginatorError(code, "offline")) }
        let second = try lastLoad()
        #expect(second != first && machine.status(at: .zero).refresh == .loading)
        machine.handle { $0.failed(second, PaginatorError(code, "offline")) }
        #expect(try lastLoad() == second && machine.status(at: .zero).refresh.error?.code == code)
        machine.handle { $0.conditionsChanged(.offline) }
        machine.handle { $0.conditionsChanged([]) }
        #expect(try lastLoad() != second && machine.status(at: .zero).refresh == .loading)
    }

    @Test func `what is cached is shown ahead under bad conditions too`() {
        let connectivity = ScriptedConnectivity()
        let stage = stage(connectivity)
        stage.paginator.fetch(key: "10", pageSize: 10, listener: PaginatorFetchListener())
        stage.settle()
        connectivity.set([.offline, .lowPower])
        stage.after { $0.hint(visible: 4..<9) }
        #expect(stage.ids == Array(0..<20))
    }

    // Another list, which shows the first of two pages and is told of what is visible. The second page has expired, and
    // rows have been inserted above it since. Both are named by number, which to the list means nothing.
    private func listBeforeExpiredPage(
        _ stage: ListStage, _ conditions: PaginatorConditions, _ connectivity: ScriptedConnectivity,
        _ policy: FetchPolicy = .cacheFirst
    ) -> PaginatorList<SampleItem, Int> {
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.table.pages.insert(30)
        stage.paginator.invalidate(.key("2"))
        stage.after { $0.refresh(.firstPage) }
        let list = stage.makeOtherList { ($0.policy, $0.prefetchDistance) = (policy, 5) }
        list.loadNext()
        stage.settle()
        _ = stage.newKeys()
        connectivity.set(conditions)
        stage.settle()
        list.hint(visible: 3..<8)
        stage.settle()
        return list
    }

    @Test(
        arguments: [PaginatorConditions.weakLink, .lowPower, .background],
        [FetchPolicy.cacheFirst, .staleWhileRevalidate])
    func `an expired page whose renewal is held back is not shown ahead, but loaded when the last row is visible`(
        _ conditions: PaginatorConditions, _ policy: FetchPolicy
    ) {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(style: .number, pageSize: 10, connectivity: connectivity)
        let list = listBeforeExpiredPage(stage, conditions, connectivity, policy)
        #expect(list.snapshot.map(\.id) == stage.firstRows(10))
        #expect(list.status.next == .idle && list.status.staleError == nil && stage.newKeys() == [])
        #expect(list.status.freshness == .fresh(savedAt: stage.clock.wallTime))
        list.hint(visible: 5..<10)
        stage.settle()
        #expect(list.snapshot.map(\.id) == stage.firstRows(20) && list.snapshot.gaps == [])
        #expect(stage.newKeys() == ["2"] && list.status.staleError == nil)
    }

    @Test func `an expired page whose renewal was held back comes ahead when conditions are good`() {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(style: .number, pageSize: 10, connectivity: connectivity)
        let list = listBeforeExpiredPage(stage, .weakLink, connectivity)
        connectivity.set([])
        stage.settle()
        #expect(list.snapshot.map(\.id) == stage.firstRows(20) && list.snapshot.gaps == [])
    }

    @Test func `an expired page whose renewal was held back is shown once there is no connection at all`() {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(style: .number, pageSize: 10, connectivity: connectivity)
        let list = listBeforeExpiredPage(stage, .weakLink, connectivity)
        connectivity.set([.weakLink, .offline])
        stage.settle()
        #expect(list.snapshot.map(\.id) == stage.firstRows(10) + Array(10..<20) && stage.newKeys() == [])
    }

    @Test func `a page that is shown already is renewed, though conditions hold its load ahead back by now`() throws {
        var config = PaginatorListConfig()
        config.policy = .staleWhileRevalidate
        var (machine, items) = (ListMachine(config: config, firstKey: "0"), MachineItems<Int>())
        machine.handle { $0.loadNext() }
        let first = items.page([(1, 1)], previous: nil, next: "1", fetchedAt: .zero)
        machine.handle { $0.arrived($0.lastNumber, first, isFinal: true) }
        machine.handle { $0.hint(0..<1, at: .zero) }
        let load = try #require(machine.running[.next])
        var second = items.page([(2, 2)], previous: "0", next: nil, fetchedAt: .zero)
        machine.handle { $0.arrived(load.id, second, isFinal: false) }
        machine.handle { $0.conditionsChanged(.weakLink) }
        second.refreshError = PaginatorError(.heldBack, "on a weak link")
        machine.actions = []
        machine.handle { $0.arrived(load.id, second, isFinal: true) }
        let requests = machine.actions.compactMap { if case .fetch(_, let request, _) = $0 { request } else { nil } }
        #expect(requests.map(\.key) == ["1"] && requests.first?.isAhead == false)
        #expect(Array(items.snapshot(of: machine)) == [1, 2] && machine.status(at: .zero).staleError == nil)
        #expect(machine.invariantViolations() == [])
    }

    @Test func `offline, a page as new as the one before it is shown without an error`() {
        var (machine, items) = (ListMachine(config: PaginatorListConfig(), firstKey: "0"), MachineItems<Int>())
        machine.handle { $0.conditionsChanged(.offline) }
        for (id, next) in [(0, "1"), (1, nil)] {
            machine.handle { $0.loadNext() }
            let page = items.page([(id, id)], previous: nil, next: next, fetchedAt: PaginatorInstant(nanoseconds: 5))
            machine.handle { $0.arrived($0.lastNumber, page, isFinal: true) }
        }
        let status = machine.status(at: .zero)
        #expect(status.next == .endReached && status.staleError == nil)
    }

    @Test func `a failed look ahead leaves the direction idle and is tried again on a later hint`() {
        let stage = stage(ScriptedConnectivity())
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "10")
        stage.after { $0.hint(visible: 4..<8) }
        #expect(stage.newKeys() == ["0", "10"])
        guard case .idle = stage.list.status.next else {
            Issue.record("\(stage.list.status.next)")
            return
        }
        // The same place again is no reason to ask again: a view hints whenever it is told of anything.
        for _ in 0..<10 { stage.after { $0.hint(visible: 4..<8) } }
        #expect(stage.newKeys() == [])
        for lower in 5..<8 { stage.after { $0.hint(visible: lower..<9) } }
        #expect(stage.ids == Array(0..<20))
    }

    @Test func `who hints and never loads is told at the end why nothing comes, and can retry`() {
        let stage = stage(ScriptedConnectivity())
        stage.source.script(
            [.fail(.fatal(ListTrouble())).insideFetch, .fail(.fatal(ListTrouble())).insideFetch], forKey: "10")
        stage.after { $0.hint(visible: 4..<8) }
        #expect(stage.list.status.next == .idle)
        stage.after { $0.hint(visible: 6..<10) }
        #expect(stage.list.status.next.error?.code == .sourceFailed)
        stage.after { $0.retry() }
        #expect(stage.ids == Array(0..<20))
        #expect(stage.list.status.next == .idle)
    }

    @Test func `so is who hints at the start, of what lies before it`() {
        let stage = ListStage(pageSize: 10, connectivity: ScriptedConnectivity()) {
            ($0.prefetchDistance, $0.initialKey) = (5, "50")
        }
        stage.after { $0.loadNext() }
        stage.source.script(
            [.fail(.fatal(ListTrouble())).insideFetch, .fail(.fatal(ListTrouble())).insideFetch], forKey: "40")
        stage.after { $0.hint(visible: 2..<6) }
        #expect(stage.list.status.previous == .idle)
        stage.after { $0.hint(visible: 0..<4) }
        #expect(stage.list.status.previous.error?.code == .sourceFailed)
        stage.after { $0.retry() }
        #expect(stage.ids.first == 40)
        #expect(stage.list.status.previous == .idle)
    }

    @Test func `a failed look ahead is tried again by itself after a while`() {
        let stage = stage(ScriptedConnectivity())
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "10")
        stage.after { $0.hint(visible: 4..<10) }
        wait(stage, .seconds(1))
        #expect(stage.ids == Array(0..<10))
        wait(stage, .seconds(2))
        #expect(stage.ids == Array(0..<20))
    }

    @Test func `a source that always fails is not asked with every hint`() {
        let stage = stage(ScriptedConnectivity())
        stage.source.otherwise { _ in .fail(.fatal(ListTrouble())).insideFetch }
        for number in 0..<200 { stage.after { $0.hint(visible: number % 9..<9) } }
        #expect(stage.newKeys().count < 12)
        #expect(stage.list.status.next.error == nil)
        stage.after { $0.loadNext() }
        #expect(stage.list.status.next.error?.code == .sourceFailed, "somebody asked")
    }

    @Test func `what failed before the connection was known to be gone comes back with it`() {
        let connectivity = ScriptedConnectivity()
        let stage = stage(connectivity)
        let shown = stage.ids
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "10")
        stage.after { $0.loadNext() }
        #expect(stage.list.status.next.error?.code == .sourceFailed)
        connectivity.set(.offline)
        stage.settle()
        #expect(stage.ids == shown && stage.list.status.next.error?.code == .sourceFailed)
        connectivity.set([])
        stage.settle()
        #expect(stage.ids == Array(0..<20) && stage.list.status.next == .idle)
        // Once: what fails with the connection there waits for the user.
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "20")
        stage.after { $0.loadNext() }
        stage.settle()
        #expect(stage.list.status.next.error?.code == .sourceFailed)
    }

    @Test func `what failed for want of a connection comes back with it`() {
        let connectivity = ScriptedConnectivity()
        let stage = stage(connectivity)
        connectivity.set(.offline)
        stage.after { $0.loadNext() }
        #expect(stage.list.status.next.error?.code == .offline)
        connectivity.set([])
        stage.settle()
        #expect(stage.ids == Array(0..<20))
        #expect(stage.list.status.next.error == nil)
    }

    @Test func `a stale page that stood in offline is renewed with the connection`() {
        let connectivity = ScriptedConnectivity()
        let stage = stage(connectivity)
        stage.paginator.invalidate(.all)
        connectivity.set(.offline)
        let other = stage.makeOtherList()
        other.loadNext()
        stage.settle()
        #expect(other.snapshot.count == 10)
        #expect(other.status.staleError?.code == .offline)
        stage.table.pages.insert(1)
        connectivity.set([])
        stage.settle()
        #expect(other.status.staleError == nil)
        #expect(other.snapshot.first?.id == stage.firstRows(1).first)
    }

    @Test(arguments: holding)
    func `nobody is told of anything while bad conditions last`(_ conditions: PaginatorConditions) {
        let connectivity = ScriptedConnectivity()
        let stage = stage(connectivity)
        connectivity.set(conditions)
        stage.after { $0.hint(visible: 4..<9) }
        let before = stage.updates.count
        for _ in 0..<20 { wait(stage, .seconds(60)) }
        #expect(stage.updates.count == before)
        connectivity.set([])
        stage.settle()
        #expect(stage.ids == Array(0..<20))
    }

    @Test func `a wake-up that changes nothing is told to nobody`() {
        let stage = stage(ScriptedConnectivity())
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "10")
        stage.after { $0.hint(visible: 4..<10) }
        stage.after { $0.setPrefetchPaused(true) }
        let before = stage.updates.count
        for _ in 0..<5 { wait(stage, .seconds(60)) }
        #expect(stage.updates.count == before)
    }

    @Test func `what waited for a connection until its time was over comes back with it`() {
        let connectivity = ScriptedConnectivity(.offline)
        let stage = ListStage(pageSize: 10, connectivity: connectivity, waitsForConnectivity: true)
        stage.after { $0.loadNext() }
        wait(stage, .seconds(61))
        #expect(stage.list.status.refresh.error?.code == .timedOut)
        connectivity.set([])
        stage.settle()
        #expect(stage.ids == Array(0..<10))
    }

    @Test func `a source that did not answer in time is not asked again because power saving ends`() {
        let connectivity = ScriptedConnectivity(.lowPower)
        let stage = ListStage(pageSize: 10, connectivity: connectivity, waitsForConnectivity: true)
        stage.after { $0.loadNext() }
        stage.source.script([.hang, .hang, .hang], forKey: "0")
        stage.after { $0.refresh() }
        for _ in 0..<4 { wait(stage, .seconds(31)) }
        #expect(stage.list.status.refresh.error?.code == .timedOut)
        let calls = stage.source.calls.count
        connectivity.set([])
        stage.settle()
        #expect(stage.source.calls.count == calls)
        #expect(stage.ids == Array(0..<10))
    }

    @Test func `also when the source was asked before the connection went`() {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(pageSize: 10, connectivity: connectivity, waitsForConnectivity: true)
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.loadNext() }
        connectivity.set(.offline)
        for _ in 0..<2 { wait(stage, .seconds(31)) }
        #expect(stage.list.status.refresh.error?.code == .timedOut)
        #expect(stage.list.status.refresh.error?.attempts == 1)
        connectivity.set([])
        stage.settle()
        #expect(stage.ids == Array(0..<10))
    }

    @Test(arguments: [PaginatorConditions.lowPower, .background, .weakLink])
    func `who looks at the last row gets the next ones, whatever holds loading ahead back`(
        _ conditions: PaginatorConditions
    ) {
        let stage = stage(ScriptedConnectivity(conditions))
        stage.after { $0.hint(visible: 4..<9) }
        #expect(stage.newKeys() == ["0"], "nobody waits for them yet")
        for count in [20, 30] {
            stage.after { $0.hint(visible: $0.snapshot.count - 5..<$0.snapshot.count) }
            #expect(stage.ids == Array(0..<count))
        }
        #expect(stage.newKeys() == ["10", "20"])
    }

    @Test func `who looks at the first row gets those before it while power is saved`() {
        let stage = ListStage(pageSize: 10, connectivity: ScriptedConnectivity(.lowPower)) {
            $0.prefetchDistance = 5
            $0.initialKey = "50"
        }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 1..<4) }
        #expect(stage.ids == Array(50..<60))
        stage.after { $0.hint(visible: 0..<3) }
        #expect(stage.ids == Array(40..<60))
    }
}
