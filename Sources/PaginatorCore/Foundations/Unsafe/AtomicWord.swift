import CPaginatorAtomics

/// An atomic 64-bit number; the standard library's `Atomic` needs newer systems.
///
/// `@unchecked Sendable`: the memory at `word` is accessed only by atomic operations.
@safe package struct AtomicWord: ~Copyable, @unchecked Sendable {
    // Allocated separately, because a stored property has no stable address. It lives as long as this noncopyable
    // value, which every call borrows.
    private let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)

    package init(_ value: UInt64 = 0) {
        unsafe word.initialize(to: value)
    }

    deinit {
        unsafe word.deallocate()
    }

    /// The number, with sequentially consistent loads and stores.
    package var value: UInt64 {
        get { unsafe paginator_atomic_load(word) }
        nonmutating set { unsafe paginator_atomic_store(word, newValue) }
    }

    /// Stores the number without ordering, for values that only this thread looks for.
    func setUnordered(_ value: UInt64) { unsafe paginator_atomic_store_unordered(word, value) }

    /// Stores a number, and returns the previous one.
    func exchange(_ value: UInt64) -> UInt64 { unsafe paginator_atomic_exchange(word, value) }

    /// Adds to the number, and returns the sum.
    @discardableResult
    package func add(_ number: UInt64) -> UInt64 { unsafe paginator_atomic_add(word, number) }
}
