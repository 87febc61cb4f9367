import Foundation
import Testing

@testable import FeedClient

/// Changes of a post that come in another order than they happened.
@Suite struct PostChangeTests {
    private let author = Author(id: 1, name: "Ada", imagePath: "")

    private var post: Post {
        Post(
            id: 7, summary: "old", author: author, createdAt: Date(timeIntervalSince1970: 0), isLiked: false,
            likeCount: 3, commentCount: 0, attachmentCount: 0, previewImagePath: nil)
    }

    private func detail(version: Int, _ content: String, likes: Int = 3) -> PostDetail {
        PostDetail(
            id: 7, version: version, content: content, author: author, createdAt: Date(timeIntervalSince1970: 0),
            isLiked: false, isBookmarked: false, likeCount: likes, shareCount: 0, commentCount: 0, attachments: [])
    }

    private func counters(comments: Int) -> PostChange {
        PostChange(
            postID: 7,
            kind: .counters(
                PostCounters(
                    postID: 7, isLiked: true, isBookmarked: true, likeCount: 4, shareCount: 2, commentCount: comments)))
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func `a comment counts though counters of before it come after it`(_ order: [Int]) throws {
        let changes = [counters(comments: 0), PostChange(postID: 7, kind: .commented(count: 1))]
        var (row, opened) = (post, detail(version: 1, "old"))
        for index in order {
            row = try #require(changes[index].apply(to: row))
            opened = try #require(changes[index].apply(to: opened))
        }
        #expect(row.commentCount == 1 && row.likeCount == 4 && row.shareCount == 2 && row.isLiked)
        #expect(opened.commentCount == 1 && opened.likeCount == 4 && opened.shareCount == 2 && opened.isBookmarked)
    }

    @Test func `an older edit changes nothing, and no edit changes likes and counts`() throws {
        func edit(_ version: Int) -> PostChange {
            let detail = detail(version: version, "version \(version)", likes: 0)
            return PostChange(postID: 7, kind: .edited(detail, summary: "version \(version)"))
        }
        var opened = detail(version: 2, "version 2")
        opened = try #require(edit(1).apply(to: opened))
        #expect(opened == detail(version: 2, "version 2"))
        opened = try #require(edit(3).apply(to: opened))
        #expect(opened == detail(version: 3, "version 3"))
        let row = try #require(edit(3).apply(to: post))
        #expect(row.summary == "version 3" && row.likeCount == 3)
    }
}
