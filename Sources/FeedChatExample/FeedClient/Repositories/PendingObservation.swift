import AppFoundation
import Dispatch
import GRDB
import PaginatorCore

/// The user's actions that the server does not know yet.
package struct PendingState: Sendable, Equatable {
    package var interactions = PendingInteractions()
    package var posts: [PostRequest] = []
    /// Failed comments.
    package var failedComments: [CommentRequest] = []
}

/// Observes the outbox's rows, which screens apply over the server's values.
///
/// `@unchecked Sendable`: `cancellable` is set in `init` and cancelled once, guarded by `state`'s lock.
final class PendingObservation: @unchecked Sendable {
    private struct State {
        var latest = PendingState()
        var observers: [Int: @MainActor @Sendable (PendingState) -> Void] = [:]
        var lastObserver = 0
    }

    private let state = Guarded(State())
    private let cancellable: AnyDatabaseCancellable

    init(_ database: AppDatabase) {
        let state = state
        cancellable = ValueObservation.tracking { db in
            PendingState(
                interactions: try InteractionTable.pendingInteractions(db), posts: try PostRequestTable.all(db),
                failedComments: try CommentTable.givenUp(db))
        }.removeDuplicates().start(
            in: database.pool, scheduling: .async(onQueue: DispatchQueue(label: "pending")),
            onError: { _ in
                // The database is closed; no more changes are shown.
            },
            onChange: { pending in
                let observers = state.withLock { state in
                    state.latest = pending
                    return Array(state.observers.values)
                }
                Task { @MainActor in for observer in observers { observer(pending) } }
            })
    }

    var latest: PendingState { state.withLock { $0.latest } }

    func observe(_ handler: @escaping @MainActor @Sendable (PendingState) -> Void) -> any AnyObject & Sendable {
        let id = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = handler
            return state.lastObserver
        }
        Task { @MainActor [state] in
            let (latest, isThere) = state.withLock { ($0.latest, $0.observers[id] != nil) }
            if isThere { handler(latest) }
        }
        return Observation { [state] in _ = state.withLock { $0.observers.removeValue(forKey: id) } }
    }

    func stop() {
        cancellable.cancel()
    }
}
