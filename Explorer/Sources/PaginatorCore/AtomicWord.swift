import CExplorer
import CPaginatorAtomics

/// The library's atomic number, in place of `Foundations/Unsafe/AtomicWord.swift`: before each operation another thread
/// may go on.
///
/// `@unchecked Sendable`: what `word` points to is used by atomic operations alone.
package struct AtomicWord: ~Copyable, @unchecked Sendable {
    private let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)

    package init(_ value: UInt64 = 0) {
        word.initialize(to: value)
    }

    deinit {
        word.deallocate()
    }

    package var value: UInt64 {
        get {
            explorer_point()
            return paginator_atomic_load(word)
        }
        nonmutating set {
            explorer_point()
            paginator_atomic_store(word, newValue)
        }
    }

    func setUnordered(_ value: UInt64) {
        explorer_point()
        paginator_atomic_store_unordered(word, value)
    }

    func exchange(_ value: UInt64) -> UInt64 {
        explorer_point()
        return paginator_atomic_exchange(word, value)
    }

    @discardableResult
    package func add(_ number: UInt64) -> UInt64 {
        explorer_point()
        return paginator_atomic_add(word, number)
    }
}
