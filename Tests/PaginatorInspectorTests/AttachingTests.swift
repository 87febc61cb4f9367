import Foundation
import PaginatorLists
import PaginatorStorage
import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorInspector

@Suite struct AttachingTests {
    private static func attached(_ rig: InspectorRig, _ kind: RecordedSubject.Kind) -> [String] {
        rig.inspector.recording().subjects.filter { $0.kind == kind && !$0.isDetached }.map(\.name)
    }

    @Test func `a scheduler ends with the last that needs it, whoever that is`() {
        let rig = InspectorRig()
        let named = rig.inspector.attach(rig.paginator.engine.scheduler, name: "Shared")
        #expect(Self.attached(rig, .scheduler) == ["Shared"])
        rig.attachment.detach()
        #expect(Self.attached(rig, .scheduler) == ["Shared"])
        let again = rig.inspector.attach(rig.paginator, name: "Feed")
        named.detach()
        named.detach()
        #expect(Self.attached(rig, .scheduler) == ["Shared"])
        again.detach()
        #expect(Self.attached(rig, .scheduler) == [])
        #expect(rig.inspector.watched.withLock { $0.isEmpty })
    }

    @Test func `a paginator that is attached twice is recorded once, until both have ended`() {
        let rig = InspectorRig(hasObserver: true)
        let second = rig.inspector.attach(rig.paginator, name: "The feed")
        rig.fetch("0")
        let kinds = rig.inspector.recording().kinds
        #expect(kinds == rig.observer.events.map(\.kind.rawValue))
        #expect(Self.attached(rig, .paginator) == ["The feed"])
        rig.attachment.detach()
        rig.fetch("10")
        #expect(rig.inspector.recording().kinds == rig.observer.events.map(\.kind.rawValue))
        second.detach()
        let count = rig.inspector.recording().eventCount
        rig.fetch("20")
        #expect(rig.inspector.recording().eventCount == count)
    }

    @Test func `a list knows its paginator also when that is attached later`() {
        let rig = InspectorRig()
        rig.attachment.detach()
        let list = PaginatorList(rig.paginator, id: \.id)
        let rows = rig.inspector.attach(list, name: "Rows")
        let feed = rig.inspector.attach(rig.paginator, name: "Feed again")
        let subjects = rig.inspector.recording().subjects
        let paginator = subjects.first { $0.name == "Feed again" }?.number
        #expect(paginator != nil && subjects.first { $0.name == "Rows" }?.paginator == paginator)
        rows.detach()
        feed.detach()
    }

    @Test func `attaching takes no hold of what others have attached`() {
        final class Other: Sendable {
            let asked = Guarded(0)
        }
        let rig = InspectorRig()
        let other = Other()
        var subject = Watched(other) { _ in .object([]) }
        subject.object = {
            other.asked.withLock { $0 += 1 }
            return other
        }
        let held = rig.inspector.attach(.store, "Other", subject)
        let feed = rig.inspector.attach(rig.paginator, name: "Feed")
        let scheduler = rig.inspector.attach(rig.paginator.engine.scheduler, name: "Scheduler")
        #expect(other.asked.withLock { $0 } == 0)
        for attachment in [held, feed, scheduler] { attachment.detach() }
    }

    @Test func `an inspector that is released takes no more events`() {
        let observed: CallbackPaginator<SampleItem>
        let attachment: PaginatorAttachment
        do {
            let rig = InspectorRig()
            (observed, attachment) = (rig.paginator, rig.attachment)
            #expect(observed.engine.events.isObserved)
        }
        #expect(!observed.engine.events.isObserved)
        attachment.detach()
    }

