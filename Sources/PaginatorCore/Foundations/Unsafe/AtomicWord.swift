import CPaginatorAtomics

/// A number that every thread may read and change without a lock.
///
/// In place of the standard library's `Atomic`, which is newer than the oldest systems that the library supports.
///
/// `@unchecked Sendable`: what `word` points to is used by atomic operations alone.
@safe package struct AtomicWord: ~Copyable, @unchecked Sendable {
    // On the heap of its own, because a stored property has no address that stays. It lives as long as this value, which
    // cannot be copied, and every call borrows it.
    private let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)

    package init(_ value: UInt64 = 0) {
        unsafe word.initialize(to: value)
    }

    deinit {
        unsafe word.deallocate()
    }

    /// Whoever reads what another thread has set sees all that it wrote before.
    package var value: UInt64 {
        get { unsafe paginator_atomic_load(word) }
        nonmutating set { unsafe paginator_atomic_store(word, newValue) }
    }

    /// Returns the value before.
    func exchange(_ value: UInt64) -> UInt64 { unsafe paginator_atomic_exchange(word, value) }

    /// Returns the sum.
    @discardableResult
    package func add(_ number: UInt64) -> UInt64 { unsafe paginator_atomic_add(word, number) }
}
