import Foundation
import MediaLoader
import PaginatorStorage

/// An image as the browser gets it. Which size is loaded, and from where, the media loader decides on queues of its own.
struct MediaAnswer: Sendable {
    let bytes: Data
    let type: String
    /// Whether it is the quality that was asked for, and not a lesser one for want of it.
    let isFinal: Bool

    /// Waits for the last step of an image; `nil` where there is none.
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
    /// What its first bytes say; `nil` for what is no image.
    fileprivate var header: ImageHeader? {
        do { return try value } catch { return nil }
    }
}
