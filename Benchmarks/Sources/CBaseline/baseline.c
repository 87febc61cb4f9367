#define _GNU_SOURCE
#include "baseline.h"

#include <dlfcn.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#if defined(__APPLE__)
#include <malloc/malloc.h>
#elif defined(__GLIBC__)
#include <malloc.h>
#endif

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define HAS_CALLGRIND 1
#else
#define HAS_CALLGRIND 0
#endif

struct baseline {
    sqlite3 *handle;
    sqlite3_stmt *begin, *commit, *read, *save, *usage, *sequence, *set_sequence, *drop;
};

static sqlite3_stmt *prepare(baseline *base, const char *sql) {
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v3(base->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    return statement;
}

baseline *baseline_open(const char *path, const baseline_statements *texts) {
    baseline *base = calloc(1, sizeof *base);
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_READWRITE;
    if (sqlite3_open_v2(path, &base->handle, flags, NULL) != SQLITE_OK) {
        baseline_close(base);
        return NULL;
    }
    sqlite3_exec(base->handle,
                 "PRAGMA cell_size_check = 1; PRAGMA trusted_schema = 0; PRAGMA journal_mode = WAL;"
                 "PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = ON; PRAGMA synchronous = NORMAL;"
                 "PRAGMA cache_size = -1024",
                 NULL, NULL, NULL);
    base->begin = prepare(base, texts->begin);
    base->commit = prepare(base, texts->commit);
    base->read = prepare(base, texts->read);
    base->save = prepare(base, texts->save);
    base->usage = prepare(base, texts->usage);
    base->sequence = prepare(base, texts->sequence);
    base->set_sequence = prepare(base, texts->set_sequence);
    base->drop = prepare(base, texts->drop);
    if (!base->begin || !base->commit || !base->read || !base->save || !base->usage || !base->sequence ||
        !base->set_sequence || !base->drop) {
        baseline_close(base);
        return NULL;
    }
    return base;
}

void baseline_close(baseline *base) {
    sqlite3_finalize(base->begin);
    sqlite3_finalize(base->commit);
    sqlite3_finalize(base->read);
    sqlite3_finalize(base->save);
    sqlite3_finalize(base->usage);
    sqlite3_finalize(base->sequence);
    sqlite3_finalize(base->set_sequence);
    sqlite3_finalize(base->drop);
    sqlite3_close_v2(base->handle);
    free(base);
}

int64_t baseline_namespace(baseline *base, const char *name) {
    sqlite3_stmt *statement = prepare(base, "SELECT id FROM namespaces WHERE name = ?1");
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    int64_t id = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return id;
}

// The library's checksum over bytes, in C; of less than eight bytes it is another one.
static inline uint64_t fold(uint64_t left, uint64_t right) {
    unsigned __int128 product = (unsigned __int128)left * right;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

static inline uint64_t word(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, 8);
    return value;
}

static uint64_t checksum(const uint8_t *bytes, size_t count) {
    const uint64_t s0 = 0xa0761d6478bd642f, s1 = 0xe7037ed1a0b428db, s2 = 0x8ebc6af09c88c6e3, s3 = 0x589965cc75374cc3;
    uint64_t first = 0, last = 0;
    if (count > 16) {
        uint64_t l0 = s0, l1 = s1, l2 = s2, l3 = s3, l4 = ~s0, l5 = ~s1;
        const uint8_t *place = bytes;
        size_t left = count;
        for (; left >= 96; place += 96, left -= 96) {
            l0 = fold(word(place) ^ s1, word(place + 8) ^ l0);
            l1 = fold(word(place + 16) ^ s2, word(place + 24) ^ l1);
            l2 = fold(word(place + 32) ^ s3, word(place + 40) ^ l2);
            l3 = fold(word(place + 48) ^ s1, word(place + 56) ^ l3);
            l4 = fold(word(place + 64) ^ s2, word(place + 72) ^ l4);
            l5 = fold(word(place + 80) ^ s3, word(place + 88) ^ l5);
        }
        if (left >= 48) {
            l0 = fold(word(place) ^ s1, word(place + 8) ^ l0);
            l1 = fold(word(place + 16) ^ s2, word(place + 24) ^ l1);
            l2 = fold(word(place + 32) ^ s3, word(place + 40) ^ l2);
            place += 48, left -= 48;
        }
        if (left > 16) l3 = fold(word(place) ^ s1, word(place + 8) ^ l3);
        if (left > 32) l4 = fold(word(place + 16) ^ s2, word(place + 24) ^ l4);
        const uint8_t *end = bytes + (count - 16);
        l5 = fold(word(end) ^ s3, word(end + 8) ^ l5);
        first = fold(l0 ^ s2, l1 ^ s3) ^ fold(l2 ^ s0, l3 ^ s1) ^ fold(l4 ^ s3, l5 ^ s2);
    } else if (count >= 8) {
        first = word(bytes), last = word(bytes + count - 8);
    } else {
        for (size_t place = 0; place < count; place++) first = first << 8 | bytes[place];
    }
    const uint64_t state = fold(0x1d8e4e27c47d124f ^ s0 ^ first, last ^ s1 ^ (count * s2));
    return fold(state ^ s1, s2);
}

static volatile uint64_t sink;

static void *copy(const void *bytes, size_t count) {
    char *copied = malloc(count + 1);
    if (count) memcpy(copied, bytes, count);
    copied[count] = 0;
    return copied;
}

static char *copied_text(sqlite3_stmt *row, int column) {
    const unsigned char *text = sqlite3_column_text(row, column);
    return text ? copy(text, (size_t)sqlite3_column_bytes(row, column)) : NULL;
}

static void bind_identity(sqlite3_stmt *row, int64_t name, const char *key, int64_t page_size) {
    sqlite3_bind_int64(row, 1, name);
    sqlite3_bind_text(row, 2, "", 0, SQLITE_STATIC);
    sqlite3_bind_text(row, 3, key, (int)strlen(key), SQLITE_STATIC);
    sqlite3_bind_int64(row, 4, page_size);
}

int64_t baseline_read(baseline *base, int64_t name, const char *key, int64_t page_size, int sums) {
    sqlite3_stmt *row = base->read;
    bind_identity(row, name, key, page_size);
    int64_t length = -1;
    if (sqlite3_step(row) == SQLITE_ROW) {
        char *previous = copied_text(row, 0), *next = copied_text(row, 1), *codec = copied_text(row, 6);
        char *revision = copied_text(row, 11);
        uint64_t numbers = (uint64_t)sqlite3_column_int64(row, 2) ^ (uint64_t)sqlite3_column_int64(row, 3) ^
                           (uint64_t)sqlite3_column_int64(row, 4) ^ (uint64_t)sqlite3_column_int64(row, 5) ^
                           (uint64_t)sqlite3_column_int64(row, 7) ^ (uint64_t)sqlite3_column_int64(row, 8) ^
                           (uint64_t)sqlite3_column_int64(row, 9);
        const void *blob = sqlite3_column_blob(row, 10);
        length = sqlite3_column_bytes(row, 10);
        uint8_t *content = copy(blob, (size_t)length);
        if (sums) numbers ^= checksum(content, (size_t)length);
        sink = numbers ^ content[0];
        free(content);
        free(revision);
        free(codec);
        free(next);
        free(previous);
    }
    sqlite3_reset(row);
    return length;
}

int64_t baseline_content(baseline *base, int64_t name, const char *key, int64_t page_size, uint8_t *buffer,
                         size_t capacity) {
    sqlite3_stmt *row = base->read;
    bind_identity(row, name, key, page_size);
    int64_t length = -1;
    if (sqlite3_step(row) == SQLITE_ROW) {
        const void *blob = sqlite3_column_blob(row, 10);
        length = sqlite3_column_bytes(row, 10);
        if (length > 0 && (size_t)length <= capacity) memcpy(buffer, blob, (size_t)length);
    }
    sqlite3_reset(row);
    return length;
}

static int64_t number(sqlite3_stmt *statement) {
    int64_t value = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_reset(statement);
    return value;
}

static int run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int baseline_save(baseline *base, int64_t name, const char *const *keys, int count, int64_t page_size,
                  const uint8_t *content, size_t length, int sums) {
    int code = run(base->begin);
    if (code) return code;
    int64_t sequence = number(base->sequence);
    for (int index = 0; index < count; index++) {
        sqlite3_stmt *row = base->save;
        sequence++;
        bind_identity(row, name, keys[index], page_size);
        sqlite3_bind_text(row, 5, "previous", 8, SQLITE_STATIC);
        sqlite3_bind_text(row, 6, "next", 4, SQLITE_STATIC);
        sqlite3_bind_null(row, 7);
        sqlite3_bind_int64(row, 8, 0x41c7d78400000000);
        sqlite3_bind_int64(row, 9, 30);
        sqlite3_bind_int64(row, 10, 4000);
        sqlite3_bind_text(row, 11, "binary", 6, SQLITE_STATIC);
        sqlite3_bind_int64(row, 12, 1);
        sqlite3_bind_int64(row, 13, 0);
        sqlite3_bind_int64(row, 14, sums ? (int64_t)checksum(content, length) : 1);
        sqlite3_bind_blob64(row, 15, content, length, SQLITE_STATIC);
        sqlite3_bind_int64(row, 16, (int64_t)length + 150);
        sqlite3_bind_int64(row, 17, 0x41c7d78400000000);
        sqlite3_bind_int64(row, 18, sequence);
        sqlite3_bind_null(row, 19);
        if ((code = run(row))) return code;
    }
    sqlite3_bind_int64(base->usage, 1, name);
    sink = (uint64_t)number(base->usage);
    sqlite3_bind_int64(base->set_sequence, 1, sequence);
    if ((code = run(base->set_sequence))) return code;
    return run(base->commit);
}

int baseline_remove(baseline *base, int64_t name, const char *const *keys, int count, int64_t page_size) {
    int code = run(base->begin);
    if (code) return code;
    for (int index = 0; index < count; index++) {
        bind_identity(base->drop, name, keys[index], page_size);
        if ((code = run(base->drop))) return code;
    }
    return run(base->commit);
}

int baseline_checkpoint(baseline *base) {
    return sqlite3_wal_checkpoint_v2(base->handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

void baseline_checkpoint_by_default(baseline *base, int by_default) {
    sqlite3_wal_autocheckpoint(base->handle, by_default ? 1000 : 0);
}

void baseline_synchronize(baseline *base, int fully) {
    sqlite3_exec(base->handle, fully ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
}

uint64_t baseline_heap_bytes(void) {
#if defined(__APPLE__)
    malloc_statistics_t statistics;
    malloc_zone_statistics(NULL, &statistics);
    return statistics.size_in_use;
#elif defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

int64_t baseline_allocations(void) {
    int64_t (*counted)(void) = (int64_t (*)(void))dlsym(RTLD_DEFAULT, "interposer_allocations");
    return counted ? counted() : -1;
}

int baseline_counts_instructions(void) {
#if HAS_CALLGRIND
    return RUNNING_ON_VALGRIND != 0;
#else
    return 0;
#endif
}

void baseline_start_counting(void) {
#if HAS_CALLGRIND
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
#endif
}

void baseline_stop_counting(const char *name) {
#if HAS_CALLGRIND
    CALLGRIND_DUMP_STATS_AT(name);
    CALLGRIND_STOP_INSTRUMENTATION;
#else
    (void)name;
#endif
}
