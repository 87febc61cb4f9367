import PaginatorTesting
import Testing

@testable import PaginatorCore

/// A part that is enough ends a load, and one that is not enough ends nothing but a look into the cache.
@Suite struct PartEndsTests {
    @Test func `a load that a part was enough for has ended, for those who watch`() {
        let observer = RecordingObserver()
        let rig = PartRig { $0.observer = observer }
        let caller = rig.fetch(.items(10))
        #expect(caller.count == 10 && caller.isPartial == true)
        #expect(observer.count(of: .loadStarted) == 1)
        #expect(observer.events(of: .loadEnded).map { $0.error?.code } == [nil])
        // The rest is a load of its own.
        #expect(rig.fetch(nil).count == 30)
        #expect(observer.count(of: .loadStarted) == 2)
        #expect(observer.events(of: .loadEnded).map { $0.error?.code } == [nil, nil])
        #expect(observer.events(of: .loadEnded).map(\.attempt) == [1, 1])
    }

    @Test func `who asks the cache alone for more than it has is not kept waiting while others load the rest`() {
        let rig = PartRig()
        rig.fetch(.items(10))
        rig.script.withLock { $0.hangs = true }
        let loading = rig.fetch(nil)
        #expect(loading.ends == 0)
        let cached = rig.fetch(nil, policy: .cacheOnly)
        #expect(cached.code == .notInCache && cached.endedOnce)
        rig.answer()
        #expect(loading.count == 30 && loading.endedOnce && rig.violations == [])
    }
}
