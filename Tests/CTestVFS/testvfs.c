#include "testvfs.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

const char *const testvfs_name = "paginator-test";
const char *const testvfs_unsynced_name = "paginator-unsynced";

static atomic_long calls;
static atomic_long failing;
static atomic_int failed;

void testvfs_fail_at(long n) {
    atomic_store(&calls, 0);
    atomic_store(&failing, n);
    atomic_store(&failed, 0);
}

long testvfs_calls(void) { return atomic_load(&calls); }

int testvfs_has_failed(void) { return atomic_load(&failed); }

typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
    int counts;
} test_file;

#define REAL(file) (((test_file *)(file))->real)
#define FAILS(file) (((test_file *)(file))->counts && fails())

/// Counts a call, and says whether it has to fail.
static int fails(void) {
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (number != atomic_load(&failing)) return 0;
    atomic_store(&failed, 1);
    return 1;
}

static int test_close(sqlite3_file *file) {
    sqlite3_file *real = REAL(file);
    return real->pMethods ? real->pMethods->xClose(real) : SQLITE_OK;
}

static int test_read(sqlite3_file *file, void *data, int count, sqlite3_int64 offset) {
    if (FAILS(file)) return SQLITE_IOERR_READ;
    return REAL(file)->pMethods->xRead(REAL(file), data, count, offset);
}

static int test_write(sqlite3_file *file, const void *data, int count, sqlite3_int64 offset) {
    if (FAILS(file)) return SQLITE_IOERR_WRITE;
    return REAL(file)->pMethods->xWrite(REAL(file), data, count, offset);
}

static int test_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (FAILS(file)) return SQLITE_IOERR_TRUNCATE;
    return REAL(file)->pMethods->xTruncate(REAL(file), size);
}

static int test_sync(sqlite3_file *file, int flags) {
    if (FAILS(file)) return SQLITE_IOERR_FSYNC;
    (void)flags;
    return SQLITE_OK;
}

static int test_size(sqlite3_file *file, sqlite3_int64 *size) {
    if (FAILS(file)) return SQLITE_IOERR_FSTAT;
    return REAL(file)->pMethods->xFileSize(REAL(file), size);
}

static int test_lock(sqlite3_file *file, int level) {
    if (FAILS(file)) return SQLITE_IOERR_LOCK;
    return REAL(file)->pMethods->xLock(REAL(file), level);
}

static int test_unlock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xUnlock(REAL(file), level); }

static int test_check(sqlite3_file *file, int *result) {
    return REAL(file)->pMethods->xCheckReservedLock(REAL(file), result);
}

static int test_control(sqlite3_file *file, int operation, void *argument) {
    return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}

static int test_sector(sqlite3_file *file) { return REAL(file)->pMethods->xSectorSize(REAL(file)); }

static int test_device(sqlite3_file *file) { return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file)); }

static int test_shm_map(sqlite3_file *file, int page, int size, int extends, void volatile **target) {
    if (FAILS(file)) return SQLITE_IOERR_SHMMAP;
    return REAL(file)->pMethods->xShmMap(REAL(file), page, size, extends, target);
}

static int test_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    if ((flags & SQLITE_SHM_LOCK) && FAILS(file)) return SQLITE_IOERR_SHMLOCK;
    return REAL(file)->pMethods->xShmLock(REAL(file), offset, count, flags);
}

static void test_shm_barrier(sqlite3_file *file) { REAL(file)->pMethods->xShmBarrier(REAL(file)); }

static int test_shm_unmap(sqlite3_file *file, int removes) {
    return REAL(file)->pMethods->xShmUnmap(REAL(file), removes);
}

/// Version 2: without memory mapping, whose reads could not be made to fail.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = test_close,
    .xRead = test_read,
    .xWrite = test_write,
    .xTruncate = test_truncate,
    .xSync = test_sync,
    .xFileSize = test_size,
    .xLock = test_lock,
    .xUnlock = test_unlock,
    .xCheckReservedLock = test_check,
    .xFileControl = test_control,
    .xSectorSize = test_sector,
    .xDeviceCharacteristics = test_device,
    .xShmMap = test_shm_map,
    .xShmLock = test_shm_lock,
    .xShmBarrier = test_shm_barrier,
    .xShmUnmap = test_shm_unmap,
};

static sqlite3_vfs *system_vfs(sqlite3_vfs *vfs) { return (sqlite3_vfs *)vfs->pAppData; }

static sqlite3_vfs counting;

static void (*_Atomic opens_watcher)(int creates, int ended);

// Written while there is no watcher.
static char watched[1024];

void testvfs_watch_opens(const char *path, void (*watcher)(int creates, int ended)) {
    opens_watcher = NULL;
    if (!path) return;
    strncpy(watched, path, sizeof watched - 1);
    opens_watcher = watcher;
}

static void tell_of_open(sqlite3_vfs *vfs, const char *name, int flags, int ended) {
    void (*watcher)(int, int) = opens_watcher;
    if (!watcher || vfs == &counting || !(flags & SQLITE_OPEN_MAIN_DB) || !name || !strstr(name, watched)) return;
    watcher(!!(flags & SQLITE_OPEN_CREATE), ended);
}

static int test_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *result) {
    test_file *opened = (test_file *)file;
    opened->base.pMethods = 0;
    opened->counts = vfs == &counting;
    if (FAILS(file)) return SQLITE_CANTOPEN;
    opened->real = (sqlite3_file *)&opened[1];
    tell_of_open(vfs, name, flags, 0);
    int code = system_vfs(vfs)->xOpen(system_vfs(vfs), name, opened->real, flags, result);
    tell_of_open(vfs, name, flags, 1);
    if (code == SQLITE_OK) opened->base.pMethods = &methods;
    return code;
}

static int test_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
    if (vfs == &counting && fails()) return SQLITE_IOERR_DELETE;
    return system_vfs(vfs)->xDelete(system_vfs(vfs), name, syncs);
}

static int test_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    if (vfs == &counting && fails()) return SQLITE_IOERR_ACCESS;
    return system_vfs(vfs)->xAccess(system_vfs(vfs), name, flags, result);
}

static sqlite3_vfs unsynced;

static int add(sqlite3_vfs *vfs, const char *name) {
    sqlite3_vfs *system = sqlite3_vfs_find(0);
    if (!system) return SQLITE_ERROR;
    if (vfs->zName) return SQLITE_OK;
    *vfs = *system;
    vfs->zName = name;
    vfs->pNext = 0;
    vfs->pAppData = system;
    vfs->szOsFile = (int)sizeof(test_file) + system->szOsFile;
    vfs->xOpen = test_open;
    vfs->xDelete = test_delete;
    vfs->xAccess = test_access;
    return sqlite3_vfs_register(vfs, 0);
}

int testvfs_register(void) {
    int code = add(&counting, testvfs_name);
    return code == SQLITE_OK ? add(&unsynced, testvfs_unsynced_name) : code;
}
