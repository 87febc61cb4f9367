import FeedClient
import Foundation

/// Posts to measure with: the same in every run.
enum SamplePosts {
    static func make(count: Int) -> [Post] {
        let words = ["good", "morning", "naïve", "日本語", "plain", "👩‍👩‍👧‍👦", "and", "nothing", "else"]
        return (0..<count).map { number in
            // A linear congruential generator, by Knuth.
            let random = UInt64(number) &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let length = 5 + Int(random >> 59)
            let text = (0..<length).map { words[Int((random >> UInt64($0)) % UInt64(words.count))] }
            let author = Int64(random >> 56) % 40
            let hasImage = random >> 62 == 0
            return Post(
                id: Int64(7_000_000_000_000_000 - number), summary: text.joined(separator: " "),
                author: Author(id: author, name: "Author \(author)", imagePath: "/cdn/images/avatar-\(author)"),
                createdAt: Date(timeIntervalSince1970: 1_750_000_000 - Double(number) * 97),
                isLiked: random >> 63 == 0, likeCount: Int(random >> 50), commentCount: Int(random >> 58),
                attachmentCount: hasImage ? 1 : 0, previewImagePath: hasImage ? "/cdn/images/\(number)" : nil)
        }
    }
}
