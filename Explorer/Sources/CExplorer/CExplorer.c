#define _GNU_SOURCE
#include "CExplorer.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UNSEEN __attribute__((disable_sanitizer_instrumentation, noinline))
enum { MOST_LOCKS = 64, HANG_SECONDS = 30 };

typedef enum { READY, BLOCKED, WAITING, ENDED } state;

typedef struct {
    state state;
    // The lock that it is blocked on, or the counter that it waits for.
    const void *wanted;
    int held_locks;
    int turn;
} thread;

// All of these are touched by the thread that works, or by the main thread while none does.
static thread threads[EXPLORER_THREADS];
static int thread_count;
static struct { const void *lock; int owner; } held[MOST_LOCKS];
static int held_count;
static explorer_choice choices[EXPLORER_POINTS];
static int choice_count;
static int point_count;
static const int8_t *given_choices;
static int given_count;
static int64_t ticks;
static explorer_end end;

static int arrived;
static int over;
static __thread int me = -1;
static __thread int is_quiet;
static int races;

// MARK: - Handing over, unseen by the sanitizer

UNSEEN static void wait_for(int *word, int value) {
    int seen;
    while ((seen = __atomic_load_n(word, __ATOMIC_SEQ_CST)) != value)
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

UNSEEN static void set(int *word, int value) {
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 64, NULL, NULL, 0);
}

UNSEEN static int owner_of(const void *lock) {
    for (int i = 0; i < held_count; i++)
        if (held[i].lock == lock) return held[i].owner;
    return -1;
}

UNSEEN static int can_go_on(int number) {
    switch (threads[number].state) {
    case READY: return 1;
    case BLOCKED: return owner_of(threads[number].wanted) < 0;
    case WAITING:
        if (*(const int64_t *)threads[number].wanted > 0) return 1;
        for (int i = 0; i < thread_count; i++)
            if (threads[i].state == READY || threads[i].state == BLOCKED
                || (threads[i].state == WAITING && *(const int64_t *)threads[i].wanted > 0)) return 0;
        return 1;
    default: return 0;
    }
}

UNSEEN static void finish(explorer_end how) {
    end = how;
    set(&over, 1);
    if (how != EXPLORER_DONE && me >= 0)
        while (1) wait_for(&threads[me].turn, 2);
}

// Chooses who goes on: -1 when nobody does.
UNSEEN static int choose(int current) {
    if (++point_count >= EXPLORER_POINTS) {
        finish(EXPLORER_ENDLESS);
        return -1;
    }
    int enabled = 0, only = -1, count = 0;
    for (int i = 0; i < thread_count; i++)
        if (can_go_on(i)) {
            enabled |= 1 << i;
            if (only < 0) only = i;
            count++;
        }
    if (count == 0) {
        int left = 0;
        for (int i = 0; i < thread_count; i++) left += threads[i].state != ENDED;
        finish(left ? EXPLORER_DEADLOCK : EXPLORER_DONE);
        return -1;
    }
    if (count == 1) return only;
    int could_go_on = current >= 0 && (enabled >> current & 1);
    int next = could_go_on ? current : only;
    if (choice_count < given_count) next = given_choices[choice_count];
    if (next < 0 || next >= thread_count || !(enabled >> next & 1)) {
        finish(EXPLORER_DIVERGED);
        return -1;
    }
    choices[choice_count++] = (explorer_choice){ (int8_t)current, (int8_t)could_go_on, (int8_t)next, (uint8_t)enabled };
    return next;
}

// Hands over to whom the choice falls on, and returns when it is this thread's turn again.
UNSEEN static void hand_over(void) {
    if (is_quiet && threads[me].state == READY) return;
    int next = choose(me);
    if (next == me || next < 0) return;
    set(&threads[next].turn, 1);
    if (threads[me].state == ENDED) return;
    wait_for(&threads[me].turn, 1);
    threads[me].turn = 0;
}

// MARK: - What threads call

UNSEEN void explorer_point(void) {
    if (me >= 0) hand_over();
}

UNSEEN static void hold(const void *lock) {
    if (held_count == MOST_LOCKS) __builtin_trap();
    held[held_count].lock = lock;
    held[held_count++].owner = me;
    threads[me].held_locks++;
}

UNSEEN void explorer_lock(const void *lock) {
    if (me < 0) return;
    hand_over();
    if (owner_of(lock) >= 0) {
        threads[me].wanted = lock;
        threads[me].state = BLOCKED;
        hand_over();
        threads[me].state = READY;
    }
    hold(lock);
}

