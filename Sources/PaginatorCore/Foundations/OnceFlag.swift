import Synchronization

/// A right that can be taken once, by whichever thread is first.
package final class OnceFlag: Sendable {
    private let taken = Atomic(false)

    /// Makes a flag that nobody has taken.
    package init() {}

    /// Takes the right, and says whether this call was the first. Complexity: O(1), without a lock.
    package func take() -> Bool {
        !taken.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// Whether someone has taken the right.
    package var isTaken: Bool { taken.load(ordering: .acquiring) }
}
