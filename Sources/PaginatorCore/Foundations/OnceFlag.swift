/// A right that can be taken once, by whichever thread is first.
package final class OnceFlag: Sendable {
    private let taken = AtomicWord()

    package init() {}

    /// Says whether this call was the first.
    package func take() -> Bool { taken.exchange(1) == 0 }

    package var isTaken: Bool { taken.value != 0 }
}
