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

    /// Throws an error for an invalid path.
    static func check(_ path: String) throws(PaginatorError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw PaginatorError(
                store: StoreFailure(.unavailable, operation: "open", message: "The path is empty or contains a NUL."),
                "The path of the store's file is empty or contains a NUL.")
        }
    }

    /// Returns this process's handle of the file at `path`: the same one for every name of the path.
    ///
    /// It creates the folder, so it must not run on a caller's thread.
    static func shared(path: String, vfs: String?, busyTimeout: Int32) throws(PaginatorError) -> SQLiteFile {
        try check(path)
        let path = ExactText(try resolved(path))
        return registry.withLock { files in
            if let known = files[path]?.file { return known }
            // Cleaned up as it grows, so that a process that opens many files in turn does not keep an entry for each.
            files = files.filter { $0.value.file != nil }
            let file = SQLiteFile(path: path.text, vfs: vfs, busyTimeout: busyTimeout)
            files[path] = Entry(file: file)
            return file
        }
    }

    /// The path as the system resolves it; its folder is created if it is missing.
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
        // Two names of one folder, by a link or "..", must give one handle, because two writers would wait for each
        // other. Only the folder is resolved, because the file may not exist yet.
        guard let real = realpath(folder, nil) else { return path }
        defer { free(real) }
        let text = String(cString: real)
        return (text == "/" ? "" : text) + "/" + url.lastPathComponent
    }
}
