import Testing

@testable import PaginatorCore

/// Answers that come twice, late, or for something that is over.
@Suite struct FetchMachineStaleTokenTests {
    /// Everything that can answer a machine whose load 1 is at a given stage.
    private func answers(_ script: MachineScript) -> [FetchEvent] {
        var events: [FetchEvent] = []
        for look in script.looks { events += [.looked(look, .miss), .looked(look, .fresh(script.page(99)))] }
        for read in script.reads { events += [.readStore(read, .miss), .readStore(read, .fresh(script.page(99)))] }
        for task in script.tasks {
            events += [
                .started(task, waited: .zero), .refused(task, .offline), .judged(task, .accept),
                .answered(task, script.identity(), .success(script.page(99))),
                .answered(task, script.identity(), MachineScript.outage),
            ]
        }
        for decision in script.decisions { events += [.decided(decision, .retry), .decided(decision, .fail)] }
        return events
    }

    /// Feeds every answer that is not the one awaited; nothing may come of them but reports.
    private func expectDeaf(_ script: MachineScript, _ comment: Comment, except isAwaited: (FetchEvent) -> Bool) {
        for event in answers(script) where !isAwaited(event) {
            let before = script.machine.describe()
            #expect(script.feed(event) == .nothing, "\(comment): \(event)")
            #expect(script.machine.describe() == before, "\(comment): \(event)")
        }
    }

    @Test func `only the answer that is awaited is heard at each stage`() {
        let script = MachineScript { $0.hasStore = true }
        script.fetch()
        expectDeaf(script, "looking") { if case .looked = $0 { true } else { false } }
        script.look(.miss)
        expectDeaf(script, "reading") { if case .readStore = $0 { true } else { false } }
        script.read(.miss)
        expectDeaf(script, "queued") {
            switch $0 {
            case .started, .refused: true
            default: false
            }
        }
        script.start()
        expectDeaf(script, "calling") { if case .answered = $0 { true } else { false } }
        script.answer(MachineScript.outage)
        expectDeaf(script, "deciding") { if case .decided = $0 { true } else { false } }
        script.decide(.retry)
        let second = script.tasks[1]
        expectDeaf(script, "queued again") {
            switch $0 {
            case .started(second, _), .refused(second, _): true
            default: false
            }
        }
        script.start()
        expectDeaf(script, "calling again") { if case .answered(second, _, _) = $0 { true } else { false } }
        script.answer(.success(script.page()))
        expectDeaf(script, "judging") { if case .judged(second, _) = $0 { true } else { false } }
        script.judge()
        expectDeaf(script, "done") { _ in false }
        #expect(script.isQuiet)
    }

    @Test func `nothing is heard after everybody left`() {
        let script = MachineScript { $0.hasStore = true }
        let ticket = script.ticket()
        let request = PageRequest(key: "1", pageSize: 10)
        script.feed(.fetch(ticket, request, request.identity, memory: nil))
        script.look(.miss)
        script.read(.miss)
        script.start()
        #expect(script.feed(.cancel(ticket)) == .did(["end t1 abandoned", "post #1 cancelled"], then: ["stop t1"]))
        expectDeaf(script, "cancelled") { _ in false }
        #expect(script.isQuiet)
    }

    @Test func `nothing is heard after the release`() {
        for stage in 0..<6 {
            let script = MachineScript { $0.hasStore = true }
            script.fetch()
            if stage > 0 { script.look(.miss) }
            if stage > 1 { script.read(.miss) }
            if stage > 2 { script.start() }
            if stage > 3 { script.answer(stage == 4 ? .success(script.page()) : MachineScript.outage) }
            #expect(script.feed(.release).ordered.contains("post #1 released"))
            expectDeaf(script, "released at stage \(stage)") { _ in false }
            #expect(script.feed(.release) == .nothing)
            #expect(script.machine.nextDeadline == nil)
            #expect(script.machine.describe() == ["paginator: mode=shutDown, waiting=0"])
        }
    }

    @Test func `a late answer is reported`() {
        let script = MachineScript()
        script.call()
        script.pass(.seconds(30))
        script.answer(.success(script.page()))
        #expect(script.events.last == .lateAnswer)
    }

    @Test func `a second verdict counts for nothing`() {
        let script = MachineScript()
        script.call()
        script.answer(.success(script.page()))
        script.judge(.dropAndReload)
        let task = script.tasks[0]
        #expect(script.feed(.judged(task, .accept)) == .nothing)
    }

    @Test func `a look under way when its page is cleared is a miss`() {
        let script = MachineScript { $0.hasStore = true }
        script.fetch()
        #expect(script.feed(.clear(.key("1"))) == .did(["remove key 1", "unstore key 1", "submit t1 medium"]))
        #expect(script.look(.fresh(script.page(9))) == .nothing)
    }

    @Test func `a back off is reported only for a task that is known`() {
        let script = MachineScript()
        script.fetch(policy: .networkOnly)
        script.feed(.backedOff(script.tasks[0], delay: .seconds(1)))
        #expect(script.events.last == .retryScheduled)
        let count = script.events.count
        script.feed(.backedOff(424_242, delay: .seconds(1)))
        #expect(script.events.count == count)
    }

    @Test func `time never runs backwards`() {
        let script = MachineScript()
        script.now = .seconds(100)
        script.fetch(policy: .networkOnly, timeout: .seconds(10))
        script.now = .seconds(50)
        #expect(script.pass(.zero) == .nothing)
        script.fetch("2", policy: .networkOnly, timeout: .seconds(10))
        script.now = .seconds(109)
        #expect(script.pass(.zero) == .nothing, "the second fetch counts from the latest time seen")
        #expect(script.pass(.seconds(1)).ordered.filter { $0.hasSuffix("timedOut") }.count == 2)
    }
}
