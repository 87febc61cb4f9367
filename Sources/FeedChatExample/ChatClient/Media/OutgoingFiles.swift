import Foundation

/// The files of waiting messages, in a folder next to the database. A file is written before its row and removed after
/// it, so that a kill leaves at most unused files, which are removed at the next start.
struct OutgoingFiles: Sendable {
    let folder: URL

    func file(_ requestId: String) -> URL { folder.appending(path: requestId) }

    func thumbnail(_ requestId: String) -> URL { folder.appending(path: requestId + "-thumbnail") }

    @concurrent
    func keep(_ media: NewMedia, of requestId: String) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try media.content.write(to: file(requestId), options: .atomic)
        try media.thumbnail?.write(to: thumbnail(requestId), options: .atomic)
    }

    @concurrent
    func remove(_ requestId: String) async throws {
        for file in [file(requestId), thumbnail(requestId)] where FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.removeItem(at: file)
        }
    }

    /// Removes the files that these requests do not name.
    @concurrent
    func removeAll(but requestIds: Set<String>) async throws {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        let named = Set(requestIds.flatMap { [file($0), thumbnail($0)] }.map(\.lastPathComponent))
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !named.contains(name) {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }
}
