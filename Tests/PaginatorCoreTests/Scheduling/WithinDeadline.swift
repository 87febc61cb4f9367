import Dispatch

@testable import PaginatorCore

#if canImport(FoundationEssentials)
    import class Foundation.Thread
#else
    import Foundation
#endif

/// Runs `body` on a thread of its own and says whether it ended; a body that hangs keeps its thread.
///
/// The time is far more than the body needs: it only keeps a test of something that hangs from hanging itself.
func ends(within seconds: Int = 20, _ body: @escaping @Sendable () -> Void) -> Bool {
    let ended = DispatchSemaphore(value: 0)
    let thread = Thread {
        body()
        ended.signal()
    }
    thread.start()
    return ended.wait(timeout: .now() + .seconds(seconds)) == .success
}

/// Something that blocks whoever passes it until it is opened, and counts who stands before it.
final class Barrier: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let arrival = DispatchSemaphore(value: 0)
    private let counts = Guarded((inside: 0, most: 0, all: 0))

    var mostInside: Int { counts.withLock { $0.most } }
    var arrivals: Int { counts.withLock { $0.all } }

    /// Blocks the calling thread until the barrier is opened.
    func pass() {
        counts.withLock { counts in
            counts.inside += 1
            counts.all += 1
            counts.most = max(counts.most, counts.inside)
        }
        arrival.signal()
        gate.wait()
        gate.signal()
        counts.withLock { $0.inside -= 1 }
    }

    /// Waits until somebody has arrived, once for each call; says whether somebody has.
    func waitForArrival() -> Bool { arrival.wait(timeout: .now() + .seconds(20)) == .success }

    func open() { gate.signal() }
}
