import PaginatorCore

/// The stores of this process on one file, and whether others have written to the file.
///
/// The file's sequence grows with each written page, in whichever process. If it is unchanged since this process last
/// wrote, no other process has written.
final class FileWriters: Sendable {
    private struct State {
        var stores: [UInt64: (name: String, isTold: Bool)] = [:]
        /// The file's sequence after the last commit of this process.
        var sequence: Int64 = -1
        var generation: UInt64 = 0
    }

    private let state = Guarded(State())

    func add(_ store: UInt64, of name: String) {
        state.withLock { state in
            if state.stores[store] == nil { state.stores[store] = (name, true) }
        }
    }

    func remove(_ store: UInt64) {
        state.withLock { $0.stores[store] = nil }
    }

    /// Called after a commit, before its sequence is used in an answer.
    func wrote(_ store: UInt64, _ name: String, from start: Int64, to sequence: Int64, generation: UInt64) {
        state.withLock { state in
            // Another process has written in between; the pages are not known.
            let isForeign = state.generation != generation || state.sequence != start
            for (other, known) in state.stores where isForeign || other != store && known.name.hasSameBytes(as: name) {
                state.stores[other]?.isTold = true
            }
            // Two commits may be reported in either order.
            state.sequence = state.generation == generation ? max(state.sequence, sequence) : sequence
            state.generation = generation
        }
    }

    /// Called when the file was read before this process has written to it.
    func found(_ sequence: Int64, generation: UInt64) {
        state.withLock { state in
            guard state.sequence < 0 || state.generation != generation else { return }
            (state.sequence, state.generation) = (sequence, generation)
            for store in state.stores.keys { state.stores[store]?.isTold = true }
        }
    }

    func tell(_ store: UInt64) {
        state.withLock { $0.stores[store]?.isTold = true }
    }

    /// Returns whether others may have written since the last call, and the sequence after the last commit of this
    /// process. Call it before reading the file: later commits are reported by the next call.
    func ask(_ store: UInt64) -> (isTold: Bool, sequence: Int64, generation: UInt64) {
        state.withLock { state in
            let isTold = state.stores[store]?.isTold ?? true
            state.stores[store]?.isTold = false
            return (isTold, state.sequence, state.generation)
        }
    }
}
