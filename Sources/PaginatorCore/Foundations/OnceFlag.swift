/// A flag that one thread, the first, can take.
package final class OnceFlag: Sendable {
    private let taken = AtomicWord()

    package init() {}

    /// Takes the flag, and returns whether this call was the first.
    package func take() -> Bool { taken.exchange(1) == 0 }

    package var isTaken: Bool { taken.value != 0 }
}
