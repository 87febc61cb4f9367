import PaginatorCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A lock between processes, on a file beside the database: shared during a write transaction, exclusive while the
/// database is created, moved aside or replaced. So no process writes to a file that is being removed.
///
/// Not thread-safe: the owner holds its own lock.
final class SideLock {
    private let path: String
    private var descriptor: Int32 = -1
    /// The file of `descriptor`.
    private var number: FileNumber?
    private let patience: Int32

    /// Creates a lock that is not held.
    ///
    /// - Parameters:
    ///   - path: the lock's file, created if it is missing.
    ///   - patience: the time to wait for other processes, in milliseconds.
    init(path: String, patience: Int32) {
        self.path = path
        self.patience = patience
    }

    deinit {
        if descriptor != -1 { close(descriptor) }
    }

    enum Mode { case shared, exclusive }

    /// Takes the lock.
    ///
    /// - Throws: a busy ``StoreFailure`` if others hold the lock for longer than the patience, or the error of opening
    ///   it.
    func take(_ mode: Mode) throws(StoreFailure) {
        // `flock`, because a POSIX lock ends when the process closes any descriptor of the file. It has no timeout, so
        // it is polled.
        let operation = mode == .shared ? LOCK_SH : LOCK_EX
        // Short pauses for ten milliseconds, then longer ones.
        for attempt in 0..<100 + Int(patience) / 2 {
            try open()
            if flock(descriptor, operation | LOCK_NB) == 0 {
                // The file may have been removed with its folder; then other processes lock another file.
                if number == FileNumber(path: path) { return }
                flock(descriptor, LOCK_UN)
                shut()
                continue
            }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("flock") }
            usleep(attempt < 100 ? 100 : 2_000)
        }
        throw StoreFailure(
            .busy, code: Int(EWOULDBLOCK), operation: "flock", message: "Another process holds \(path).")
    }

    /// Releases the lock, which is held.
    func release() {
        flock(descriptor, LOCK_UN)
    }

    private func open() throws(StoreFailure) {
        guard descriptor == -1 else { return }
        AppleFileAttributes.createReadableWhenLocked(path)
        // Closed in child processes, which would otherwise keep the lock with their copy of the descriptor.
        #if canImport(Darwin)
            descriptor = Darwin.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #elseif canImport(Glibc)
            descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #elseif canImport(Musl)
            descriptor = Musl.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #endif
        guard descriptor != -1 else { throw failure("open lock") }
        AppleFileAttributes.setReadableWhenLocked(descriptor)
        number = FileNumber(descriptor: descriptor)
    }

    private func shut() {
        close(descriptor)
        descriptor = -1
    }

    private func failure(_ operation: String) -> StoreFailure {
        let code = errno
        let kind: StoreFailure.Kind =
            switch code {
            case EROFS, EACCES, EPERM: .readOnly
            case ENOSPC, EDQUOT: .full
            default: .unavailable
            }
        return StoreFailure(kind, code: Int(code), operation: operation, message: String(cString: strerror(code)))
    }
}

/// Identifies a file, to distinguish it from a later one at the same path.
struct FileNumber: Equatable {
    private let device: UInt64
    private let inode: UInt64

    private init?(_ info: stat, _ code: Int32) {
        guard code == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: info.st_dev)
        inode = UInt64(truncatingIfNeeded: info.st_ino)
    }

    /// The file at `path`; `nil` if there is none.
    init?(path: String) {
        var info = stat()
        // Passed as a C string, to avoid a copy of the path.
        let code = path.withCString { stat($0, &info) }
        self.init(info, code)
    }

    init?(descriptor: Int32) {
        var info = stat()
        let code = fstat(descriptor, &info)
        self.init(info, code)
    }
}
