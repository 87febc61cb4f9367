import ExampleBackend
import Foundation

/// A sample image for attachments, because there is no photo library.
struct SampleAttachment: Sendable, Hashable {
    static let all = ["sea", "hills", "city", "garden"].map { SampleAttachment(name: $0) }

    let id: String

    private init(name: String) { id = name }

    /// Returns the image of an id; `nil` if there is none.
    init?(_ id: String?) {
        guard let found = Self.all.first(where: { $0.id == id }) else { return nil }
        self = found
    }

    var content: Data { SampleImage.png(seed: id, width: 720, height: 480) }
    var thumbnail: Data { SampleImage.png(seed: id, width: 60, height: 40) }

    var json: AppJSON { ["id": .string(id), "alt": .string(id), "src": .string("/media/sample/\(id)")] }
}