UNSEEN int explorer_try_lock(const void *lock) {
    if (me < 0) return 1;
    hand_over();
    if (owner_of(lock) >= 0) return 0;
    hold(lock);
    return 1;
}

UNSEEN void explorer_unlock(const void *lock) {
    if (me < 0) return;
    for (int i = 0; i < held_count; i++)
        if (held[i].lock == lock) {
            held[i] = held[--held_count];
            threads[me].held_locks--;
            return;
        }
}

UNSEEN int explorer_worker(void) { return me; }

UNSEEN void explorer_quiet(int quiet) { is_quiet = quiet; }

UNSEEN int explorer_races(void) { return races; }

// The sanitizer calls it with each report.
void __tsan_on_report(void *report);
UNSEEN void __tsan_on_report(void *report) {
    (void)report;
    races++;
}

UNSEEN int explorer_held_locks(void) { return me < 0 ? 0 : threads[me].held_locks; }

UNSEEN int explorer_wait(const int64_t *counter) {
    if (me < 0) return *counter > 0;
    threads[me].wanted = counter;
    threads[me].state = WAITING;
    hand_over();
    threads[me].state = READY;
    return *counter > 0;
}

UNSEEN void explorer_add(int64_t *counter, int64_t number) { *counter += number; }

UNSEEN int64_t explorer_tick(void) { return ++ticks; }

UNSEEN const explorer_choice *explorer_choices(int *count) {
    *count = choice_count;
    return choices;
}

// MARK: - Runs

// Seen by the sanitizer: what happens before a run and what happens after it are ordered with the run.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int worker_count, run_number, wanted_workers, ready_workers, ended_workers;
static void (*run_body)(void *, int);
static void *run_context;

UNSEEN static void begin(int number) {
    __atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &arrived, FUTEX_WAKE_PRIVATE, 64, NULL, NULL, 0);
    me = number;
    wait_for(&threads[me].turn, 1);
    threads[me].turn = 0;
}

// No worker ends before all have: else the end of one would be ordered before the rest of another.
UNSEEN static void stop(void) {
    threads[me].state = ENDED;
    hand_over();
    me = -1;
    wait_for(&over, 1);
}

static void *work(void *argument) {
    int number = (int)(intptr_t)argument, last_run = 0;
    pthread_mutex_lock(&mutex);
    ready_workers++;
    pthread_cond_broadcast(&changed);
    while (1) {
        while (run_number == last_run || number >= wanted_workers) pthread_cond_wait(&changed, &mutex);
        last_run = run_number;
        pthread_mutex_unlock(&mutex);
        begin(number);
        run_body(run_context, number);
        stop();
        pthread_mutex_lock(&mutex);
        ended_workers++;
        pthread_cond_broadcast(&changed);
    }
    return NULL;
}

UNSEEN static void prepare(int count, const int8_t *chosen, int given) {
    memset(threads, 0, sizeof threads);
    thread_count = count;
    held_count = choice_count = point_count = 0;
    given_choices = chosen;
    given_count = given;
    arrived = 0;
    over = 0;
}

// The first choice, and the wait for the end.
UNSEEN static explorer_end conduct(void) {
    wait_for(&arrived, thread_count);
    int first = choose(-1);
    if (first >= 0) set(&threads[first].turn, 1);
    int seen_points = 0;
    while (!__atomic_load_n(&over, __ATOMIC_SEQ_CST)) {
        struct timespec patience = { HANG_SECONDS, 0 };
        syscall(SYS_futex, &over, FUTEX_WAIT_PRIVATE, 0, &patience, NULL, 0);
        if (__atomic_load_n(&over, __ATOMIC_SEQ_CST)) break;
        if (seen_points == point_count) return EXPLORER_HANG;
        seen_points = point_count;
    }
    return end;
}

explorer_end explorer_run(int count, void (*body)(void *, int), void *context, const int8_t *chosen, int given) {
    pthread_mutex_lock(&mutex);
    for (; worker_count < count; worker_count++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, (void *)(intptr_t)worker_count)) __builtin_trap();
        // One after the other, so that each has the same number in each process.
        while (ready_workers <= worker_count) pthread_cond_wait(&changed, &mutex);
    }
    prepare(count, chosen, given);
    run_body = body;
    run_context = context;
    wanted_workers = count;
    ended_workers = 0;
    run_number++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    explorer_end how = conduct();
    if (how != EXPLORER_DONE) return how;
    pthread_mutex_lock(&mutex);
    while (ended_workers < count) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return how;
}
#endif
