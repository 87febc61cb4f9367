import Dispatch
import PaginatorCore

/// The callbacks of one or more recording listeners, in order.
///
/// It also detects callbacks that overlap, or run on another queue than expected.
final class CallbackJournal: Sendable {
    private struct Entry: Sendable {
        var text: String
        /// `nil` if no queue is expected.
        var isOnExpectedQueue: Bool?
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        var running = 0
        var overlaps = 0
    }

    private let handshake = Handshake(State())
    private let expectedQueue: DispatchSpecificKey<Bool>?

    /// Creates a journal.
    ///
    /// - Parameter queue: the expected queue of the callbacks; `nil`, the default, for any.
    init(expecting queue: DispatchQueue? = nil) {
        guard let queue else {
            expectedQueue = nil
            return
        }
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        expectedQueue = key
    }

    /// Every callback so far, in order: the listener's name, if it has one, and "preview", "page", "deliver", "fail",
    /// "end" or "error" with the key, distance or code.
    var texts: [String] { handshake.read { $0.entries.map(\.text) } }

    /// The number of callbacks that began while another one was running.
    var overlaps: Int { handshake.read(\.overlaps) }

    /// The number of callbacks on another queue than the expected one.
    var onWrongQueue: Int { handshake.read { $0.entries.count { $0.isOnExpectedQueue == false } } }

    /// Records the beginning of a callback.
    func begin(_ listener: String, _ text: String) {
        let onQueue = expectedQueue.map { DispatchQueue.getSpecific(key: $0) == true }
        handshake.update { state in
            state.entries.append(
                Entry(text: listener.isEmpty ? text : "\(listener): \(text)", isOnExpectedQueue: onQueue))
            if state.running > 0 { state.overlaps += 1 }
            state.running += 1
        }
    }

    /// Records the end of the last callback.
    func end() {
        handshake.update { $0.running -= 1 }
    }
}
