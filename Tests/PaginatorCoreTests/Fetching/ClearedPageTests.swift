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
