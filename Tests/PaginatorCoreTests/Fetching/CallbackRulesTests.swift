import Dispatch
import Testing

@testable import PaginatorCore
@testable import PaginatorTesting

@Suite("Callback rule 1: no callback inside a call")
struct CallbackRule1Tests {
    @Test func `no callback runs inside a call bad input and memory hits included`() throws {
        let rig = FetchRig(hasStore: true)
        rig.fetch("1")
        let before = rig.journal.texts.count
        let executions = [
            rig.start("1").execution, rig.start("").execution, rig.start("1", policy: .cacheOnly).execution,
            rig.start("2", policy: .cacheOnly).execution, rig.start("2").execution,
            rig.paginator.fetchAround(
                key: "", pageSize: 10, depthLevel: 1,
                listener: RecordingAroundListener<SampleItem>(journal: rig.journal)),
        ]
        for execution in executions { execution.cancel() }
        try rig.paginator.prime(rig.page("2", version: 9), pageSize: 10)
        rig.paginator.clearAll()
        rig.paginator.suspend()
        rig.paginator.resume()
        rig.paginator.trim(toFraction: 0)
        let changes = Guarded(0)
        rig.paginator.observe(key: "1", pageSize: 10) { _ in changes.withLock { $0 += 1 } }
        #expect(changes.withLock { $0 } == 0)
        rig.paginator.shutdown()
        #expect(rig.journal.texts.count == before)
        rig.release()
        #expect(rig.journal.texts.count == before, "deinit is a call too")
        rig.run()
        #expect(rig.journal.texts.count == before + 6)
    }

    @Test func `a source a store and a validator that answer at once call nobody back inside their own calls`() {
        let rig = FetchRig(hasStore: true, validator: .closure { _, _ in .accept })
        let caller = rig.start("1")
        rig.work.runAll()
        #expect(rig.source.calls.count == 1)
        #expect(rig.cached("1") == 1)
        #expect(caller.ends == 0)
        rig.callbacks.runAll()
        #expect(caller.version == 1)
    }
}

