package import Foundation

/// Removes a folder, to which a database that is being closed may add its log meanwhile, or take it away.
package struct FolderRemoval: Sendable {
    /// How often it is tried at most.
    private static let attemptLimit = 5

    private let removeItem: @Sendable (URL) throws -> Void

    /// Makes a removal.
    ///
    /// - Parameter removeItem: removes a folder with what is in it; the file system's by default.
    package init(removeItem: @escaping @Sendable (URL) throws -> Void = { try FileManager.default.removeItem(at: $0) })
    {
        self.removeItem = removeItem
    }

    /// Removes a folder.
    ///
    /// - Throws: what the last attempt threw, if the folder is still there.
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
