import Foundation
import PaginatorLists
import PaginatorStorage
import PaginatorTesting
import StorageTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorInspector

@Suite struct InspectorTests {
    @Test func `it records what an observer is told, in the same order and once`() {
        let rig = InspectorRig(hasObserver: true)
        for key in ["0", "10", "0", "20", "990", "no number"] { rig.fetch(key) }
        rig.paginator.clearAll()
        rig.executor.runAll()
        let told = rig.observer.events.map(\.kind.rawValue)
        #expect(told.count > 20)
        #expect(rig.inspector.recording().kinds == told)
    }

    @Test func `a paginator without an observer is recorded from the attachment to its end`() {
        let rig = InspectorRig()
        rig.fetch("0")
        rig.fetch("0")
        let kinds = rig.inspector.recording().kinds
        #expect(kinds.contains("loadEnded") && kinds.contains("memoryHit") && kinds.contains("callbackDelivered"))
        #expect(kinds.count { $0 == "loadStarted" } == 1)
        rig.attachment.detach()
        #expect(!rig.paginator.engine.events.isObserved)
        rig.fetch("10")
        let recording = rig.inspector.recording()
        #expect(recording.kinds == kinds)
        #expect(recording.subjects.first { $0.kind == .paginator }?.isDetached == true)
        rig.attachment.detach()
    }

    @Test func `releasing the attachment ends it, and nothing keeps the paginator or the inspector alive`() {
        weak var paginator: CallbackPaginator<SampleItem>?
        weak var inspector: PaginatorInspector?
        do {
            let rig = InspectorRig()
            rig.fetch("0")
            _ = rig.inspector.recording()
            (paginator, inspector) = (rig.paginator, rig.inspector)
            #expect(paginator != nil)
        }
        #expect(paginator == nil)
        #expect(inspector == nil)
    }

    @Test func `a paginator that has ended is told as detached`() {
        let inspector: PaginatorInspector
        let attachment: PaginatorAttachment
        do {
            let rig = InspectorRig()
            (inspector, attachment) = (rig.inspector, rig.attachment)
            #expect(inspector.recording().subjects.map(\.isDetached) == [false, false])
        }
        #expect(inspector.recording().subjects.map(\.isDetached) == [true, true])
        attachment.detach()
    }

    @Test func `it keeps no error of the user`() {
        final class Mine: Error, Sendable {}
        let rig = InspectorRig()
        weak var mine: Mine?
        do {
            let error = Mine()
            mine = error
            var event = PaginatorEvent(.loadEnded, at: .zero)
            event.error = PaginatorError(.sourceFailed, "no", underlying: error)
            rig.paginator.engine.report(event)
            rig.executor.runAll()
        }
        #expect(mine == nil)
        #expect(rig.inspector.recording().texts.contains { $0.contains("sourceFailed.Mine") })
    }

    @Test func `times count from the beginning of the recording`() {
        let rig = InspectorRig()
        rig.clock.advance(by: .seconds(3))
        rig.fetch("0")
        let recording = rig.inspector.recording()
        #expect(recording.events.allSatisfy { $0.time == 3e9 })
        #expect(rig.state(of: .paginator)?["time"]?.number == 3e9)
        #expect(rig.state(of: .paginator)?["memory"]?["entries"]?.list.first?["since"]?.number == 3e9)
    }

