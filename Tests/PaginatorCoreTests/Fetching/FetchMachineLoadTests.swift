import Testing

@testable import PaginatorCore

/// The stages of one load, event by event.
@Suite struct FetchMachineLoadTests {
    @Test func `a miss goes through every stage to the page`() {
        let script = MachineScript { $0.hasStore = true }
        #expect(script.fetch() == .did(then: ["look 1"]))
        #expect(script.look(.miss) == .did(["read 1"]))
        #expect(script.read(.miss) == .did(["submit t1 medium"]))
        #expect(script.start() == .did(["call t1 1 attempt 1"]))
        #expect(script.answer(.success(script.page())) == .did(["end t1 accepted"], then: ["judge t1 1"]))
        #expect(script.judge() == .did(["admit 1 1", "save 1 1", "post #1 page 1"]))
        #expect(script.isQuiet)
        #expect(
            script.events == [
                .fetchStarted, .memoryMiss, .storeReadStarted, .storeMiss, .loadStarted, .attemptStarted, .attemptEnded,
                .validated, .loadEnded, .fetchEnded,
            ])
    }

    @Test func `without a store a miss goes straight to the scheduler`() {
        let script = MachineScript()
        script.fetch()
        #expect(script.look(.miss) == .did(["submit t1 medium"]))
    }

    @Test func `a fresh page of the callers own look is the answer`() {
        let script = MachineScript()
        #expect(script.fetch(memory: .fresh(script.page(4, origin: .memory))) == .did(["post #1 page 4"]))
        #expect(script.isQuiet)
    }

    @Test func `a fresh page of the second look is the answer`() {
        let script = MachineScript()
        script.fetch()
        #expect(script.look(.fresh(script.page(4, origin: .memory))) == .did(["post #1 page 4"]))
        #expect(script.isQuiet)
    }

    @Test func `a fresh page of the store is admitted and not saved`() {
        let script = MachineScript { $0.hasStore = true }
        script.fetch()
        script.look(.miss)
        #expect(script.read(.fresh(script.page(4, origin: .store))) == .did(["admit 1 4", "post #1 page 4"]))
        #expect(script.isQuiet)
    }

    @Test func `network only neither looks nor reads`() {
        let script = MachineScript { $0.hasStore = true }
        #expect(script.fetch(policy: .networkOnly) == .did(["submit t1 medium"]))
    }

    @Test func `network first looks and asks at once`() {
        let script = MachineScript { $0.hasStore = true }
        #expect(script.fetch(policy: .networkFirst) == .did(["submit t1 medium"], then: ["look 1"]))
    }

    @Test func `a failure asks the error strategy and a retry backs off`() {
        let script = MachineScript()
        script.call()
        #expect(
            script.answer(MachineScript.outage)
                == .did(["end t1 overloaded"], then: ["decide sourceFailed 1/3 retryable"]))
        #expect(script.decide(.retry) == .did(["retry t2 medium failures 1"]))
        #expect(script.start() == .did(["call t2 1 attempt 2"]))
        script.answer(MachineScript.outage)
        #expect(script.decide(.retry) == .did(["retry t3 medium failures 2"]))
        script.start()
        script.answer(MachineScript.outage)
        #expect(script.decide(.retry) == .did(["post #1 sourceFailed"]), "beyond the allowed attempts")
    }

    @Test func `a stated delay is handed on`() {
        let script = MachineScript()
        script.call()
        script.answer(.failure(.retry(FetchRig.Outage(), after: .seconds(9))))
        #expect(script.decide(.retry) == .did(["retry t2 medium failures 1 after 9.0 seconds"]))
    }

    @Test func `a fatal failure is no sign of overload`() {
        let script = MachineScript()
        script.call()
        #expect(
            script.answer(MachineScript.fatal) == .did(["end t1 accepted"], then: ["decide sourceFailed 1/3"]))
        #expect(script.decide(.fail) == .did(["post #1 sourceFailed"]))
    }

    @Test func `an attempt that times out is stopped and decided about`() {
        let script = MachineScript()
        script.call()
        #expect(script.pass(.seconds(29)) == .nothing)
        #expect(
            script.pass(.seconds(1))
                == .did(["end t1 overloaded"], then: ["stop t1", "decide timedOut 1/3 retryable"]))
        #expect(script.decide(.retry) == .did(["retry t2 medium failures 1"]))
    }

    @Test func `a judgement that times out holds no slot any more`() {
        let script = MachineScript()
        script.call()
        script.answer(.success(script.page()))
        #expect(script.pass(.seconds(30)) == .did(then: ["decide timedOut 1/3 retryable"]))
        #expect(script.judge() == .nothing, "the verdict is late")
    }

    @Test func `a refusal ends the load whatever the strategy says`() {
        for (reason, code) in [
            (SchedulerRefusal.offline, "offline"), (.throttled, "throttled"), (.budgetSpent, "sourceFailed"),
        ] {
            let script = MachineScript()
            script.fetch(policy: .networkOnly)
            #expect(script.feed(.refused(script.tasks[0], reason)) == .did(then: ["decide \(code) 0/3"]))
            #expect(script.decide(.retry) == .did(["post #1 \(code)"]))
            #expect(script.machine.nextDeadline == nil)
        }
    }

    @Test func `a retry that the budget refuses keeps the sources error`() {
        let script = MachineScript()
        script.call()
        script.answer(.failure(.retry(FetchRig.Outage())))
        script.decide(.retry)
        #expect(script.feed(.refused(script.tasks[1], .budgetSpent)) == .did(then: ["decide sourceFailed 1/3"]))
        #expect(script.events.contains(.retryRefused))
    }

    @Test func `a fallback is served with the error to those who use the cache`() {
        let script = MachineScript()
        script.fetch(memory: .stale(script.stale(7)))
        script.fetch(policy: .networkOnly)
        script.start()
        script.answer(MachineScript.fatal)
        #expect(script.decide(.serveCached) == .did(["post #1 page 7 for sourceFailed", "post #2 sourceFailed"]))
    }

    @Test func `a failure waits for the fallback that is still being read`() {
        let script = MachineScript { $0.hasStore = true }
        script.fetch(policy: .networkFirst)
        script.look(.miss)
        script.start()
        script.answer(MachineScript.fatal)
        #expect(script.decide(.fail) == .nothing)
        #expect(
            script.read(.stale(script.stale(7))) == .did(["admit 1 7", "post #1 page 7 for sourceFailed"]))
        #expect(script.isQuiet == false, "the error is remembered")
        #expect(script.machine.nextDeadline == nil)
    }

    @Test func `who joins a load that failed offline has the source asked again, and not the old failure`() {
        let script = MachineScript { $0.hasStore = true }
        script.fetch(policy: .networkFirst)
        script.look(.miss)
        script.feed(.refused(script.tasks[0], .offline))
        #expect(script.decide(.serveCached) == .nothing, "the store is still being read")
        #expect(script.fetch(policy: .cacheOnly) == .nothing)
        #expect(script.fetch() == .did(["submit t2 medium"]))
        script.start()
        script.answer(.success(script.page()))
        script.judge()
        #expect(script.posts == ["post #1 page 1", "post #2 page 1", "post #3 page 1"])
        #expect(script.isQuiet)
    }

    @Test func `a suspension holds submissions starts and retries`() {
        let script = MachineScript()
        script.fetch("1", policy: .networkOnly)
        script.call("2")
        script.feed(.suspend)
        #expect(script.fetch("3", policy: .networkOnly) == .nothing)
        #expect(script.feed(.started(script.tasks[0], waited: .zero)) == .did(["end t1 abandoned"]))
        script.answer(MachineScript.outage, key: "2")
        #expect(script.decide(.retry) == .nothing)
        #expect(script.feed(.suspend) == .nothing)
        #expect(script.feed(.resume).ordered.count == 3)
        #expect(script.feed(.resume) == .nothing)
    }

    @Test func `resuming keeps the order and leaves out those who left`() {
        let script = MachineScript()
        script.feed(.suspend)
        for key in ["1", "2", "3"] { script.fetch(key, policy: .networkOnly, timeout: .seconds(key == "2" ? 1 : 60)) }
        #expect(script.pass(.seconds(1)) == .did(["post #2 timedOut"]))
        #expect(script.feed(.resume) == .did(["submit t1 medium", "submit t2 medium"]))
    }

    @Test func `a source that still runs when suspended is heard`() {
        let script = MachineScript()
        script.call()
        script.feed(.suspend)
        script.answer(.success(script.page()))
        #expect(script.judge().ordered == ["admit 1 1", "post #1 page 1"])
    }

    @Test func `what a caller found in memory is not looked for again`() {
        let script = MachineScript { $0.hasStore = true }
        #expect(script.fetch(memory: .miss) == .did(["read 1"]))
        #expect(script.read(.miss) == .did(["submit t1 medium"]))
        #expect(script.events.filter { $0 == .memoryMiss }.count == 1)
        let stale = MachineScript()
        #expect(stale.fetch(memory: .stale(stale.stale(7))) == .did(["submit t1 medium"]))
        #expect(stale.fetch(policy: .cacheOnly) == .did(["post #2 page 7"]))
    }

    @Test func `memory is looked into again where the page has changed since`() {
        let script = MachineScript()
        let look = script.found(.miss)
        script.feed(.prime(script.identity(), script.page(3)))
        let request = PageRequest(key: "1", pageSize: 10)
        #expect(script.feed(.fetch(script.ticket(), request, request.identity, memory: look)) == .did(then: ["look 1"]))
        #expect(script.look(.fresh(script.page(3))).ordered.first == "post #1 page 3")
        #expect(script.isQuiet)
    }

    @Test func `where nobody judges an answer ends the load`() {
        let script = MachineScript { $0.judgesPages = false }
        script.call()
        #expect(
            script.answer(.success(script.page())) == .did(["end t1 accepted", "admit 1 1", "post #1 page 1"]))
        #expect(script.events.contains(.validated))
        #expect(script.judge() == .nothing)
        #expect(script.isQuiet)
    }

    @Test func `what nobody observes is counted all the same`() {
        func script(isObserved: Bool) -> (MachineScript, [MachineScript.Outcome]) {
            let script = MachineScript { $0.isObserved = isObserved }
            var outcomes = [script.fetch(), script.look(.miss), script.fetch(), script.start()]
            outcomes += [script.answer(MachineScript.outage), script.decide(.retry), script.start()]
            outcomes += [script.answer(.success(script.page())), script.judge(), script.fetch("2", timeout: .zero)]
            outcomes.append(script.pass(.seconds(1)))
            return (script, outcomes)
        }
        let (observed, outcomes) = script(isObserved: true)
        let (unobserved, others) = script(isObserved: false)
        #expect(outcomes == others)
        #expect(!observed.events.isEmpty && unobserved.events.isEmpty)
        #expect(observed.machine.counters == unobserved.machine.counters)
        var counters = PaginatorCounters()
        for kind in observed.events { counters.record(PaginatorEvent(kind, at: .zero)) }
        for kind in PaginatorEvent.Kind.allCases {
            #expect(observed.machine.counters[kind] == counters[kind])
        }
    }
}
