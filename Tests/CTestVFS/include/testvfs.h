#ifndef PAGINATOR_TESTVFS_H
#define PAGINATOR_TESTVFS_H

/// Two VFSs for tests over the system's own: one counts I/O calls and lets the n-th one fail, both leave out syncs.
/// The controls of the first are for the whole process; one test at a time uses them.

/// The name of the VFS that counts and fails.
extern const char *const testvfs_name;

/// The name of the VFS that only leaves out syncs.
extern const char *const testvfs_unsynced_name;

/// Called by the second VFS when the main file of a database whose path contains `path` is opened: before (`ended` is 0) and after (1) the real call.
/// `creates` tells whether the file is made when it is not there. NULL for nobody.
/// One test at a time watches; other tests' files are not its own, and must not be held up.
void testvfs_watch_opens(const char *path, void (*watcher)(int creates, int ended));

/// Registers both; may be called again, from one thread at a time. Returns an SQLite result code.
int testvfs_register(void);

/// Starts counting anew, and lets the n-th call from now on fail once; 0 lets none fail.
void testvfs_fail_at(long n);

/// The number of I/O calls since `testvfs_fail_at`.
long testvfs_calls(void);

/// Whether a call was made to fail since `testvfs_fail_at`.
int testvfs_has_failed(void);

#endif
