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

/// An extended result code of SQLite, and its meaning for a store. https://www.sqlite.org/rescode.html
struct SQLiteCode: Equatable {
    let raw: Int32

    /// The code without its extension.
    var primary: Int32 { raw & 0xff }

    /// Whether the file is damaged, or not a database of this library.
    var isDamage: Bool {
        switch primary {
        // The last two are for rows that this store's statements cannot have written.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CONSTRAINT, SQLITE_MISMATCH: true
        default: false
        }
    }

    /// The kind of failure for a store.
    ///
    /// - Parameter errno: the underlying system error; zero if there is none.
    func kind(errno: Int32) -> StoreFailure.Kind {
        // First, because a full disk can appear as an I/O error, for instance when the WAL's index cannot grow.
        if errno == ENOSPC || errno == EDQUOT { return .full }
        return switch primary {
        // A retry may succeed. The system interrupts when it is about to suspend the process.
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_INTERRUPT: .busy
        case SQLITE_FULL: .full
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .readOnly
        case SQLITE_IOERR: .inputOutput
        default: .unavailable
        }
    }
}

/// The error of a call of SQLite.
struct SQLiteError: Error, Equatable {
    let code: SQLiteCode
    /// SQLite's message.
    let message: String
    /// The name of the statement or call.
    let operation: String
    /// The underlying system error; zero if there is none.
    var errno: Int32 = 0
    /// The reason why the file must not be touched, if there is one.
    var refusal: StoreFailure.Kind?

    /// The failure for the store.
    var failure: StoreFailure {
        StoreFailure(code.kind(errno: errno), code: Int(code.raw), operation: operation, message: message)
    }
}

extension SQLiteError {
    /// The error for a file of another application or version, which must not be touched.
    init(refusal: StoreFailure.Kind, _ message: String) {
        self.init(code: SQLiteCode(raw: SQLITE_CANTOPEN), message: message, operation: "open", refusal: refusal)
    }
}
