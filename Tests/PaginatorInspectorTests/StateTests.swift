import Foundation
import PaginatorLists
import PaginatorStorage
import PaginatorTesting
import StorageTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorInspector

/// What the states of what is attached have, beside what runs.
@Suite struct StateTests {
    private static func timers(_ state: JSONValue?) -> [String] {
        state?["timers"]?.list.map { timer in
            "\(timer["purpose"]?.text ?? "") at \((timer["due"]?.number ?? .nan) / 1e9) s"
        } ?? []
    }

    private static func store(_ rig: InspectorRig) -> (PageFileStore<SampleItem>, PaginatorAttachment) {
        var config = WriteBehindConfig()
        config.executor = rig.executor
        let store = PageFileStore(
            file: ScriptedPageFile(), codec: CompactPageCodec<SampleItem>(),
            evictionStrategy: .lru(maxPages: 2).and(.timeToLive(.seconds(60))), config: config)
        return (store, rig.inspector.attach(store, name: "Disk"))
    }

    @Test func `a store tells its limits, its pages and its timer`() throws {
        let rig = InspectorRig()
        let (store, attachment) = Self.store(rig)
        var config = PaginatorConfig()
        config.simulate(on: rig.executor, clock: rig.clock)
        let paginator = CallbackPaginator(
            dataSource: SampleServer(SamplePages(count: 100)), store: store, config: config)
        #expect(Self.timers(rig.state(of: .store)) == ["what the file holds is learned at 0.05 s"])
        rig.clock.advance(by: .seconds(1))
        rig.executor.runAll()
        for key in ["0", "10", "20"] {
            paginator.fetch(key: key, pageSize: 10) { _ in }
            rig.executor.runAll()
        }
        #expect(Self.timers(rig.state(of: .store)) == ["what waits is written at 1.05 s"])
        rig.clock.advance(by: .seconds(1))
        rig.executor.runAll()
        let state = try #require(rig.state(of: .store))
        #expect(Self.timers(state) == [])
        #expect(state["limits"]?["pages"]?.whole == 2 && state["limits"]?["bytes"] == nil)
        let entries = try #require(state["entries"]?.list)
        #expect(Set(entries.compactMap { $0["page"]?["key"]?.text }) == ["10", "20"])
        #expect(entries.compactMap { $0["bytes"]?.whole }.reduce(0, +) == state["bytes"]?.whole)
        #expect(entries.allSatisfy { ($0["leaves"]?.number ?? 0) > 60e9 })
        #expect(state["entriesLeftOut"]?.whole == 0)
        attachment.detach()
    }

    @Test func `memory tells when its pages leave, and when the first of them does`() throws {
        let rig = InspectorRig(paginating: {
            $0.inMemoryEvictionStrategy = .lru(maxPages: 9).and(.timeToLive(.seconds(60)))
        })
        rig.fetch("0")
        rig.clock.advance(by: .seconds(2))
        rig.fetch("10")
        let memory = try #require(rig.state(of: .paginator)?["memory"])
        #expect(memory["nextExpiry"]?.number == 60e9)
        #expect(memory["entries"]?.list.compactMap { $0["leaves"]?.number } == [60e9, 62e9])
        #expect(memory["limits"]?["pages"]?.whole == 9)
        #expect(rig.paginator.dump().contains("nextExpiry=in 58.0 seconds"))
    }

