import CPaginatorAtomics

/// A number that every thread may read and change without a lock; the standard library's `Atomic` needs newer systems.
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

    /// All threads see all changes of all words in one order, and with each all that was written before it.
    package var value: UInt64 {
        get { unsafe paginator_atomic_load(word) }
        nonmutating set { unsafe paginator_atomic_store(word, newValue) }
    }

    /// Sets the number where only this thread looks for it.
    func setUnordered(_ value: UInt64) { unsafe paginator_atomic_store_unordered(word, value) }

    /// Returns the value before.
    func exchange(_ value: UInt64) -> UInt64 { unsafe paginator_atomic_exchange(word, value) }

    /// Returns the sum.
    @discardableResult
    package func add(_ number: UInt64) -> UInt64 { unsafe paginator_atomic_add(word, number) }
}
