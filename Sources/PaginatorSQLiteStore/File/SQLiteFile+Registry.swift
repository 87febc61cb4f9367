import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension SQLiteFile {
    private struct Entry {
        weak var file: SQLiteFile?
    }

    private static let registry = Guarded<[ExactText: Entry]>([:])

    /// Refuses a path that cannot be one.
    static func check(_ path: String) throws(PaginatorError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw PaginatorError(
                store: StoreFailure(.unavailable, operation: "open", message: "The path is empty or contains a NUL."),
                "The path of the store's file is empty or contains a NUL.")
        }
    }

    /// Returns the handle of this process on the file at `path`: one for all who ask, whatever they call the path.
    ///
    /// It makes the folder, so it is not for a caller's thread.
    static func shared(path: String, vfs: String?, busyTimeout: Int32) throws(PaginatorError) -> SQLiteFile {
        try check(path)
        let path = ExactText(try resolved(path))
        return registry.withLock { files in
            if let known = files[path]?.file { return known }
            // Where it grows: a process that opens many files in turn keeps no entry for each.
            files = files.filter { $0.value.file != nil }
            let file = SQLiteFile(path: path.text, vfs: vfs, busyTimeout: busyTimeout)
            files[path] = Entry(file: file)
            return file
        }
    }

    /// The path with its folder, which is made when it is missing, as the system calls it.
    private static func resolved(_ path: String) throws(PaginatorError) -> String {
        let url = URL(filePath: path)
        let folder = url.deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw PaginatorError(
                store: StoreFailure(.unavailable, operation: "make folder", message: "\(error)"),
                "The folder \(folder) of the store's file could not be made.")
        }
        // Two names of one folder, by a link or by "..", must give one handle: two writers would wait for each other. Of the
        // folder, since the file itself may not be there yet.
        guard let real = realpath(folder, nil) else { return path }
        defer { free(real) }
        let text = String(cString: real)
        return (text == "/" ? "" : text) + "/" + url.lastPathComponent
    }
}
