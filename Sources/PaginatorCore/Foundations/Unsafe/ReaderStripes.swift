import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The reading side of a lock with many readers, and their notes: each thread reads under the lock of its own stripe, a
/// writer takes all of them, in order.
///
/// A reader notes which page it used in its stripe; a writer passes the notes on. Each stripe lies on cache lines of its
/// own, so readers on different stripes do not slow each other down; that needs memory laid out by hand.
///
/// `@unchecked Sendable`: the stripes' memory is reached only under the stripe's lock; the rest never changes.
@safe final class ReaderStripes: @unchecked Sendable {
    /// How many notes a stripe holds.
    static let noteCapacity = 256

    /// Two lines of most processors' caches: some fetch them in pairs.
    private static let lineBytes = 128
    private static let stripeBytes = lineBytes + noteCapacity * MemoryLayout<Int32>.stride

    private let memory: UnsafeMutableRawPointer
    private let mask: Int

    /// Makes stripes for as many threads as the machine runs at once, at most eight.
    init() {
        let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        // A power of two, so that a thread's number needs no division.
        var count = 1
        while count < min(processors, 8) { count *= 2 }
        mask = count - 1
        unsafe memory = .allocate(byteCount: count * Self.stripeBytes, alignment: Self.lineBytes)
        for index in 0..<count { stripe(at: index).initialize() }
    }

    deinit {
        // Nobody holds a lock: whoever could has a reference to this object.
        for index in 0...mask { stripe(at: index).deinitialize() }
        unsafe memory.deallocate()
    }

    /// The stripe of the calling thread, always the same one.
    var current: Stripe { stripe(at: ThreadNumber.current & mask) }

    /// Takes the locks of all stripes. The caller holds the writer's lock, so that no two writers wait for each other.
    func lockAll() {
        for index in 0...mask { stripe(at: index).lock() }
    }

    /// Releases the locks of all stripes.
    func unlockAll() {
        for index in 0...mask { stripe(at: index).unlock() }
    }

    /// Takes all notes out, stripe by stripe in the order in which they were made. The caller holds all locks.
    func drainAll(_ body: (Int) -> Void) {
        for index in 0...mask { stripe(at: index).drain(body) }
    }

    // Within `memory`, because `index` is at most `mask`.
    private func stripe(at index: Int) -> Stripe {
        unsafe Stripe(memory: memory + index * Self.stripeBytes)
    }

    /// One stripe: a lock, the number of notes, the notes. Used by those only who keep the stripes.
    @safe struct Stripe {
        private let memory: UnsafeMutableRawPointer

        fileprivate init(memory: UnsafeMutableRawPointer) {
            unsafe self.memory = memory
        }

        // Each part is bound to its type by `initialize`, and to no other before `deinitialize`.
        private var lockStorage: UnsafeMutablePointer<SystemLock.Storage> {
            unsafe memory.assumingMemoryBound(to: SystemLock.Storage.self)
        }

        private var noteCount: UnsafeMutablePointer<Int> {
            unsafe (memory + (ReaderStripes.lineBytes - MemoryLayout<Int>.stride)).assumingMemoryBound(to: Int.self)
        }

        private var notes: UnsafeMutablePointer<Int32> {
            unsafe (memory + ReaderStripes.lineBytes).assumingMemoryBound(to: Int32.self)
        }

        fileprivate func initialize() {
            // The lock must not reach into the number of notes, which ends the first line.
            precondition(MemoryLayout<SystemLock.Storage>.size <= ReaderStripes.lineBytes - MemoryLayout<Int>.stride)
            precondition(MemoryLayout<SystemLock.Storage>.alignment <= ReaderStripes.lineBytes)
            unsafe SystemLock.initialize(memory.bindMemory(to: SystemLock.Storage.self, capacity: 1))
            unsafe (memory + (ReaderStripes.lineBytes - MemoryLayout<Int>.stride)).initializeMemory(as: Int.self, to: 0)
            unsafe (memory + ReaderStripes.lineBytes)
                .initializeMemory(as: Int32.self, repeating: 0, count: ReaderStripes.noteCapacity)
        }

        fileprivate func deinitialize() {
            // The rest are numbers, which need no end.
            unsafe SystemLock.deinitialize(lockStorage)
        }

        /// Waits for the stripe's lock.
        func lock() { unsafe SystemLock.lock(lockStorage) }

        /// Releases the stripe's lock.
        func unlock() { unsafe SystemLock.unlock(lockStorage) }

        /// Notes a use; returns false when the stripe is full. The caller holds the stripe's lock.
        func note(_ index: Int) -> Bool {
            let count = unsafe noteCount.pointee
            guard count < ReaderStripes.noteCapacity else { return false }
            unsafe notes[count] = Int32(truncatingIfNeeded: index)
            unsafe noteCount.pointee = count + 1
            return true
        }

        /// Takes the notes out in the order in which they were made. The caller holds the stripe's lock.
        func drain(_ body: (Int) -> Void) {
            for place in 0..<(unsafe noteCount.pointee) { body(Int(unsafe notes[place])) }
            unsafe noteCount.pointee = 0
        }
    }
}

/// Numbers threads in the order in which they first ask, so that the first ones get different stripes.
private final class ThreadNumber: Sendable {
    private static let ofThread = ThreadValue<ThreadNumber>()
    private static let count = Atomic(0)

    private let number = ThreadNumber.count.add(1, ordering: .relaxed).newValue

    /// The calling thread's number, always the same one.
    static var current: Int { (ofThread.current ?? make()).number }

    private static func make() -> ThreadNumber {
        let number = ThreadNumber()
        ofThread.set(number)
        return number
    }
}