    @Test func `the state has what loads, with its timers, and what waits for a slot names its page`() throws {
        let rig = InspectorRig()
        try rig.perform(#"{"id":1,"do":"faults","subject":2,"error":"hang"}"#)
        for key in 0..<6 { rig.fetch("\(10 * key)") }
        let state = try #require(rig.state(of: .paginator))
        #expect(state["mode"]?.text == "running")
        #expect(state["loads"]?.list.count == 6)
        #expect(state["loads"]?.list.count { $0["stage"]?.text == "attempt" } == 4)
        #expect(state["loads"]?.list.first?["page"]?["key"]?.text == "0")
        #expect(state["timers"]?.list.first?["purpose"]?.text == "attempt times out")
        let scheduler = try #require(rig.state(of: .scheduler))
        #expect(scheduler["running"]?.whole == 4)
        #expect(scheduler["waiting"]?.list.compactMap { $0["page"]?["key"]?.text } == ["40", "50"])
        #expect(state["memory"]?["strategy"]?.text == "adaptive")
    }

    @Test func `a state that has not changed is not recorded again`() {
        let rig = InspectorRig()
        for _ in 0..<3 { rig.inspector.recordStates() }
        #expect(rig.inspector.recording().states.count == 2)
        rig.fetch("0")
        #expect(rig.inspector.recording().states.count == 3)
    }

    @Test func `the state of a list has its pages in their order, with their rows and gaps`() throws {
        let rig = InspectorRig()
        var config = PaginatorListConfig()
        config.pageSize = 10
        config.prefetchDistance = 0
        let list = PaginatorList(rig.paginator, id: \.id, config: config)
        let attachment = rig.inspector.attach(list, name: "Rows")
        func state() throws -> JSONValue { try #require(rig.state(of: .list)) }
        #expect(try state()["slots"]?.list == [])
        list.loadNext()
        rig.executor.runAll()
        list.loadNext()
        rig.executor.runAll()
        list.jump(to: "500")
        rig.executor.runAll()
        let slots = try #require(try state()["slots"]?.list)
        #expect(slots.compactMap { $0["page"]?["key"]?.text } == ["0", "10", "500"])
        #expect(slots.compactMap { $0["first"]?.whole } == [0, 10, 20])
        #expect(slots.compactMap { $0["count"]?.whole } == [10, 10, 10])
        #expect(slots.compactMap { $0["state"]?.text } == ["fresh", "fresh", "fresh"])
        let gap = JSONValue.members(["row": .count(20), "state": .text("idle")])
        #expect(try state()["gaps"]?.list == [gap])
        #expect(try state()["rows"]?.whole == 30 && state()["next"]?.text == "idle")
        rig.paginator.invalidate(.all)
        rig.executor.runAll()
        #expect(try state()["slots"]?.list.compactMap { $0["state"]?.text } == ["stale", "stale", "stale"])
        let recording = rig.inspector.recording()
        let paginator = recording.subjects.first { $0.kind == .paginator }?.number
        #expect(recording.subjects.first { $0.kind == .list }?.paginator == paginator)
        try rig.perform(#"{"do":"refresh","subject":3}"#)
        #expect(try state()["slots"]?.list.first?["state"]?.text == "fresh")
        attachment.detach()
    }

    @Test func `the state of a store has what it did`() throws {
        let rig = InspectorRig()
        let store = PageFileStore(file: ScriptedPageFile(), codec: CompactPageCodec<SampleItem>())
        let attachment = rig.inspector.attach(store, name: "Disk")
        #expect(rig.state(of: .store)?["pendingWrites"]?.whole == 0)
        #expect(throws: PaginatorInspectorError(.impossible)) { try rig.perform(#"{"do":"clear","subject":3}"#) }
        attachment.detach()
    }

    @Test func `the state of a store has what it holds`() throws {
        let rig = InspectorRig { $0.clock = SystemPaginatorClock() }
        let store = PageFileStore(file: ScriptedPageFile(), codec: CompactPageCodec<SampleItem>())
        let attachment = rig.inspector.attach(store, name: "Disk")
        let paginator = CallbackPaginator(dataSource: SampleServer(SamplePages(count: 1_000)), store: store)
        let done = DispatchSemaphore(value: 0)
        paginator.fetch(key: "0", pageSize: 10) { _ in done.signal() }
        done.wait()
        // Of the paginator: it may answer before it has handed the page to the store.
        paginator.flush { _ in done.signal() }
        done.wait()
        let state = try #require(rig.state(of: .store))
        #expect(state["pages"]?.whole == 1 && state["items"]?.whole == 10)
        #expect((state["bytes"]?.whole ?? 0) > 0 && state["flushing"]?.flag == false)
        attachment.detach()
    }

    @Test func `where it is not enabled nothing is attached`() {
        let rig = InspectorRig { $0.isEnabled = false }
        rig.fetch("0")
        #expect(!rig.paginator.engine.events.isObserved)
        #expect(rig.inspector.recording().eventCount == 0)
        #expect(rig.inspector.recording().names == [])
    }

    // MARK: - Doing

    @Test func `it invalidates, clears, refreshes and evicts`() throws {
        let rig = InspectorRig()
        func page(_ key: String) -> FetchedPage<SampleItem>? { rig.paginator.peek(key: key, pageSize: 10) }
        rig.fetch("0")
        rig.fetch("10")
        try rig.perform(#"{"do":"invalidate","subject":2,"page":{"scope":"","key":"0","size":10}}"#)
        #expect(page("0")?.isStale == true && page("10")?.isStale == false)
        try rig.perform(#"{"do":"refresh","subject":2,"page":{"key":"0","size":10}}"#)
        #expect(page("0")?.isStale == false)
        try rig.perform(#"{"do":"clear","subject":2,"page":{"key":"0","size":10}}"#)
        #expect(page("0") == nil && page("10") != nil)
        try rig.perform(#"{"do":"evict","subject":2}"#)
        #expect(page("10") == nil)
        rig.fetch("20")
        rig.fetch("30")
        try rig.perform(#"{"do":"evict","subject":2,"page":{"key":"30","size":10}}"#)
        #expect(page("30") == nil && page("20") != nil)
        #expect(rig.inspector.recording().events.last { $0.cause > 0 }?.cause == RecordingNames.number(of: .trimmed))
        try rig.perform(#"{"do":"clear","subject":2}"#)
        #expect(page("20") == nil)
        #expect(throws: PaginatorInspectorError(.absent)) {
            try rig.perform(#"{"do":"evict","subject":2,"page":{"key":"20","size":10}}"#)
        }
    }

    @Test func `it forces errors, latency and conditions, and ends them`() throws {
        let rig = InspectorRig()
        let answers = Guarded<[String]>([])
        func fetch(_ key: String) {
            rig.paginator.fetch(key: key, pageSize: 10) { result in
                answers.withLock { $0.append((try? result.get()) == nil ? "failed" : "page") }
            }
            rig.executor.runAll()
        }
        try rig.perform(#"{"do":"faults","subject":2,"error":"fatal"}"#)
        fetch("0")
        try rig.perform(#"{"do":"faults","subject":2,"latency":250}"#)
        fetch("10")
        #expect(answers.withLock { $0 } == ["failed"])
        rig.clock.advance(by: .milliseconds(250))
        rig.executor.runAll()
        #expect(answers.withLock { $0 } == ["failed", "page"])
        try rig.perform(#"{"do":"faults","subject":2,"offline":true,"lowPower":true}"#)
        #expect(
            rig.state(of: .scheduler)?["conditions"]?.list.compactMap(\.text) == ["offline", "lowPower", "charging"])
        fetch("20")
        try rig.perform(#"{"do":"faults","subject":2}"#)
        fetch("30")
        #expect(answers.withLock { $0 } == ["failed", "page", "failed", "page"])
    }

    @Test func `it moves a manual clock and pauses`() throws {
        let rig = InspectorRig()
        try rig.perform(#"{"do":"clock","advance":1.5}"#)
        #expect(rig.clock.now.nanoseconds == 1_500_000_000)
        try rig.perform(#"{"do":"clock","set":4}"#)
        #expect(rig.clock.now.nanoseconds == 4_000_000_000)
        #expect(throws: PaginatorInspectorError(.past)) { try rig.perform(#"{"do":"clock","set":3.5}"#) }
        #expect(rig.clock.now.nanoseconds == 4_000_000_000)
        try rig.perform(#"{"do":"pause"}"#)
        rig.fetch("0")
        #expect(rig.inspector.recording().eventCount == 0)
        try rig.perform(#"{"do":"resume"}"#)
        rig.fetch("0")
        #expect(rig.inspector.recording().eventCount > 0)
    }

    @Test(arguments: [
        ("", "unknown"), ("[]", "unknown"), (#"{"do":"explode"}"#, "unknown"), (#"{"do":"clear"}"#, "gone"),
        (#"{"do":"refresh","subject":2}"#, "impossible"),
        (#"{"do":"clear","subject":9}"#, "gone"), (#"{"do":"clear","subject":1}"#, "impossible"),
        (#"{"do":"clear","subject":2,"page":{"hash":"1#10"}}"#, "hashedPage"),
        (#"{"do":"clock","advance":-1}"#, "unknown"), (#"{"do":"clock","set":-1}"#, "unknown"),
        (#"{"do":"faults","subject":2,"error":"boo"}"#, "unknown"),
    ]) func `what it cannot do it refuses`(message: String, reason: String) {
        let rig = InspectorRig()
        rig.fetch("0")
        let error = #expect(throws: PaginatorInspectorError.self) { try rig.perform(message) }
        #expect(error?.reason.rawValue == reason)
        #expect(rig.paginator.peek(key: "0", pageSize: 10) != nil)
    }
}
