import PaginatorTesting
import Testing

@testable import PaginatorCore

/// A log-out clears; what was read before it is not shown by what is asked after it.
@Suite struct ClearedPageTests {
    /// A paginator whose validator runs `meanwhile` once, right after a fetch has read its page from memory.
    private func rig(_ meanwhile: @escaping @Sendable () -> Void) -> FetchRig {
        let isFirst = OnceFlag()
        return FetchRig(
            validator: .closure { _, context in
                if context.origin == .memory, isFirst.take() { meanwhile() }
                return .accept
            })
    }

    @Test(arguments: [FetchPolicy.staleWhileRevalidate, .cacheFirst])
    func `a stale page that was read before a clear is neither preview nor fallback after it`(policy: FetchPolicy) {
        let clear = Guarded<(@Sendable () -> Void)?>(nil)
        let rig = rig { clear.withLock { $0 }?() }
        rig.fetch("1")
        rig.paginator.invalidate(.all)
        let paginator = rig.paginator
        clear.withLock { $0 = { paginator.clearAll() } }
        rig.failSource(.fatal(FetchRig.Outage()))
        let caller = rig.fetch("1", policy: policy)
        #expect(caller.previews == [])
        #expect(caller.version == nil)
        #expect(caller.code == .sourceFailed)
        clear.withLock { $0 = nil }
    }

    @Test func `a fresh page that was read before a clear does not answer a fetch after it`() {
        let clear = Guarded<(@Sendable () -> Void)?>(nil)
        let rig = rig { clear.withLock { $0 }?() }
        rig.fetch("1")
        let paginator = rig.paginator
        clear.withLock { $0 = { paginator.clear(scope: "") } }
        let caller = rig.fetch("1")
        #expect(caller.version == 2)
        clear.withLock { $0 = nil }
    }

    @Test func `a fetch around a page brings neighbors after a clear, and none of them into the caches`() {
        let rig = FetchRig(hasStore: true)
        rig.hangSource()
        let around = rig.fetchAround("1", depth: 1)
        rig.paginator.clearAll()
        for key in ["1", "2", "0"] { #expect(rig.answer(key)) }
        #expect(around.distances == [0, 1, -1] && around.endedOnce)
        #expect(["0", "1", "2"].compactMap { rig.cached($0) } == [])
        #expect(rig.store?.pages.isEmpty == true)
    }

    @Test func `who asks after a clear for a neighbor that loads has it cached, from the same call`() {
        let rig = FetchRig()
        rig.hangSource()
        let around = rig.fetchAround("1", depth: 1, direction: .forward)
        rig.paginator.clearAll()
        #expect(rig.answer("1"))
        let caller = rig.fetch("2")
        #expect(rig.answer("2"))
        #expect(around.distances == [0, 1] && caller.version == 2)
        #expect(rig.cached("1") == nil && rig.cached("2") == 2)
        #expect(rig.source.keys == ["1", "2"])
    }

    @Test func `neighbors of a fetch around a page that were not cleared are cached`() {
        let rig = FetchRig()
        rig.hangSource()
        let around = rig.fetchAround("1", depth: 1)
        rig.paginator.clear(key: "0")
        for key in ["1", "2", "0"] { #expect(rig.answer(key)) }
        #expect(around.distances == [0, 1, -1])
        #expect(["0", "1", "2"].map { rig.cached($0) } == [nil, 1, 2])
    }

    @Test func `a fetch that waits for the end of a burst brings its page after a clear, and not into the caches`() {
        let rig = FetchRig(hasStore: true)
        let caller = rig.fetch("1", debounce: DebounceKey("search"))
        rig.paginator.clearAll()
        rig.advance(.milliseconds(300))
        #expect(caller.version == 1 && caller.endedOnce)
        #expect(rig.cached("1") == nil && rig.store?.pages.isEmpty == true)
        #expect(rig.fetch("1").version == 2)
        #expect(rig.cached("1") == 2)
    }

    @Test func `who clears without a store is told when it is done, and not inside the call`() {
        let rig = FetchRig()
        rig.fetch("1")
        let isDone = Guarded<[Bool]>([])
        rig.paginator.clear(.all) { result in
            let isSuccess = if case .success = result { true } else { false }
            isDone.withLock { $0.append(isSuccess) }
        }
        #expect(isDone.withLock { $0 } == [])
        #expect(rig.cached("1") == nil)
        rig.run()
        #expect(isDone.withLock { $0 } == [true])
    }

    @Test func `nor does it after an invalidation by tags`() {
        let clear = Guarded<(@Sendable () -> Void)?>(nil)
        let rig = rig { clear.withLock { $0 }?() }
        rig.fetch("1")
        let paginator = rig.paginator
        paginator.invalidate(tags: ["other"])
        clear.withLock { $0 = { paginator.clearAll() } }
        #expect(rig.fetch("1").version == 2)
        clear.withLock { $0 = nil }
    }
}