    @Test func `a list tells its pending edits by item, and its timer`() throws {
        let rig = InspectorRig()
        var config = PaginatorListConfig()
        config.pageSize = 10
        config.prefetchDistance = 1
        let list = PaginatorList(rig.paginator, id: \.id, config: config)
        let attachment = rig.inspector.attach(list, name: "Rows")
        list.loadNext()
        rig.executor.runAll()
        #expect(rig.state(of: .list)?["edits"]?.list == [] && Self.timers(rig.state(of: .list)) == [])
        let edits = rig.paginator.edits(id: \.id)
        let change = edits.begin(3) { $0 }
        let removal = edits.begin(4) { _ in nil }
        rig.executor.runAll()
        let pending = try #require(rig.state(of: .list)?["edits"]?.list)
        #expect(pending.map { "\($0["item"]?.text ?? "") \($0["change"]?.text ?? "")" } == ["3 changed", "4 removed"])
        let hashed = rig.inspector.recording().hashingKeys().states.last { !($0.json["edits"]?.list.isEmpty ?? true) }
        #expect(hashed?.json["edits"]?.list.first?["item"]?.text != "3")
        #expect(hashed?.json["edits"]?.list.first?["change"]?.text == "changed")
        change.commit()
        removal.rollBack()
        rig.executor.runAll()
        #expect(rig.state(of: .list)?["edits"]?.list == [])
        // What it loads ahead, and fails, it tries again by itself.
        try rig.perform(#"{"do":"faults","subject":2,"error":"retry"}"#)
        list.hint(visible: 0..<10)
        rig.executor.runAll()
        #expect(Self.timers(rig.state(of: .list)) == ["what failed is tried again at 2.0 s"])
        attachment.detach()
    }

    @Test func `a paginator tells what it follows, and when it connects again`() throws {
        let rig = InspectorRig()
        let told = Guarded<(@Sendable (PushEvent<Int>) -> Void)?>(nil)
        let source = PushSource<Int> { _, tell in
            told.withLock { $0 = tell }
            return SourceCancellation {}
        }
        let following = rig.paginator.follow(source) { _ in }
        func state() -> JSONValue? {
            rig.executor.runAll()
            return rig.state(of: .paginator)?["following"]?.list.first
        }
        #expect(state()?["state"]?.text == "connecting")
        told.withLock { $0 }?(.opened())
        #expect(state()?["state"]?.text == "live" && state()?["since"]?.number == 0)
        told.withLock { $0 }?(.closed())
        #expect(state()?["state"]?.text == "waiting")
        #expect(state()?["due"]?.number == rig.clock.armedDeadlines.first.map { Double($0.nanoseconds) })
        #expect(rig.paginator.dump().contains("following: state=waiting, due=in "))
        _ = following.cancel()
        #expect(state() == nil)
    }

    @Test func `a scheduler tells when its rate lets the next attempt start`() {
        let rig = InspectorRig()
        var scheduling = PaginatorSchedulerConfig()
        scheduling.rateLimit = .init(permits: 1, per: .seconds(10))
        let scheduler = PaginatorScheduler(
            config: scheduling, connectivity: nil, clock: rig.clock, randomSeed: 1, executor: rig.executor)
        var config = PaginatorConfig()
        config.simulate(on: rig.executor, clock: rig.clock)
        config.scheduler = scheduler
        let paginator = CallbackPaginator(dataSource: SampleServer(SamplePages(count: 100)), config: config)
        rig.attachment.detach()
        let attachment = rig.inspector.attach(scheduler, name: "Shared")
        for key in ["0", "10"] { paginator.fetch(key: key, pageSize: 10) { _ in } }
        rig.executor.runAll()
        let recording = rig.inspector.recording()
        let number = recording.subjects.last { $0.kind == .scheduler }?.number
        let state = recording.states.last { $0.subject == number }?.json
        #expect(state?["nextPermit"]?.number == 10e9 && state?["rate"]?["tokens"]?.whole == 0)
        attachment.detach()
    }

    @Test func `a page that a list holds is not evicted`() throws {
        let rig = InspectorRig()
        var config = PaginatorListConfig()
        config.pageSize = 10
        config.windowItems = 40
        let list = PaginatorList(rig.paginator, id: \.id, config: config)
        list.loadNext()
        rig.executor.runAll()
        #expect(throws: PaginatorInspectorError(.pinned)) {
            try rig.perform(#"{"do":"evict","subject":2,"page":{"key":"0","size":10}}"#)
        }
        #expect(rig.paginator.peek(key: "0", pageSize: 10) != nil)
    }

    // MARK: - Without anybody who looks

    @Test func `some seconds after something happened there is a state, though nobody looks`() {
        let rig = InspectorRig()
        func times() -> [Double] { rig.inspector.recorder.recording().states.map { $0.time / 1e9 } }
        rig.clock.advance(by: .seconds(60))
        // The scheduler and the paginator, as they were attached.
        #expect(times() == [0, 0])
        rig.fetch("0")
        rig.clock.advance(by: .seconds(2))
        rig.fetch("10")
        #expect(times() == [0, 0])
        rig.clock.advance(by: .seconds(3))
        #expect(times() == [0, 0, 65, 65])
        rig.clock.advance(by: .seconds(600))
        #expect(times() == [0, 0, 65, 65])
        rig.fetch("20")
        rig.clock.advance(by: .seconds(600))
        // The scheduler again, too: its retry budget has faded.
        #expect(times() == [0, 0, 65, 65, 670, 670])
    }

    @Test func `what lives for a second has states of its beginning and its end, and ends when it was detached`() throws
    {
        let rig = InspectorRig()
        let store = PageFileStore(file: ScriptedPageFile(), codec: CompactPageCodec<SampleItem>())
        let attachment = rig.inspector.attach(store, name: "Disk")
        rig.fetch("0")
        rig.clock.advance(by: .seconds(1))
        rig.attachment.detach()
        attachment.detach()
        rig.clock.advance(by: .seconds(1))
        let recording = rig.inspector.recorder.recording()
        func states(_ kind: RecordedSubject.Kind) -> [RecordedState] {
            let number = recording.subjects.first { $0.kind == kind }?.number
            return recording.states.filter { $0.subject == number }
        }
        #expect(states(.paginator).map(\.time) == [0, 1e9])
        #expect(states(.paginator).map { $0.json["memory"]?["pages"]?.whole } == [0, 1])
        // The store is as it was.
        #expect(states(.store).map(\.time) == [0])
        #expect(recording.subjects.map(\.end) == [1e9, 1e9, 1e9])
        let read = try PaginatorRecording(data: recording.data(withKeys: true))
        #expect(read.subjects == recording.subjects)
    }

    @Test func `a store and a list have states though the paginator is not attached`() {
        let rig = InspectorRig()
        rig.attachment.detach()
        var config = PaginatorListConfig()
        config.pageSize = 10
        let list = PaginatorList(rig.paginator, id: \.id, config: config)
        let attachment = rig.inspector.attach(list, name: "Rows")
        func rows() -> [Int?] {
            rig.inspector.recorder.recording().states.filter { $0.subject == attachment.subject }
                .map { $0.json["rows"]?.whole }
        }
        #expect(rows() == [0])
        rig.clock.advance(by: .seconds(20))
        list.loadNext()
        rig.executor.runAll()
        // After as long a time again, because nothing happened before.
        rig.clock.advance(by: .seconds(20))
        #expect(rows() == [0, 10])
        attachment.detach()
    }

    @Test func `a list to which nothing happens is looked at less and less, until something happens`() {
        let rig = InspectorRig()
        var config = PaginatorListConfig()
        config.pageSize = 10
        let list = PaginatorList(rig.paginator, id: \.id, config: config)
        let attachment = rig.inspector.attach(list, name: "Rows")
        let armed = rig.clock.timesArmed
        rig.clock.advance(by: .days(15))
        #expect(rig.clock.timesArmed - armed < 100)
        var steps = 0
        while steps < 100, rig.clock.advanceToNextTimer() != nil { steps += 1 }
        #expect(steps < 100, "the clock comes to rest")
        list.loadNext()
        rig.executor.runAll()
        rig.clock.advance(by: .seconds(5))
        let states = rig.inspector.recorder.recording().states.filter { $0.subject == attachment.subject }
        #expect(states.map { $0.json["rows"]?.whole } == [0, 10])
        attachment.detach()
    }

    @Test func `a list that is at work has no state until it tells one`() throws {
        let rig = InspectorRig()
        let list = PaginatorList(rig.paginator, id: \.id)
        let states = Guarded<[RecordedState]>([])
        let attachment = Guarded<PaginatorAttachment?>(nil)
        list.observe { _ in
            // From here the list is at work.
            guard attachment.withLock({ $0 == nil }) else { return }
            let new = rig.inspector.attach(list, name: "Rows")
            attachment.withLock { $0 = new }
            let all = rig.inspector.recording().states.filter { $0.subject == new.subject }
            states.withLock { $0 = all }
        }
        list.loadNext()
        rig.executor.runAll()
        let number = try #require(attachment.withLock { $0 }?.subject)
        #expect(states.withLock { $0 }.allSatisfy { $0.json["rows"] != nil })
        #expect(rig.inspector.recording().states.last { $0.subject == number }?.json["rows"]?.whole == 30)
        attachment.withLock { $0 }?.detach()
    }

    @Test func `a store tells which of the paginators that are attached use it`() throws {
        let rig = InspectorRig()
        let (store, attachment) = Self.store(rig)
        var config = PaginatorConfig()
        config.simulate(on: rig.executor, clock: rig.clock)
        #expect(rig.state(of: .store)?["paginators"]?.list == [])
        let paginator = CallbackPaginator(
            dataSource: SampleServer(SamplePages(count: 100)), store: store, config: config)
        let used = rig.inspector.attach(paginator, name: "Stored")
        let number = try #require(used.subject)
        #expect(rig.state(of: .store)?["paginators"]?.list == [.count(Int(number))])
        used.detach()
        #expect(rig.state(of: .store)?["paginators"]?.list == [])
        attachment.detach()
    }

    @Test func `a burst tells its debounce key and page, and when it ends`() throws {
        let rig = InspectorRig()
        let lane = DebounceKey("search \"x\"", delay: .milliseconds(300))
        rig.paginator.fetch(key: "0", pageSize: 10, debounce: lane) { _ in }
        rig.executor.runAll()
        let state = try #require(rig.state(of: .paginator))
        let waiting = try #require(state["debouncing"]?.list.first)
        #expect(waiting["debounceKey"]?.text == "search \"x\"" && waiting["page"]?["key"]?.text == "0")
        #expect(Self.timers(state).contains("burst ends at 0.3 s"))
        #expect(!rig.inspector.recording().text().contains("search"))
    }

    @Test func `a flush and a part of a call tell when they time out, until they end`() throws {
        let rig = InspectorRig()
        let file = ScriptedPageFile()
        var storing = WriteBehindConfig()
        storing.executor = rig.executor
        let store = PageFileStore(file: file, codec: CompactPageCodec<SampleItem>(), config: storing)
        var config = PaginatorConfig()
        config.simulate(on: rig.executor, clock: rig.clock)
        config.attemptTimeout = .seconds(20)
        config.storeTimeout = .seconds(3)
        let server = SampleServer(SamplePages(count: 100))
        let paginator = CallbackPaginator(
            dataSource: server.faulty(FaultPlan(then: .hang), clock: rig.clock).fallback(
                to: server, after: .seconds(7)),
            store: store, config: config)
        let attachment = rig.inspector.attach(paginator, name: "Both")
        func timers() -> [String] {
            let state = rig.inspector.recording().states.last { $0.subject == attachment.subject }?.json
            return Self.timers(state).filter { $0.hasPrefix("flush") || $0.hasPrefix("part") }
        }
        paginator.fetch(key: "0", pageSize: 10) { _ in }
        rig.executor.runAll()
        #expect(timers() == ["part of a call times out at 7.0 s"])
        rig.clock.advance(by: .seconds(7))
        rig.executor.runAll()
        #expect(timers() == [])
        paginator.flush { _ in }
        #expect(timers() == ["flush of the store times out at 10.0 s"])
        rig.executor.runAll()
        #expect(timers() == [])
        attachment.detach()
    }

    @Test func `of a long list the pages around what is visible are there, and how many others there are`() throws {
        let rig = InspectorRig()
        let server = SampleServer(SamplePages(count: 5_000))
        var config = PaginatorConfig()
        config.simulate(on: rig.executor, clock: rig.clock)
        let paginator = CallbackPaginator(dataSource: server, config: config)
        var listing = PaginatorListConfig()
        listing.pageSize = 1
        listing.prefetchDistance = 0
        let list = PaginatorList(paginator, id: \.id, config: listing)
        let attachment = rig.inspector.attach(list, name: "Rows")
        for _ in 0..<2_500 {
            list.loadNext()
            rig.executor.runAll()
        }
        list.hint(visible: 1_500..<1_510)
        rig.executor.runAll()
        let state = try #require(rig.state(of: .list))
        let slots = try #require(state["slots"]?.list)
        #expect(slots.count == 2_000 && slots.first?["first"]?.whole == 500 && slots.last?["first"]?.whole == 2_499)
        #expect(state["slotsBefore"]?.whole == 500 && state["slotsAfter"] == nil)
        list.hint(visible: 0..<10)
        rig.executor.runAll()
        let top = try #require(rig.state(of: .list))
        #expect(top["slots"]?.list.first?["first"]?.whole == 0 && top["slotsBefore"] == nil)
        #expect(top["slotsAfter"]?.whole == 500)
        attachment.detach()
    }

    @Test func `what waits is told in the order in which it starts`() throws {
        let rig = InspectorRig()
        try rig.perform(#"{"do":"faults","subject":2,"error":"hang"}"#)
        for key in 0..<7 {
            rig.paginator.fetch(key: "\(10 * key)", pageSize: 10, priority: key == 6 ? .high : .low) { _ in }
            rig.executor.runAll()
            rig.clock.advance(by: .milliseconds(1))
        }
        let waiting = try #require(rig.state(of: .scheduler)?["waiting"]?.list)
        #expect(waiting.compactMap { $0["page"]?["key"]?.text } == ["60", "40", "50"])
    }

    @Test func `a state that was read before the newest is not kept`() {
        let recorder = Recorder(info: RecordingInfo(), maxEvents: 1, maxTextBytes: 10_000)
        _ = recorder.add(.paginator, "Feed", at: 0) { _ in }
        recorder.record(.members(["round": .count(2)]), of: 1, at: 2)
        recorder.record(.members(["round": .count(1)]), of: 1, at: 1)
        #expect(recorder.recording().states.map(\.time) == [2])
    }
}
