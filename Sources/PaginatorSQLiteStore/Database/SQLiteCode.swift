import PaginatorCore

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An extended result code of SQLite, and what it means for a store. https://www.sqlite.org/rescode.html
struct SQLiteCode: Equatable {
    let raw: Int32

    /// The code without its extension.
    var primary: Int32 { raw & 0xff }

    /// Whether the file holds something that is no database of ours, or no longer.
    var isDamage: Bool {
        switch primary {
        // The last two: rows that the statements here cannot have left behind.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CONSTRAINT, SQLITE_MISMATCH: true
        default: false
        }
    }

    /// What a store does about it.
    ///
    /// - Parameter errno: the system's error behind it; zero when there is none.
    func kind(errno: Int32) -> StoreFailure.Kind {
        // Before the code: a full disk can come as an I/O error, as where the WAL's index cannot grow.
        if errno == ENOSPC || errno == EDQUOT { return .full }
        return switch primary {
        // What another try may mend. An interrupt comes from the system that is about to suspend the process.
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_INTERRUPT: .busy
        case SQLITE_FULL: .full
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .readOnly
        case SQLITE_IOERR: .inputOutput
        default: .unavailable
        }
    }
}

/// What SQLite answered to one call.
package struct SQLiteError: Error, Equatable {
    let code: SQLiteCode
    /// What SQLite says about it.
    let message: String
    /// The statement's or the call's name.
    let operation: String
    /// The system's error behind it; zero when there is none.
    let errno: Int32
    /// Why the file must not be touched, where that is so.
    var refusal: StoreFailure.Kind?

    init(code: SQLiteCode, message: String, operation: String, errno: Int32) {
        self.code = code
        self.message = message
        self.operation = operation
        self.errno = errno
    }

    /// A file that is not ours to touch.
    init(refusal: StoreFailure.Kind, _ message: String) {
        self.init(code: SQLiteCode(raw: SQLITE_CANTOPEN), message: message, operation: "open", errno: 0)
        self.refusal = refusal
    }

    /// The failure that a store sees.
    var failure: StoreFailure {
        StoreFailure(code.kind(errno: errno), code: Int(code.raw), operation: operation, message: message)
    }
}