    @Test func `tasks of two schedulers name the pages of their own`() throws {
        let (clock, executor) = (ManualPaginatorClock(), SimulatedExecutor())
        var inspecting = PaginatorInspectorConfig()
        inspecting.isEnabled = true
        inspecting.clock = clock
        let inspector = PaginatorInspector(config: inspecting)
        var kept: [Any] = []
        for scope in ["one", "two"] {
            var config = PaginatorConfig()
            config.simulate(on: executor, clock: clock)
            let plan = FaultPlan(then: .hang)
            let source = SampleServer(SamplePages(count: 1_000)).faulty(plan, clock: clock)
            let paginator = CallbackPaginator(dataSource: source, config: config)
            kept += [paginator, inspector.attach(paginator, name: scope)]
            for key in 0..<6 {
                paginator.fetch(key: "\(10 * key)", pageSize: 10, scope: scope) { _ in }
                executor.runAll()
            }
        }
        let recording = inspector.recording()
        for paginator in recording.subjects where paginator.kind == .paginator {
            let state = try #require(recording.states.last { $0.subject == paginator.scheduler }?.json)
            let waiting = try #require(state["waiting"]?.list)
            #expect(waiting.count == 2)
            #expect(waiting.map { $0["page"]?["scope"]?.text } == [paginator.name, paginator.name])
        }
        withExtendedLifetime(kept) {}
    }

    @Test func `the state of errors asks no error of the user`() {
        struct Curious: Error, CustomStringConvertible {
            let asked: Guarded<Int>
            var description: String {
                asked.withLock { $0 += 1 }
                return "curious"
            }
        }
        let asked = Guarded(0)
        let executor = SimulatedExecutor()
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        config.maxAttempts = 1
        let plan = FaultPlan(then: .failure(SourceError.fatal(Curious(asked: asked))))
        let source = SampleServer(SamplePages(count: 100)).faulty(plan, clock: ManualPaginatorClock())
        let paginator = CallbackPaginator(dataSource: source, config: config)
        paginator.fetch(key: "0", pageSize: 10) { _ in }
        executor.runAll()
        let before = asked.withLock { $0 }
        #expect(paginator.dump().contains("sourceFailed.Curious"))
        #expect(asked.withLock { $0 } == before)
    }

    // MARK: - Who looked is gone

    private static func answer(_ rig: InspectorRig, _ key: String) -> String {
        let answer = Guarded("none")
        rig.paginator.fetch(key: key, pageSize: 10) { result in
            answer.withLock { $0 = (try? result.get()) == nil ? "failed" : "page" }
        }
        rig.executor.runAll()
        return answer.withLock { $0 }
    }

    @Test func `what a browser forced ends with the last one that looks, and so does its pause`() throws {
        let rig = InspectorRig()
        do {
            let first = InspectorVisitor(rig.inspector)
            do {
                let second = InspectorVisitor(rig.inspector)
                try rig.perform(#"{"do":"faults","subject":2,"error":"fatal"}"#)
                try rig.perform(#"{"do":"pause"}"#)
                withExtendedLifetime(second) {}
            }
            #expect(Self.answer(rig, "0") == "failed")
            #expect(rig.inspector.recording().eventCount == 0)
            withExtendedLifetime(first) {}
        }
        #expect(Self.answer(rig, "0") == "page")
        #expect(rig.inspector.recording().eventCount > 0)
    }

    @Test func `what a browser forced ends with the attachment, and what the app forced does not`() throws {
        let rig = InspectorRig()
        try rig.perform(#"{"do":"faults","subject":2,"error":"fatal"}"#)
        #expect(Self.answer(rig, "0") == "failed")
        rig.attachment.detach()
        #expect(Self.answer(rig, "0") == "page")
        let again = rig.inspector.attach(rig.paginator, name: "Feed", faults: rig.faults)
        rig.faults.force(.fatal)
        again.detach()
        #expect(Self.answer(rig, "10") == "failed")
        rig.faults.heal()
        #expect(Self.answer(rig, "10") == "page")
    }

    @Test func `faults keep nothing of the calls`() {
        let rig = InspectorRig()
        for key in 0..<5 { rig.fetch("\(10 * key)") }
        #expect(rig.faults.plan.decisions == [])
    }
}
