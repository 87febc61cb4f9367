import Testing

@testable import PaginatorCore

/// Waiters, bursts, deadlines, epochs and fetches around a page, event by event.
@Suite struct FetchMachineWaiterTests {
    @Test func `a joiner gets what the caches have shown already`() {
        let script = MachineScript()
        script.fetch()
        script.look(.stale(script.stale(7)))
        #expect(script.fetch(policy: .staleWhileRevalidate) == .did(["post #2 preview 7"]))
        #expect(script.fetch(policy: .cacheOnly) == .did(["post #3 page 7"]))
        #expect(script.fetch(policy: .networkOnly) == .nothing)
        #expect(script.fetch(policy: .cacheFirst) == .nothing)
    }

    @Test func `a cache only joiner of a load that missed ends at once`() {
        let script = MachineScript()
        script.fetch()
        script.look(.miss)
        #expect(script.fetch(policy: .cacheOnly) == .did(["post #2 notInCache"]))
    }

    @Test func `a cache first joiner of a network only load has the caches looked into`() {
        let script = MachineScript()
        script.fetch(policy: .networkOnly)
        #expect(script.fetch() == .did(then: ["look 1"]))
        #expect(script.look(.fresh(script.page(4))) == .did(["post #2 page 4"]))
        script.start()
        script.answer(.success(script.page(5)))
        #expect(script.judge() == .did(["admit 1 5", "post #1 page 5"]))
    }

    @Test func `a cache only load never asks the source`() {
        let script = MachineScript { $0.hasStore = true }
        #expect(script.fetch(policy: .cacheOnly) == .did(then: ["look 1"]))
        #expect(script.look(.miss) == .did(["read 1"]))
        #expect(script.read(.miss) == .did(["post #1 notInCache"]))
        #expect(script.isQuiet)
    }

