import Dispatch
import PaginatorCore

/// The callbacks of one or more recording listeners, in the order in which they ran.
///
/// It also notices what must not happen: two callbacks at the same time, and callbacks on another queue than expected.
final class CallbackJournal: Sendable {
    private struct Entry: Sendable {
        var text: String
        /// `nil` when no queue is expected.
        var isOnExpectedQueue: Bool?
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        var running = 0
        var overlaps = 0
    }

    private let handshake = Handshake(State())
    private let expectedQueue: DispatchSpecificKey<Bool>?

    /// Makes a journal.
    ///
    /// - Parameter queue: the queue on which the callbacks are expected; `nil`, the default, for any.
    init(expecting queue: DispatchQueue? = nil) {
        guard let queue else {
            expectedQueue = nil
            return
        }
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        expectedQueue = key
    }

    /// Every callback so far, in order: the listener's name, if it has one, and "preview", "page", "deliver", "fail", "end"
    /// or "error" with the key, distance or code.
    var texts: [String] { handshake.read { $0.entries.map(\.text) } }

    /// How many callbacks began while another one of the journal ran.
    var overlaps: Int { handshake.read(\.overlaps) }

    /// How many callbacks ran on another queue than the expected one.
    var onWrongQueue: Int { handshake.read { $0.entries.count { $0.isOnExpectedQueue == false } } }

    /// Records a callback that begins.
    func begin(_ listener: String, _ text: String) {
        let onQueue = expectedQueue.map { DispatchQueue.getSpecific(key: $0) == true }
        handshake.update { state in
            state.entries.append(
                Entry(text: listener.isEmpty ? text : "\(listener): \(text)", isOnExpectedQueue: onQueue))
            if state.running > 0 { state.overlaps += 1 }
            state.running += 1
        }
    }

    /// The callback that began last is over.
    func end() {
        handshake.update { $0.running -= 1 }
    }
}
