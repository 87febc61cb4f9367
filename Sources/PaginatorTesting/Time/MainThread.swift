import Dispatch
// For the run loop, which FoundationEssentials does not have.
import Foundation

/// Waiting on the main thread, where the code under test may answer.
enum MainThread {
    /// Blocks the calling thread until the signal. The main thread does what is queued for it meanwhile.
    static func wait(for signal: DispatchSemaphore) {
        guard Thread.isMainThread else { return signal.wait() }
        // Polled, because the signal does not wake the run loop. A caller inside a block of the main queue still waits in
        // vain for another one: the queue runs one at a time.
        while signal.wait(timeout: .now() + .milliseconds(1)) == .timedOut {
            _ = RunLoop.current.run(mode: .default, before: Date())
        }
    }

    /// Runs `body`, and returns when it is done. Called on the main thread, it runs on one of its own, and the main
    /// thread does what is queued for it meanwhile.
    static func serving(_ body: @escaping @Sendable () -> Void) {
        guard Thread.isMainThread else { return body() }
        let done = DispatchSemaphore(value: 0)
        DispatchQueue(label: "paginator.testing.beside-main").async {
            body()
            done.signal()
        }
        wait(for: done)
    }
}
