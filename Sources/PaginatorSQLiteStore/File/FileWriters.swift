import PaginatorCore

/// The stores of this process on one file, and what others than each of them have written.
///
/// The file's sequence grows with each page that is written, by whichever process. As long as it is where this process has
/// left it, nobody else has written.
final class FileWriters: Sendable {
    private struct State {
        var stores: [UInt64: (name: String, isTold: Bool)] = [:]
        /// Where this process has left the file.
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

    /// After a commit, before anybody is asked to believe its sequence.
    func wrote(_ store: UInt64, _ name: String, from start: Int64, to sequence: Int64, generation: UInt64) {
        state.withLock { state in
            // Somebody has written in between: to which pages is not known.
            let isForeign = state.generation != generation || state.sequence != start
            for (other, known) in state.stores where isForeign || other != store && known.name.hasSameBytes(as: name) {
                state.stores[other]?.isTold = true
            }
            // Two may tell of their commits in either order.
            state.sequence = state.generation == generation ? max(state.sequence, sequence) : sequence
            state.generation = generation
        }
    }

    /// The file was looked at before anybody of this process has written to it.
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

    /// Whether others may have written since the last time, and where this process has left the file. Asked before the file is
    /// looked at: what is committed later is told the next time.
    func ask(_ store: UInt64) -> (isTold: Bool, sequence: Int64, generation: UInt64) {
        state.withLock { state in
            let isTold = state.stores[store]?.isTold ?? true
            state.stores[store]?.isTold = false
            return (isTold, state.sequence, state.generation)
        }
    }
}
