// Runs some threads so that one of them works at a time, and the explorer says which.
//
// A thread hands over at a point: before it takes a lock, before an atomic operation, and where a program says so. Which
// thread goes on there is a choice where several can. A run is repeated by giving the same choices again.
//
// ThreadSanitizer sees nothing of this: with it, only the library's own locks and atomics would order what the threads
// do, so a race is found though just one thread works at a time.
#ifndef C_EXPLORER_H
#define C_EXPLORER_H

#include <stdint.h>

enum { EXPLORER_THREADS = 5, EXPLORER_POINTS = 20000 };

/// A point at which more than one thread could go on.
typedef struct {
    /// The thread that came to it, or -1 at the start.
    int8_t current;
    /// Whether that thread could go on, so that it is a preemption when another one does.
    int8_t could_go_on;
    int8_t chosen;
    /// One bit for each thread that could go on.
    uint8_t enabled;
} explorer_choice;

typedef enum {
    EXPLORER_DONE,
    /// No thread could go on.
    EXPLORER_DEADLOCK,
    /// A thread did not come to its next point for a long time.
    EXPLORER_HANG,
    /// More points than there should be.
    EXPLORER_ENDLESS,
    /// The given choices do not fit: the program does not do the same each time.
    EXPLORER_DIVERGED,
} explorer_end;

/// Runs `body` on each of the first `threads` workers, with the worker's number. The first `given` choices are made as
/// `chosen` says; after them a thread goes on as long as it can. After any end but EXPLORER_DONE threads are left where
/// they are, and nothing can be run any more.
explorer_end explorer_run(int threads, void (*body)(void *context, int worker), void *context, const int8_t *chosen, int given);

/// The choices of the last run.
const explorer_choice *explorer_choices(int *count);

/// Where another thread may go on.
void explorer_point(void);

void explorer_lock(const void *lock);
int explorer_try_lock(const void *lock);
void explorer_unlock(const void *lock);

/// The number of the worker that calls, -1 for other threads.
int explorer_worker(void);

/// Between 1 and 0 the calling thread goes on at every point, as while it gets something ready.
void explorer_quiet(int is_quiet);

/// How many data races ThreadSanitizer has reported, which is not there in every build.
int explorer_races(void);

/// How many locks the calling thread holds; 0 for threads that are not run by the explorer.
int explorer_held_locks(void);

/// Waits until the counter is above zero, and returns 1; or until all others have ended or wait like this, and returns 0.
int explorer_wait(const int64_t *counter);
void explorer_add(int64_t *counter, int64_t number);

/// A number that is larger with each call: orders what happens in one run.
int64_t explorer_tick(void);

#endif
