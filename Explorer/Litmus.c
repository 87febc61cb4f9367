// Two threads that work at once, over the library's atomics, for many rounds: whether the order of memory is the one that
// the explorer's schedules take for granted. Without a sanitizer, which would slow them down: scripts/explore litmus
#define _GNU_SOURCE
#include "CPaginatorAtomics.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>

// Each on a cache line of its own.
static struct { _Alignas(128) uint64_t word; } x, y, flag, met[2];
static _Alignas(128) volatile uint64_t message;
enum { ROUNDS = 200000 };
static uint64_t seen[2];
static int stale, buffered;

// Each sets a word of its own, and looks at that of the other: at least one must see the other. Then a message is passed.

// Both begin at the same time, on two cores where there are.
static void meet(int place, uint64_t round) {
    __atomic_add_fetch(&met[place].word, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; __atomic_load_n(&met[place].word, __ATOMIC_SEQ_CST) < 2 * round; i++)
        if (i > 2000) sched_yield();
}

static void *first(void *unused) {
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        meet(0, round);
        paginator_atomic_store(&x.word, round);
        seen[0] = paginator_atomic_load(&y.word);
        message = round;
        paginator_atomic_store(&flag.word, round);
        meet(1, round);
        if (seen[0] < round && seen[1] < round) buffered++;
    }
    return unused;
}

static void *second(void *unused) {
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        meet(0, round);
        paginator_atomic_store(&y.word, round);
        seen[1] = paginator_atomic_load(&x.word);
        for (int i = 0; paginator_atomic_load(&flag.word) < round; i++)
            if (i > 2000) sched_yield();
        if (message < round) stale++;
        meet(1, round);
    }
    return unused;
}

int main(void) {
    pthread_t other;
    if (pthread_create(&other, 0, second, 0)) return 2;
    first(0);
    pthread_join(other, 0);
    printf("explore litmus: %d rounds, %d in which each thread's load overtook its store, %d in which a flag overtook its message\n",
           ROUNDS, buffered, stale);
    return buffered + stale > 0;
}
