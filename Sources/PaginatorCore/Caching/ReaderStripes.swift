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
/// Each stripe lies on cache lines of its own, so readers on different stripes do not disturb each other. A reader
/// notes which page it used in its stripe; a writer passes the notes on.
///
/// `@unchecked Sendable`: the stripes' memory is reached only under the stripe's lock, but for the atomic word of a loan that is
/// given back; the rest never changes.
package final class ReaderStripes: @unchecked Sendable {
    /// How many notes a stripe holds.
    package static let noteCapacity = 256

    static let lineBytes = 128
    private static let stripeBytes = lineBytes + noteCapacity * MemoryLayout<Int32>.stride
    private static let threadKey: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()
    private static let threads = Atomic<UInt>(0)

    private let memory: UnsafeMutableRawPointer
    private let key: pthread_key_t?
    private let mask: UInt
    /// The number of stripes, a power of two.
    package let count: Int

    /// Makes stripes for as many threads as the machine runs at once, at most eight.
    package init() {
        let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        var count = 1
        while count < min(processors, 8) { count *= 2 }
        self.count = count
        mask = UInt(count - 1)
        key = Self.threadKey
        memory = .allocate(byteCount: count * Self.stripeBytes, alignment: Self.lineBytes)
        for index in 0..<count { stripe(at: index).initialize() }
    }

    deinit {
        for index in 0..<count { SystemLock.deinitialize(stripe(at: index).lockStorage) }
        memory.deallocate()
    }

    /// The stripe of the calling thread, always the same one.
    @inline(__always)
    package var current: Stripe {
        guard let key else { return stripe(at: 0) }
        let stored = UInt(bitPattern: pthread_getspecific(key))
        return stripe(at: Int((stored == 0 ? Self.enroll(key) : stored) & mask))
    }

    /// Takes the locks of all stripes. The caller holds the writer's lock.
    @inline(__always)
    package func lockAll() {
        for index in 0..<count { stripe(at: index).lock() }
    }

    /// Releases the locks of all stripes.
    @inline(__always)
    package func unlockAll() {
        for index in 0..<count { stripe(at: index).unlock() }
    }

    /// Takes all notes out, stripe by stripe in the order in which they were made. The caller holds all locks.
    @inline(__always)
    package func drainAll(_ body: (UnsafeBufferPointer<Int32>) -> Void) {
        for index in 0..<count { stripe(at: index).drain(body) }
    }

    @inline(__always)
    func stripe(at index: Int) -> Stripe {
        Stripe(memory: memory + index * Self.stripeBytes)
    }

    @inline(never)
    private static func enroll(_ key: pthread_key_t) -> UInt {
        let number = threads.add(1, ordering: .relaxed).newValue
        guard number != 0 else { return enroll(key) }
        pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: number))
        return number
    }

    /// One stripe: a lock, loans, the number of notes, the notes.
    package struct Stripe {
        let memory: UnsafeMutableRawPointer

        @inline(__always)
        fileprivate var lockStorage: UnsafeMutablePointer<SystemLock.Storage> {
            memory.assumingMemoryBound(to: SystemLock.Storage.self)
        }

        @inline(__always)
        private var noteCount: UnsafeMutablePointer<Int> {
            (memory + (ReaderStripes.lineBytes - MemoryLayout<Int>.stride)).assumingMemoryBound(to: Int.self)
        }

        @inline(__always)
        private var notes: UnsafeMutablePointer<Int32> {
            (memory + ReaderStripes.lineBytes).assumingMemoryBound(to: Int32.self)
        }

        /// Binds each part of the stripe's memory to its type, and makes an unlocked stripe without notes and loans.
        fileprivate func initialize() {
            let loans = ReaderStripes.lineBytes / 2
            assert(MemoryLayout<SystemLock.Storage>.size <= loans)
            assert(
                loans + Self.loanCapacity * MemoryLayout<UInt>.stride <= ReaderStripes.lineBytes
                    - MemoryLayout<Int>.stride)
            SystemLock.initialize(memory.bindMemory(to: SystemLock.Storage.self, capacity: 1))
            initializeLoans(in: memory + loans)
            (memory + (ReaderStripes.lineBytes - MemoryLayout<Int>.stride)).initializeMemory(as: Int.self, to: 0)
            (memory + ReaderStripes.lineBytes)
                .initializeMemory(as: Int32.self, repeating: 0, count: ReaderStripes.noteCapacity)
        }

        /// Waits for the stripe's lock.
        @inline(__always)
        package func lock() { SystemLock.lock(lockStorage) }

        /// Releases the stripe's lock.
        @inline(__always)
        package func unlock() { SystemLock.unlock(lockStorage) }

        /// Notes a use; returns false when there is no room. The caller holds the stripe's lock.
        @inline(__always)
        package func note(_ index: Int) -> Bool {
            let count = noteCount.pointee
            guard count < ReaderStripes.noteCapacity else { return false }
            notes[count] = Int32(truncatingIfNeeded: index)
            noteCount.pointee = count + 1
            return true
        }

        /// Takes the notes out in the order in which they were made. The caller holds the stripe's lock.
        ///
        /// - Parameter body: is called once, or not at all when there are none.
        @inline(__always)
        package func drain(_ body: (UnsafeBufferPointer<Int32>) -> Void) {
            guard noteCount.pointee > 0 else { return }
            body(UnsafeBufferPointer(start: notes, count: noteCount.pointee))
            noteCount.pointee = 0
        }
    }
}
