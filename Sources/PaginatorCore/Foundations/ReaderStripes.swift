/// The reading side of a lock with many readers, and their notes: each thread reads under the lock of its own stripe, a
/// writer takes all of them, in order.
///
/// A reader notes which page it used in its stripe; a writer passes the notes on. Readers on different stripes write to
/// different memory, so they do not slow each other down.
final class ReaderStripes: Sendable {
    // More would let more threads read beside each other, and a writer takes each of them. A power of two, so that a thread's
    // number needs no division.
    private let stripes = (0..<4).map { _ in Stripe() }

    var current: Stripe { stripes[Int(truncatingIfNeeded: CurrentThread.current.number) & (stripes.count - 1)] }

    // The caller holds the writer's lock, so that no two writers wait for each other.
    func lockAll() {
        for stripe in stripes { stripe.lock() }
    }

    func unlockAll() {
        for stripe in stripes { stripe.unlock() }
    }

    // In the order in which they were made, stripe by stripe. The caller holds all locks.
    func takeAllNotes(_ body: ([Int32]) -> Void) {
        for stripe in stripes { stripe.takeNotes(body) }
    }

    /// `@unchecked Sendable`: `notes` is guarded by `primitive`.
    final class Stripe: @unchecked Sendable {
        static let noteCapacity = 256

        private let primitive = Lock()
        private var notes: [Int32] = []

        init() {
            // Memory of its own from the start, which also lies between this stripe's lock and the next one's.
            notes.reserveCapacity(Self.noteCapacity)
        }

        func lock() { primitive.lock() }

        func unlock() { primitive.unlock() }

        /// False when the stripe is full. The caller holds the stripe's lock.
        func note(_ index: Int) -> Bool {
            guard notes.count < Self.noteCapacity else { return false }
            notes.append(Int32(truncatingIfNeeded: index))
            return true
        }

        func takeNotes(_ body: ([Int32]) -> Void) {
            if notes.isEmpty { return }
            body(notes)
            // Readers must not allocate while they hold the lock.
            notes.removeAll(keepingCapacity: true)
        }
    }
}
