import Synchronization

/// A right that can be taken once, by whichever thread is first.
package final class OnceFlag: Sendable {
    private let taken = Atomic(false)

    package init() {}

    /// Says whether this call was the first.
    package func take() -> Bool {
        !taken.exchange(true, ordering: .acquiringAndReleasing)
    }

    package var isTaken: Bool { taken.load(ordering: .acquiring) }
}
