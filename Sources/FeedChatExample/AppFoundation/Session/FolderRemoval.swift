package import Foundation

/// Removes a folder in which a database that is being closed may add or remove its log meanwhile.
package struct FolderRemoval: Sendable {
    /// The maximum number of attempts.
    private static let attemptLimit = 5

    private let removeItem: @Sendable (URL) throws -> Void

    /// Creates a removal.
    ///
    /// - Parameter removeItem: removes a folder with its contents; the file system's function by default.
    package init(removeItem: @escaping @Sendable (URL) throws -> Void = { try FileManager.default.removeItem(at: $0) })
    {
        self.removeItem = removeItem
    }

    /// Removes a folder.
    ///
    /// - Throws: the error of the last attempt, if the folder still exists.
    package func callAsFunction(_ folder: URL) throws {
        for _ in 1..<Self.attemptLimit {
            do {
                return try removeItem(folder)
            } catch {
                guard FileManager.default.fileExists(atPath: folder.path) else { return }
            }
        }
        try removeItem(folder)
    }
}
