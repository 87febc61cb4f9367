#ifndef BASELINE_H
#define BASELINE_H

#include <stddef.h>
#include <stdint.h>

/// The store's tables by SQLite's C API alone: the same statements, the same pragmas, and copies of what is read.
typedef struct baseline baseline;

/// The texts of the statements.
typedef struct {
    const char *begin, *commit, *read, *save, *usage, *sequence, *set_sequence, *drop;
} baseline_statements;

/// Opens a file that has the tables; NULL when that fails.
baseline *baseline_open(const char *path, const baseline_statements *statements);
void baseline_close(baseline *base);

/// Returns the id of a namespace, 0 when there is none.
int64_t baseline_namespace(baseline *base, const char *name);

/// Reads a page: copies every text and the content, and frees the copies. With `sums`, the content's checksum too.
/// Returns the content's length, or -1.
int64_t baseline_read(baseline *base, int64_t name, const char *key, int64_t page_size, int sums);

/// Reads a page's content into a buffer, and nothing else. Returns the content's length, or -1.
int64_t baseline_content(baseline *base, int64_t name, const char *key, int64_t page_size, uint8_t *buffer,
                         size_t capacity);

/// Saves pages with these keys in one transaction, with what a store's transaction does besides. Returns 0, or a code of
/// SQLite.
int baseline_save(baseline *base, int64_t name, const char *const *keys, int count, int64_t page_size,
                  const uint8_t *content, size_t length, int sums);

/// Removes pages with these keys in one transaction. Returns 0, or a code of SQLite.
int baseline_remove(baseline *base, int64_t name, const char *const *keys, int count, int64_t page_size);

/// Sets whether a commit waits for the disk.
void baseline_synchronize(baseline *base, int fully);

/// Sets whether a commit copies the WAL into the file when it has 1,000 frames, as SQLite does by default.
void baseline_checkpoint_by_default(baseline *base, int by_default);

/// Copies the WAL into the file.
int baseline_checkpoint(baseline *base);

/// The bytes that malloc has handed out; 0 where the system does not tell.
uint64_t baseline_heap_bytes(void);

/// How often memory was allocated so far; -1 unless the process was started with the interposer.
int64_t baseline_allocations(void);

/// Whether callgrind counts this process's instructions between the two calls, and names the counts.
int baseline_counts_instructions(void);
void baseline_start_counting(void);
void baseline_stop_counting(const char *name);

/// Asks a server on this machine for `/KEY` by as many clients at once, each of which asks for the next key when its answer
/// has come whole, and writes how long each answer took, in nanoseconds. Returns 0, or -1 where an answer is missing.
int baseline_load(int port, int client_count, const int *keys, int count, double *latencies);

#endif
