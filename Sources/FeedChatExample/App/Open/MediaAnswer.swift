import Foundation
import MediaLoader
import PaginatorStorage

/// An image for the browser. The media loader decides its size and source on its own queues.
struct MediaAnswer: Sendable {
    let bytes: Data
    let type: String
    /// Whether it has the requested quality, or a lower one as a fallback.
    let isFinal: Bool

    /// Waits for the last step of an image; `nil` if there is none.
    static func image(_ path: String, width: Int, _ loader: MediaLoader) async -> MediaAnswer? {
        guard let path = MediaPath(path) else { return nil }
        let (steps, continuation) = AsyncStream<ImageStep>.makeStream()
        let request = loader.image(path, shownWidth: width) { step in
            continuation.yield(step)
            switch step {
            case .preview: break
            case .image, .failed: continuation.finish()
            }
        }
        defer { request.cancel() }
        var answer: MediaAnswer?
        for await step in steps {
            switch step {
            case .preview(let item, _): answer = MediaAnswer(item, isFinal: false)
            case .image(let item, let quality):
                answer = MediaAnswer(item, isFinal: !path.hasQualities || quality.width >= min(width, 1_080))
            case .failed: break
            }
        }
        return answer
    }

    private init?(_ item: MediaItem, isFinal: Bool) {
        guard let header = item.header else { return nil }
        bytes = Data(item.bytes)
        self.isFinal = isFinal
        type =
            switch header.format {
            case .png: "image/png"
            case .jpeg: "image/jpeg"
            case .gif: "image/gif"
            case .webp: "image/webp"
            }
    }
}

extension MediaItem {
    /// The header in its first bytes; `nil` if it is not an image.
    fileprivate var header: ImageHeader? {
        do { return try value } catch { return nil }
    }
}
