// Atomic operations on a word of 64 bits that the caller allocates: 8 bytes, aligned to 8.
//
// `Synchronization.Atomic` of Swift's standard library needs iOS 18. These are what the compiler makes of C's atomics, on
// every system that the library runs on. A load acquires, a store releases, and the others do both.
#ifndef C_PAGINATOR_ATOMICS_H
#define C_PAGINATOR_ATOMICS_H

#include <stdint.h>

/// Returns the word. What was written before the value was stored is seen after this call.
static inline uint64_t paginator_atomic_load(const uint64_t *word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/// Sets the word. What was written before this call is seen by who loads the value.
static inline void paginator_atomic_store(uint64_t *word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/// Sets the word, and returns what it was.
static inline uint64_t paginator_atomic_exchange(uint64_t *word, uint64_t value) {
    return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}

/// Adds to the word, which wraps around, and returns what it has become.
static inline uint64_t paginator_atomic_add(uint64_t *word, uint64_t number) {
    return __atomic_add_fetch(word, number, __ATOMIC_ACQ_REL);
}

#endif
