import Foundation

/// Pages as JSON, a file each: what an app begins with.
struct JSONFiles {
    let folder: URL
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init(folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func save(_ stories: [Story], as key: String) throws {
        try encoder.encode(stories).write(to: folder.appendingPathComponent(key + ".json"), options: .atomic)
    }

    func load(_ key: String) throws -> [Story] {
        try decoder.decode([Story].self, from: Data(contentsOf: folder.appendingPathComponent(key + ".json")))
    }
}
