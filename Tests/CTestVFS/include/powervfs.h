#ifndef PAGINATOR_POWERVFS_H
#define PAGINATOR_POWERVFS_H

/// A VFS that notes every call that changes files, so that a test can say what a disk may hold after the power was cut.
/// It keeps notes of one folder at a time, and of files that are opened after `powervfs_start`.

/// The name of the VFS.
extern const char *const powervfs_name;

enum powervfs_kind {
    /// A file that was not there was made.
    powervfs_create,
    powervfs_write,
    /// The file was cut, or made longer, to `offset`.
    powervfs_truncate,
    powervfs_sync,
    /// `count` tells whether the folder was synced, too.
    powervfs_remove,
};

/// A call, in the order in which they were made.
typedef struct {
    enum powervfs_kind kind;
    /// Which file: an index for `powervfs_file`.
    int file;
    long long offset;
    int count;
    /// What was written; `NULL` otherwise.
    const unsigned char *bytes;
} powervfs_call;

/// Registers the VFS; may be called again, from one thread at a time. Returns an SQLite result code.
int powervfs_register(void);

/// Forgets the notes, and begins to note what happens to files in `folder`; NULL for none.
void powervfs_start(const char *folder);

/// The number of calls until now.
long powervfs_count(void);

/// A call; valid until the next `powervfs_start`.
powervfs_call powervfs_get(long index);

/// The path of a file; valid until the next `powervfs_start`.
const char *powervfs_file(int file);

#endif
