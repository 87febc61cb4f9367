import Dispatch
import PaginatorCore
import PaginatorTesting
import Testing

@Suite struct ScriptedConnectivityTests {
    @Test func `tells every observer each change until the observation is released`() {
        let connectivity = ScriptedConnectivity()
        let seen = Handshake<[String]>([])
        let first = connectivity.observe { conditions in seen.update { $0.append("first \(conditions.rawValue)") } }
        var second: (any AnyObject & Sendable)? = connectivity.observe { conditions in
            seen.update { $0.append("second \(conditions.rawValue)") }
        }
        #expect(connectivity.observerCount == 2)
        connectivity.set(.offline)
        connectivity.set(.offline)
        #expect(connectivity.conditions == .offline)
        _ = second
        second = nil
        connectivity.set([])
        #expect(seen.read { $0 } == ["first 1", "second 1", "first 0"])
        #expect(connectivity.observerCount == 1)
        withExtendedLifetime(first) {}
    }
}

@Suite struct RecordingObserverTests {
    @Test func `records events and wakes who waits`() async throws {
        let observer = RecordingObserver()
        DispatchQueue.global().async {
            observer.paginatorDidReport(PaginatorEvent(.joined, at: .zero))
            observer.paginatorDidReport(PaginatorEvent(.memoryHit, at: .zero))
        }
        #expect(try await observer.waitForEvents(of: .memoryHit).count == 1)
        #expect(observer.kinds == [.joined, .memoryHit])
        #expect(observer.count(of: .joined) == 1)
    }

    @Test func `waits by blocking`() {
        let observer = RecordingObserver()
        DispatchQueue.global().async { observer.paginatorDidReport(PaginatorEvent(.joined, at: .zero)) }
        #expect(observer.blockUntilEvents(1, of: .joined).count == 1)
    }
}
