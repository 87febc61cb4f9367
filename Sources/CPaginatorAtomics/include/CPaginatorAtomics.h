// Atomic operations on a word of 64 bits that the caller allocates: 8 bytes, aligned to 8.
//
// `Synchronization.Atomic` of Swift's standard library needs iOS 18. These are what the compiler makes of C's atomics, on
// every system that the library runs on. All are sequentially consistent: without races, threads do what they would do one
// after the other in some order. The exception is `paginator_atomic_store_unordered`.
#ifndef C_PAGINATOR_ATOMICS_H
#define C_PAGINATOR_ATOMICS_H

#include <stdint.h>

/// Returns the word.
static inline uint64_t paginator_atomic_load(const uint64_t *word) {
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

/// Sets the word.
static inline void paginator_atomic_store(uint64_t *word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

/// Sets the word, and orders nothing: for a value that means something to the thread alone that has written it.
static inline void paginator_atomic_store_unordered(uint64_t *word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/// Sets the word, and returns what it was.
static inline uint64_t paginator_atomic_exchange(uint64_t *word, uint64_t value) {
    return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
}

/// Adds to the word, which wraps around, and returns what it has become.
static inline uint64_t paginator_atomic_add(uint64_t *word, uint64_t number) {
    return __atomic_add_fetch(word, number, __ATOMIC_SEQ_CST);
}

#endif
