import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct FollowingCancelTests {
    @Test func `of several cancels one ends what follows, and says so`() {
        let rig = FetchRig()
        let closed = Guarded(0)
        let ends = Guarded<[PaginatorError.Code?]>([])
        let source = PushSource<Int> { _, tell in
            tell(.opened())
            return SourceCancellation { closed.withLock { $0 += 1 } }
        }
        let onEnd: @Sendable (PaginatorError?) -> Void = { error in ends.withLock { $0.append(error?.code) } }
        let following = rig.paginator.follow(source, onEnd: onEnd) { _ in }
        rig.run()
        let (first, second) = (following.cancel(), following.cancel())
        #expect(first && !second)
        rig.run()
        let third = following.cancel()
        #expect(!third)
        #expect(closed.withLock { $0 } == 1)
        #expect(ends.withLock { $0 } == [.cancelled])
    }
}
