import PaginatorCore
import PaginatorTesting
import Testing

@Suite struct PaginatorDoubleTests {
    private let clock = ManualPaginatorClock()
    private let executor = SimulatedExecutor()

    private func page(_ key: String, _ previous: String? = nil, _ next: String? = nil) -> PaginatorPage<Int> {
        PaginatorPage(content: [Int(key) ?? 0], key: key, prevKey: previous, nextKey: next)
    }

    @Test func `a scripted paginator takes the steps of the key, then those in order, then its rule, else fails`() {
        let paginator = ScriptedPaginator<Int>(executor: executor)
        paginator.script([.page(page("7"), from: .memory)])
        paginator.script([.fail(PaginatorError(.offline, "No network."))], forKey: "a")
        let listeners = ["a", "a", "a"].map { key in
            let listener = RecordingListener<Int>()
            executor.immediately { _ = paginator.fetch(key: key, pageSize: 1, listener: listener) }
            return listener
        }
        #expect(listeners[0].error?.code == .offline)
        #expect(listeners[1].fetched?.origin == .memory)
        #expect(listeners[2].error?.code == .sourceFailed)
        paginator.clear(key: "a")
        #expect(paginator.calls.count == 4)
        #expect(paginator.calls.last == .clear(key: "a"))
    }

    @Test func `previews come at once, a late answer by the clock, none after a cancel`() {
        let paginator = ScriptedPaginator<Int>(clock: clock, executor: executor)
        paginator.script([.page(page("1")).previewing(page("0")).after(.seconds(2)), .hang, .page(page("2"))])
        let (slow, hung, cancelled) = (
            RecordingListener<Int>(), RecordingListener<Int>(), RecordingListener<Int>()
        )
        executor.immediately { _ = paginator.fetch(key: "k", pageSize: 1, listener: slow) }
        #expect(slow.previews.map(\.page.key) == ["0"])
        clock.advance(by: .seconds(2))
        executor.runAll()
        #expect(slow.page?.key == "1")
        let execution = paginator.fetch(key: "k", pageSize: 1, listener: hung)
        executor.runAll()
        #expect(hung.ends.isEmpty)
        #expect(execution.cancel())
        #expect(!execution.cancel())
        let late = paginator.fetch(key: "k", pageSize: 1, listener: cancelled)
        #expect(late.cancel())
        executor.runAll()
        #expect([hung, cancelled].allSatisfy { $0.error?.code == .cancelled && $0.ends.count == 1 })
        #expect(paginator.cancelledFetches == 2)
    }

    @Test func `a fetch around walks by the keys of the pages, forward before backward`() {
        let paginator = ScriptedPaginator<Int>(executor: executor) { request in
            let number = Int(request.key) ?? 0
            if number == 8 { return .fail(PaginatorError(.sourceFailed, "no")) }
            return .page(page(request.key, String(number - 1), String(number + 1)))
        }
        let all = RecordingAroundListener<Int>()
        executor.immediately { _ = paginator.fetchAround(key: "5", pageSize: 1, depthLevel: 4, listener: all) }
        #expect(all.distances == [0, 1, -1, 2, -2, -3, -4])
        #expect(all.failures.map(\.distance) == [3])
        let forward = RecordingAroundListener<Int>()
        executor.immediately {
            _ = paginator.fetchAround(
                key: "5", pageSize: 1, depthLevel: 2, direction: .forward, listener: forward)
        }
        #expect(forward.distances == [0, 1, 2])
        let failed = RecordingAroundListener<Int>()
        executor.immediately { _ = paginator.fetchAround(key: "8", pageSize: 1, depthLevel: 2, listener: failed) }
        guard case .failure? = failed.ends.first else { Issue.record("it should have failed"); return }
        #expect(failed.ends.count == 1)
    }

    @Test func `a paginator that nothing is scripted for reports each fetch, and lets none hang`() {
        let failures = FailureList()
        let paginator = ScriptedPaginator<Int>(unexpected: failures.report)
        let (listener, around) = (RecordingListener<Int>(), RecordingAroundListener<Int>())
        paginator.fetch(key: "k", pageSize: 1, listener: listener)
        listener.blockUntilEnd()
        #expect(listener.error?.code == .sourceFailed)
        paginator.fetchAround(key: "k", pageSize: 1, depthLevel: 1, listener: around)
        around.blockUntilEnd()
        #expect(failures.all.count == 2)
        paginator.script([.page(page("1"))])
        let scripted = RecordingListener<Int>()
        paginator.fetch(key: "k", pageSize: 1, listener: scripted)
        scripted.blockUntilEnd()
        #expect(scripted.page?.key == "1")
        #expect(failures.all.count == 2)
    }
}
