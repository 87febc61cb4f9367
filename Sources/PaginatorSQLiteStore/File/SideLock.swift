import PaginatorCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A lock between processes, on a file beside the database: shared while a transaction writes, exclusive while the file
/// itself is made, set aside or replaced. So nobody writes to a file that is being taken away.
///
/// Not thread-safe: the owner holds its own lock.
final class SideLock {
    private let path: String
    private var descriptor: Int32 = -1
    /// The file that `descriptor` is of.
    private var number: FileNumber?
    /// How often the lock was taken since that file was looked for at the path.
    private var trusted = maxTrusted
    private static let maxTrusted = 64
    private let patience: Int32

    /// Makes a lock that nobody holds.
    ///
    /// - Parameters:
    ///   - path: the file of the lock, which is made when it is missing.
    ///   - patience: how long to wait for others, in milliseconds.
    init(path: String, patience: Int32) {
        self.path = path
        self.patience = patience
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    enum Mode { case shared, exclusive }

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - mode: how.
    ///   - isSure: whether to look each time for the lock's file at its path; when not, it is done now and then. The database
    ///     itself is looked for by the caller each time, so only who removes this file alone would go unnoticed, and not
    ///     for long.
    /// - Throws: a ``StoreFailure`` as busy, when others hold it for longer than the patience, or what opening said.
    func take(_ mode: Mode, isSure: Bool = true) throws(StoreFailure) {
        // `flock`, since a lock of POSIX ends as soon as anybody in the process closes any descriptor of the file. It has no
        // time-out, so it is asked again and again.
        let operation = mode == .shared ? LOCK_SH : LOCK_EX
        // Ten milliseconds in short pauses, the rest in longer ones.
        for attempt in 0..<100 + Int(patience) / 2 {
            try open()
            if flock(descriptor, operation | LOCK_NB) == 0 {
                if !isSure, trusted < Self.maxTrusted {
                    trusted += 1
                    return
                }
                // Somebody may have removed the file, with its folder: then others lock another one.
                if number == FileNumber(path: path) {
                    trusted = 0
                    return
                }
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

    func release() {
        if descriptor >= 0 { flock(descriptor, LOCK_UN) }
    }

    private func open() throws(StoreFailure) {
        guard descriptor < 0 else { return }
        // Closed in child processes, which would go on holding the lock by their copy of the descriptor.
        #if canImport(Darwin)
            descriptor = Darwin.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #elseif canImport(Glibc)
            descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #elseif canImport(Musl)
            descriptor = Musl.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #endif
        guard descriptor >= 0 else { throw failure("open lock") }
        number = FileNumber(descriptor: descriptor)
    }

    private func shut() {
        close(descriptor)
        descriptor = -1
        trusted = Self.maxTrusted
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

/// What tells a file from another one that takes its place at the same path.
struct FileNumber: Equatable {
    private let device: UInt64
    private let inode: UInt64

    private init?(_ info: stat, _ code: Int32) {
        guard code == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: info.st_dev)
        inode = UInt64(truncatingIfNeeded: info.st_ino)
    }

    /// The file at `path`; `nil` when there is none.
    init?(path: String) {
        var info = stat()
        // The path of the call would be copied first, if it were passed as it is.
        let code = path.withCString { stat($0, &info) }
        self.init(info, code)
    }

    init?(descriptor: Int32) {
        var info = stat()
        let code = fstat(descriptor, &info)
        self.init(info, code)
    }
}