    @Test func `a joiner raises and a leaver lowers the priority`() {
        let script = MachineScript()
        script.fetch(policy: .networkOnly, priority: .low)
        let urgent = script.ticket()
        let request = PageRequest(key: "1", pageSize: 10, priority: .high, policy: .networkOnly)
        #expect(
            script.feed(.fetch(urgent, request, request.identity, memory: nil)) == .did(["reprioritize t1 high"]))
        #expect(script.feed(.cancel(urgent)) == .did(["reprioritize t1 low", "post #2 cancelled"]))
    }

    @Test func `a load that goes on forgets the fetches that have left it`() throws {
        let script = MachineScript()
        script.fetch(policy: .networkOnly)
        let request = PageRequest(key: "1", pageSize: 10, policy: .networkOnly)
        for _ in 0..<1_000 {
            let ticket = script.ticket()
            script.feed(.fetch(ticket, request, request.identity, memory: nil))
            script.feed(.cancel(ticket))
        }
        let load = try #require(script.machine.loads.first?.value)
        #expect(load.waiters.count <= 64)
        script.start()
        script.answer(.success(script.page(5)))
        #expect(script.judge().ordered.filter { $0.hasPrefix("post") } == ["post #1 page 5"])
        #expect(script.violations.isEmpty)
    }

    @Test func `a prefetch becomes a fetch and a prefetch again`() {
        let script = MachineScript()
        let prefetch = script.ticket()
        script.prefetch("1", as: prefetch)
        #expect(script.look(.miss) == .did(["submit t1 low prefetch"]))
        let ticket = script.ticket()
        let request = PageRequest(key: "1", pageSize: 10)
        #expect(
            script.feed(.fetch(ticket, request, request.identity, memory: nil)) == .did(["reprioritize t1 medium"]))
        #expect(script.feed(.cancel(ticket)).ordered.first == "reprioritize t1 low prefetch")
        #expect(script.feed(.cancel(prefetch)).ordered.first == "withdraw t1")
        #expect(script.isQuiet)
    }

    @Test func `the last leaver ends the load at every stage`() {
        for stage in 0..<6 {
            let script = MachineScript { $0.hasStore = true }
            let ticket = script.ticket()
            let request = PageRequest(key: "1", pageSize: 10)
            script.feed(.fetch(ticket, request, request.identity, memory: nil))
            if stage > 0 { script.look(.miss) }
            if stage > 1 { script.read(.miss) }
            if stage > 2 { script.start() }
            if stage > 3 { script.answer(stage == 4 ? .success(script.page()) : MachineScript.outage) }
            let outcome = script.feed(.cancel(ticket))
            #expect(outcome.ordered.last == "post #1 cancelled")
            #expect(outcome.ordered.contains("withdraw t1") == (stage == 2))
            #expect(outcome.ordered.contains("end t1 abandoned") == (stage == 3))
            #expect(outcome.unordered == (stage == 3 ? ["stop t1"] : []))
            #expect(script.isQuiet, "stage \(stage)")
        }
    }

    @Test func `a burst on a lane starts the last alone after its pause`() {
        let script = MachineScript()
        let key = DebounceKey("search", delay: .milliseconds(300))
        #expect(script.fetch("a", debounce: key) == .nothing)
        script.pass(.milliseconds(200))
        #expect(script.fetch("b", debounce: key) == .did(["post #1 superseded"]))
        #expect(script.pass(.milliseconds(200)) == .nothing)
        #expect(script.fetch("x", debounce: DebounceKey("another")) == .nothing)
        #expect(script.pass(.milliseconds(100)).unordered == ["look b"])
        #expect(script.fetch("c", debounce: key) == .nothing, "what has started is left alone")
    }

    @Test func `a lane without a pause supersedes and starts at once`() {
        let script = MachineScript()
        script.fetch("a", debounce: DebounceKey("search"))
        #expect(
            script.fetch("b", debounce: DebounceKey("search", delay: .zero))
                == .did(["post #1 superseded"], then: ["look b"]))
    }

    @Test func `a fetch that debounces has its deadline`() {
        let script = MachineScript()
        script.fetch(timeout: .milliseconds(100), debounce: DebounceKey("search"))
        #expect(script.pass(.milliseconds(100)) == .did(["post #1 timedOut"]))
        #expect(script.pass(.seconds(1)) == .nothing)
        #expect(script.isQuiet)
    }

    @Test func `a deadline asks the strategy only where there is a fallback`() {
        let script = MachineScript()
        script.fetch(timeout: .seconds(1))
        script.look(.stale(script.stale(7)))
        script.fetch(policy: .networkOnly, timeout: .seconds(1))
        script.fetch(policy: .networkFirst, timeout: .seconds(1))
        #expect(
            script.pass(.seconds(1))
                == .did(["post #2 timedOut", "post #3 page 7 for timedOut"], then: ["decide timedOut 0/3"]))
        #expect(script.decide(.serveCached) == .did(["post #1 page 7 for timedOut", "withdraw t1"]))
        #expect(script.machine.isIdle && script.machine.errors[script.identity()]?.code == .timedOut)
    }

    @Test func `an epoch ends with each change`() {
        for change: FetchEvent in [
            .clear(.all), .invalidate(.selected(.all)),
            .prime(PageIdentity(key: "1", pageSize: 10), MachineScript().page(50)),
        ] {
            let script = MachineScript()
            script.call()
            script.feed(change)
            #expect(script.fetch(policy: .networkOnly) == .did(["submit t2 medium"]))
            script.feed(.answered(script.tasks[0], script.identity(), .success(script.page(1))))
            #expect(script.feed(.judged(script.tasks[0], .accept)) == .did(["post #1 page 1"]))
            script.start()
            script.answer(.success(script.page(2)))
            #expect(script.judge() == .did(["admit 1 2", "post #2 page 2"]))
            #expect(script.isQuiet)
        }
    }

    @Test func `a refresh joins before the first attempt and begins an epoch after it`() {
        let script = MachineScript()
        script.fetch(policy: .networkOnly)
        let request = PageRequest(key: "1", pageSize: 10)
        #expect(script.feed(.refresh(script.ticket(), request)) == .nothing)
        script.start()
        #expect(script.feed(.refresh(script.ticket(), request)) == .did(["submit t2 medium"]))
    }

    @Test func `a fallback time that is over is served as soon as a page is found`() {
        let script = MachineScript { $0.hasStore = true }
        script.fetch(policy: .networkFirst(fallbackAfter: .seconds(2)))
        script.look(.miss)
        #expect(script.pass(.seconds(2)) == .nothing)
        let outcome = script.read(.fresh(script.page(7, origin: .store)))
        #expect(outcome.ordered.contains("post #1 page 7"))
        #expect(!outcome.ordered.contains("withdraw t1"), "the load goes on")
        script.start()
        script.answer(.success(script.page(8)))
        #expect(script.judge() == .did(["admit 1 8", "save 1 8"]))
        #expect(script.isQuiet)
    }

    @Test func `a fallback time that is over is served by the load of another epoch, too`() {
        let script = MachineScript()
        script.call()
        script.feed(.invalidate(.tagged([ExactText("a")])))
        script.fetch(policy: .networkFirst(fallbackAfter: .seconds(2)), memory: .miss)
        script.pass(.seconds(2))
        script.feed(.invalidate(.selected(.all)))
        script.fetch(memory: .stale(script.stale(7)))
        var page = script.page()
        page.details.tags = ["a"]
        script.feed(.answered(script.tasks[0], script.identity(), .success(page)))
        // The second fetch wants a newer page, and its time is over.
        #expect(script.feed(.judged(script.tasks[0], .accept)) == .did(["post #1 page 1", "post #2 page 7"]))
        #expect(script.violations.isEmpty)
    }

    @Test func `a fetch around loads delivers and ends`() {
        let script = MachineScript()
        let ticket = script.ticket()
        let request = AroundRequest(
            page: PageRequest(key: "1", pageSize: 10, policy: .networkOnly), depthLevel: 1, direction: .forward)
        #expect(
            script.feed(.fetchAround(ticket, request))
                == .did(["submit t1 medium"], then: ["neighbors #1 1 depth 1"]))
        #expect(
            script.feed(.neighborKeys(1, forward: ["2"], backward: [])) == .did(["submit t2 low prefetch"]))
        let tasks = script.tasks
        for task in tasks { script.feed(.started(task, waited: .zero)) }
        script.feed(.answered(tasks[1], script.identity("2"), .success(script.page(2))))
        #expect(script.feed(.judged(tasks[1], .accept)) == .did(["admit 2 2"]), "held")
        script.feed(.answered(tasks[0], script.identity("1"), .success(script.page(1, next: "2"))))
        #expect(
            script.feed(.judged(tasks[0], .accept))
                == .did(["admit 1 1", "post #1 page 1 at 0", "post #1 page 2 at 1", "post #1 end [0, 1]"]))
        #expect(script.isQuiet)
    }

    @Test func `a released machine refuses everything`() {
        let script = MachineScript { $0.hasStore = true }
        script.feed(.release)
        #expect(script.fetch() == .did(["post #1 released"]))
        #expect(script.fetch(memory: .fresh(script.page())) == .did(["post #2 released"]))
        let request = PageRequest(key: "1", pageSize: 10)
        #expect(
            script.feed(.fetchAround(script.ticket(), AroundRequest(page: request, depthLevel: 1)))
                == .did(["post #3 end released"]))
        #expect(script.feed(.refresh(script.ticket(), request)) == .did(["post #4 released"]))
        #expect(script.prefetch("1", as: script.ticket()) == .did(["post #5 prefetched nothing, unfinished 1"]))
        #expect(script.feed(.prime(script.identity(), script.page())) == .nothing)
        #expect(script.feed(.clear(.all)).ordered.filter { $0.hasPrefix("post") }.isEmpty)
        #expect(script.machine.nextDeadline == nil)
    }
}