@Suite("Callback rule 2: one at a time, in the order decided")
struct CallbackRule2Tests {
    @Test func `they run in the order decided`() {
        let rig = FetchRig { $0.maxParallelCalls = 10 }
        rig.fetch("hit")
        rig.hangSource()
        for key in ["a", "b", "c"] { rig.fetch(key, name: key) }
        rig.work.runAll()
        for key in ["c", "a"] {
            guard let call = rig.source.pendingCalls.first(where: { $0.request.key == key }) else { continue }
            rig.source.answer(call, with: .success(rig.page(key, version: 1)))
        }
        let hit = rig.start("hit", name: "hit")
        rig.start("b", name: "cancelled").execution.cancel()
        rig.start("", name: "bad")
        rig.run()
        #expect(hit.endedOnce)
        #expect(
            rig.journal.texts.dropFirst() == [
                "c: page c", "a: page a", "hit: page hit", "cancelled: error cancelled", "bad: error invalidKey",
            ])
    }

    @Test func `they run in bounded turns`() {
        let rig = FetchRig()
        rig.fetch("1")
        let callers = (0..<200).map { _ in rig.start("1") }
        rig.callbacks.runOne()
        let first = callers.count { $0.ends == 1 }
        #expect(first > 0)
        #expect(first < 200)
        rig.callbacks.runAll()
        #expect(callers.allSatisfy { $0.endedOnce })
    }

    @Test func `on a concurrent queue they run one at a time on that queue`() async throws {
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let journal = CallbackJournal(expecting: queue)
        var config = PaginatorConfig()
        config.dispatchQueue = queue
        config.maxParallelCalls = 16
        let source = ScriptedDataSource<SampleItem>(serving: SamplePages(count: 1_000))
        let paginator = CallbackPaginator(dataSource: source, config: config)
        let listeners = (0..<400).map { RecordingListener<SampleItem>(name: "\($0)", journal: journal) }
        let arounds = (0..<20).map { RecordingAroundListener<SampleItem>(name: "around \($0)", journal: journal) }
        for (number, listener) in listeners.enumerated() {
            paginator.fetch(key: "\(number % 50 * 10)", pageSize: 10, listener: listener)
        }
        for (number, listener) in arounds.enumerated() {
            paginator.fetchAround(key: "\(number * 20)", pageSize: 10, depthLevel: 2, listener: listener)
        }
        for listener in listeners { try await listener.waitForEnd() }
        for listener in arounds { try await listener.waitForEnd() }
        #expect(journal.overlaps == 0)
        #expect(journal.onWrongQueue == 0)
        #expect(listeners.map(\.ends.count) == Array(repeating: 1, count: 400))
    }

    @Test func `callbacks for main and for the own queue keep one order`() async {
        let paginator = CallbackPaginator(
            dataSource: ScriptedDataSource<SampleItem>(serving: SamplePages(count: 1_000)))
        let order = Guarded<[Int]>([])
        let offMain = Guarded(0)
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let note: @Sendable (Int) -> Void = { number in
                if order.withLock({
                    $0.append(number); return $0.count
                }) == 100 {
                    done.resume()
                }
            }
            try? paginator.prime(
                PaginatorPage(content: [SampleItem(id: 1, text: "")], key: "0"), pageSize: 10)
            for number in 0..<100 {
                if number % 3 == 0 {
                    paginator.fetch(
                        key: "0", pageSize: 10,
                        onMain: { _ in
                            MainActor.assertIsolated()
                            note(number)
                        })
                } else {
                    paginator.fetch(key: "0", pageSize: 10) { _ in
                        offMain.withLock { $0 += 1 }
                        note(number)
                    }
                }
            }
        }
        #expect(order.withLock { $0 } == Array(0..<100))
        #expect(offMain.withLock { $0 } == 66)
    }

    @Test func `a fetch around for main is answered there`() async throws {
        let paginator = CallbackPaginator(
            dataSource: ScriptedDataSource<SampleItem>(serving: SamplePages(count: 100)))
        let distances = Guarded<[Int]>([])
        let summary = await withCheckedContinuation {
            (done: CheckedContinuation<Result<AroundSummary, PaginatorError>, Never>) in
            paginator.fetchAround(
                key: "20", pageSize: 10, depthLevel: 1,
                onMainPage: { _, distance in
                    MainActor.assertIsolated()
                    distances.withLock { $0.append(distance) }
                },
                completion: { result in
                    MainActor.assertIsolated()
                    done.resume(returning: result)
                })
        }
        #expect(try summary.get().delivered == [0, 1, -1])
        #expect(distances.withLock { $0 } == [0, 1, -1])
    }
}

@Suite("Callback rule 3: previews, one terminal, then nothing")
struct CallbackRule3Tests {
    @Test func `waiters of one page are answered in joining order`() {
        let rig = FetchRig()
        rig.hangSource()
        for number in 0..<100 { rig.start("1", priority: number % 2 == 0 ? .low : .high, name: "\(number)") }
        rig.answer("1")
        #expect(rig.journal.texts == (0..<100).map { "\($0): page 1" })
    }

    @Test func `they keep their order when many leave`() {
        let rig = FetchRig()
        rig.hangSource()
        let callers = (0..<100).map { rig.start("1", name: "\($0)") }
        for (number, caller) in callers.enumerated() where number % 5 != 0 { caller.execution.cancel() }
        rig.run()
        rig.answer("1")
        #expect(rig.journal.texts.suffix(20) == stride(from: 0, to: 100, by: 5).map { "\($0): page 1" })
    }

    @Test func `caches change before the callback is posted`() {
        let rig = FetchRig()
        let seen = Guarded<[Int?]>([])
        let paginator = rig.paginator
        let listener = RecordingListener<SampleItem>(onEnd: { _ in
            let version = paginator.peek(key: "1", pageSize: 10)?.page.version
            seen.withLock { $0.append(version) }
        })
        paginator.fetch(key: "1", pageSize: 10, listener: listener)
        rig.run()
        #expect(seen.withLock { $0 } == [1])
    }

    @Test func `nothing follows the terminal callback`() {
        let rig = FetchRig()
        rig.script.withLock { $0.lifetime = .seconds(1) }
        rig.fetch("1")
        rig.advance(.seconds(1))
        rig.hangSource()
        let caller = rig.fetch("1", policy: .staleWhileRevalidate)
        #expect(caller.previews == [1])
        caller.execution.cancel()
        rig.run()
        rig.answer("1")
        #expect(caller.code == .cancelled)
        #expect(caller.endedOnce)
        #expect(caller.previews.count == 1)
    }
}
