/// The readers' side of a striped lock: each thread reads under the lock of its own stripe, and a writer takes all of
/// them, in order.
///
/// A reader records the page that it used in its stripe; a writer drains these notes. Readers on different stripes
/// write to different memory, so they do not contend.
final class ReaderStripes: Sendable {
    // More stripes allow more concurrent readers, but a writer locks each of them. A power of two, so that a thread's
    // number maps to a stripe without a division.
    private let stripes = (0..<4).map { _ in Stripe() }

    var current: Stripe { stripes[Int(truncatingIfNeeded: CurrentThread.current.number) & (stripes.count - 1)] }

    // The caller holds the writer's lock, so two writers cannot deadlock.
    func lockAll() {
        for stripe in stripes { stripe.lock() }
    }

    func unlockAll() {
        for stripe in stripes { stripe.unlock() }
    }

    // In the order of the notes, stripe by stripe. The caller holds all locks.
    func takeAllNotes(_ body: ([Int32]) -> Void) {
        for stripe in stripes { stripe.takeNotes(body) }
    }

    /// `@unchecked Sendable`: `notes` is guarded by `primitive`.
    final class Stripe: @unchecked Sendable {
        static let noteCapacity = 256

        private let primitive = Lock()
        private var notes: [Int32] = []

        init() {
            // Allocated at once, so readers need not allocate; also, it separates the locks of two stripes in memory.
            notes.reserveCapacity(Self.noteCapacity)
        }

        func lock() { primitive.lock() }

        func unlock() { primitive.unlock() }

        /// Returns false if the stripe is full. The caller holds the stripe's lock.
        func note(_ index: Int) -> Bool {
            Self.add(Int32(truncatingIfNeeded: index), to: &notes)
        }

        // One access, because each is checked at run time.
        private static func add(_ note: Int32, to notes: inout [Int32]) -> Bool {
            guard notes.count < noteCapacity else { return false }
            notes.append(note)
            return true
        }

        func takeNotes(_ body: ([Int32]) -> Void) {
            if notes.isEmpty { return }
            body(notes)
            // Keeps the memory, because readers must not allocate while they hold the lock.
            notes.removeAll(keepingCapacity: true)
        }
    }
}
