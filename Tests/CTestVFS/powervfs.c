#include "powervfs.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

const char *const powervfs_name = "paginator-power";

enum { most_files = 64, longest_path = 512 };

// Held for the call as well as for its note, so that the notes have the order in which the calls took effect.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[longest_path];
static char files[most_files][longest_path];
static int file_count;
static powervfs_call *calls;
static long call_count;
static long call_room;

void powervfs_start(const char *path) {
    pthread_mutex_lock(&lock);
    for (long i = 0; i < call_count; i++) free((void *)calls[i].bytes);
    free(calls);
    calls = NULL;
    call_count = call_room = file_count = 0;
    folder[0] = 0;
    if (path) strncpy(folder, path, sizeof folder - 1);
    pthread_mutex_unlock(&lock);
}

long powervfs_count(void) {
    pthread_mutex_lock(&lock);
    long count = call_count;
    pthread_mutex_unlock(&lock);
    return count;
}

powervfs_call powervfs_get(long index) {
    pthread_mutex_lock(&lock);
    powervfs_call call = calls[index];
    pthread_mutex_unlock(&lock);
    return call;
}

const char *powervfs_file(int file) { return files[file]; }

/// Returns the file's index, or -1 when nothing is to be noted of it; the lock is held.
static int index_of(const char *path) {
    if (!path || !folder[0] || strncmp(path, folder, strlen(folder)) || strlen(path) >= longest_path) return -1;
    for (int i = 0; i < file_count; i++) {
        if (!strcmp(files[i], path)) return i;
    }
    if (file_count == most_files) abort();
    strcpy(files[file_count], path);
    return file_count++;
}

/// Adds a note; the lock is held.
static void note(enum powervfs_kind kind, int file, long long offset, int count, const void *bytes) {
    if (file < 0) return;
    if (call_count == call_room) {
        call_room = call_room ? call_room * 2 : 1024;
        calls = realloc(calls, (size_t)call_room * sizeof *calls);
        if (!calls) abort();
    }
    unsigned char *copy = NULL;
    if (bytes) {
        copy = malloc((size_t)count);
        if (!copy) abort();
        memcpy(copy, bytes, (size_t)count);
    }
    calls[call_count++] = (powervfs_call){ .kind = kind, .file = file, .offset = offset, .count = count, .bytes = copy };
}

typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
    /// Which file it is in the notes, or -1.
    int number;
} power_file;

#define FILE(file) ((power_file *)(file))
#define REAL(file) (FILE(file)->real)

static int power_close(sqlite3_file *file) {
    return REAL(file)->pMethods ? REAL(file)->pMethods->xClose(REAL(file)) : SQLITE_OK;
}

static int power_read(sqlite3_file *file, void *data, int count, sqlite3_int64 offset) {
    return REAL(file)->pMethods->xRead(REAL(file), data, count, offset);
}

static int power_write(sqlite3_file *file, const void *data, int count, sqlite3_int64 offset) {
    pthread_mutex_lock(&lock);
    int code = REAL(file)->pMethods->xWrite(REAL(file), data, count, offset);
    if (code == SQLITE_OK) note(powervfs_write, FILE(file)->number, offset, count, data);
    pthread_mutex_unlock(&lock);
    return code;
}

static int power_truncate(sqlite3_file *file, sqlite3_int64 size) {
    pthread_mutex_lock(&lock);
    int code = REAL(file)->pMethods->xTruncate(REAL(file), size);
    if (code == SQLITE_OK) note(powervfs_truncate, FILE(file)->number, size, 0, NULL);
    pthread_mutex_unlock(&lock);
    return code;
}

// The disk need not be told: what it may have lost is in the notes.
static int power_sync(sqlite3_file *file, int flags) {
    (void)flags;
    pthread_mutex_lock(&lock);
    note(powervfs_sync, FILE(file)->number, 0, 0, NULL);
    pthread_mutex_unlock(&lock);
    return SQLITE_OK;
}

static int power_size(sqlite3_file *file, sqlite3_int64 *size) {
    return REAL(file)->pMethods->xFileSize(REAL(file), size);
}

static int power_lock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xLock(REAL(file), level); }

static int power_unlock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xUnlock(REAL(file), level); }

static int power_check(sqlite3_file *file, int *result) {
    return REAL(file)->pMethods->xCheckReservedLock(REAL(file), result);
}

static int power_control(sqlite3_file *file, int operation, void *argument) {
    // These two make a file longer without a write that could be noted.
    if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_OK;
    return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}

static int power_sector(sqlite3_file *file) { return REAL(file)->pMethods->xSectorSize(REAL(file)); }

static int power_device(sqlite3_file *file) { return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file)); }

static int power_shm_map(sqlite3_file *file, int page, int size, int extends, void volatile **target) {
    return REAL(file)->pMethods->xShmMap(REAL(file), page, size, extends, target);
}

static int power_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return REAL(file)->pMethods->xShmLock(REAL(file), offset, count, flags);
}

static void power_shm_barrier(sqlite3_file *file) { REAL(file)->pMethods->xShmBarrier(REAL(file)); }

static int power_shm_unmap(sqlite3_file *file, int removes) {
    return REAL(file)->pMethods->xShmUnmap(REAL(file), removes);
}

/// Version 2: memory mapping would read what was not written through here.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = power_close,
    .xRead = power_read,
    .xWrite = power_write,
    .xTruncate = power_truncate,
    .xSync = power_sync,
    .xFileSize = power_size,
    .xLock = power_lock,
    .xUnlock = power_unlock,
    .xCheckReservedLock = power_check,
    .xFileControl = power_control,
    .xSectorSize = power_sector,
    .xDeviceCharacteristics = power_device,
    .xShmMap = power_shm_map,
    .xShmLock = power_shm_lock,
    .xShmBarrier = power_shm_barrier,
    .xShmUnmap = power_shm_unmap,
};

static sqlite3_vfs *system_vfs(sqlite3_vfs *vfs) { return (sqlite3_vfs *)vfs->pAppData; }

static int power_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *result) {
    power_file *opened = FILE(file);
    opened->base.pMethods = NULL;
    opened->real = (sqlite3_file *)&opened[1];
    pthread_mutex_lock(&lock);
    int was_there = 0;
    if (name) system_vfs(vfs)->xAccess(system_vfs(vfs), name, SQLITE_ACCESS_EXISTS, &was_there);
    int code = system_vfs(vfs)->xOpen(system_vfs(vfs), name, opened->real, flags, result);
    if (code == SQLITE_OK) {
        opened->base.pMethods = &methods;
        opened->number = index_of(name);
        if (!was_there) note(powervfs_create, opened->number, 0, 0, NULL);
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static int power_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
    pthread_mutex_lock(&lock);
    int code = system_vfs(vfs)->xDelete(system_vfs(vfs), name, syncs);
    if (code == SQLITE_OK) note(powervfs_remove, index_of(name), 0, syncs, NULL);
    pthread_mutex_unlock(&lock);
    return code;
}

static sqlite3_vfs power;

int powervfs_register(void) {
    sqlite3_vfs *system = sqlite3_vfs_find(0);
    if (!system) return SQLITE_ERROR;
    if (power.zName) return SQLITE_OK;
    power = *system;
    power.zName = powervfs_name;
    power.pNext = 0;
    power.pAppData = system;
    power.szOsFile = (int)sizeof(power_file) + system->szOsFile;
    power.xOpen = power_open;
    power.xDelete = power_delete;
    return sqlite3_vfs_register(&power, 0);
}
