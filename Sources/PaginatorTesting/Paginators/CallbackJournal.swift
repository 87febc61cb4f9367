public import Dispatch
import PaginatorCore

/// The callbacks of one or more recording listeners, in the order in which they ran.
///
/// It also notices what must not happen: two callbacks at the same time, and callbacks on another queue than expected.
public final class CallbackJournal: Sendable {
    /// One callback.
    public struct Entry: Sendable, Hashable, CustomStringConvertible {
        /// The name of the listener.
        public let listener: String
        /// What came: "preview", "page", "deliver", "fail", "end" or "error", with the key, distance or code.
        public let text: String
        /// Whether it ran on the expected queue; `nil` when none is expected.
        public let isOnExpectedQueue: Bool?

        /// The listener and what came.
        public var description: String { listener.isEmpty ? text : "\(listener): \(text)" }
    }

    struct State: Sendable {
        var entries: [Entry] = []
        var running = 0
        var overlaps = 0
    }

    let handshake = Handshake(State())
    private let expectedQueue: DispatchSpecificKey<Bool>?

    /// Makes a journal.
    ///
    /// - Parameter queue: the queue on which the callbacks are expected; `nil`, the default, for any.
    public init(expecting queue: DispatchQueue? = nil) {
        guard let queue else {
            expectedQueue = nil
            return
        }
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        expectedQueue = key
    }

    /// Every callback so far, in order.
    public var entries: [Entry] { handshake.read(\.entries) }

    /// The entries as texts, in order.
    public var texts: [String] { entries.map(\.description) }

    /// How many callbacks began while another one of the journal ran.
    public var overlaps: Int { handshake.read(\.overlaps) }

    /// How many callbacks ran on another queue than the expected one.
    public var onWrongQueue: Int { entries.count { $0.isOnExpectedQueue == false } }

    /// Waits until callbacks have begun.
    ///
    /// - Parameter count: how many in all.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForEntries(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.entries.count >= count }
    }

    /// Blocks the thread until callbacks have begun: ``waitForEntries(_:)`` for synchronous tests.
    ///
    /// - Parameter count: how many in all.
    @available(*, noasync, message: "use waitForEntries(_:)")
    public func blockUntilEntries(_ count: Int) {
        handshake.block { $0.entries.count >= count }
    }

    /// Records a callback and runs what it does.
    func record(_ listener: String, _ text: String, _ body: () -> Void) {
        let onQueue = expectedQueue.map { DispatchQueue.getSpecific(key: $0) == true }
        handshake.update { state in
            state.entries.append(Entry(listener: listener, text: text, isOnExpectedQueue: onQueue))
            if state.running > 0 { state.overlaps += 1 }
            state.running += 1
        }
        body()
        handshake.update { $0.running -= 1 }
    }
}
