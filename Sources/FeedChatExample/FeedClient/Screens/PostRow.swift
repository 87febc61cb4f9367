package import Foundation
import PaginatorCore
import PaginatorLists

/// A post as a row of a screen: the server's values with pending interactions applied.
package struct PostRow: Identifiable, Hashable, Sendable {
    package let id: Int64
    package let authorID: Int64
    package let authorName: String
    package let authorImagePath: String
    package let createdAt: Date
    package let text: String
    package let isLiked: Bool
    package let likeCount: Int
    package let commentCount: Int
    package let shareCount: Int
    package let attachmentCount: Int
    package let previewImagePath: String?
    /// Whether the post itself is not on the server yet.
    package let isSending: Bool

    init(_ post: Post, _ pending: PendingInteractions) {
        let post = pending.over(post)
        id = post.id
        authorID = post.author.id
        authorName = post.author.name
        authorImagePath = post.author.imagePath
        createdAt = post.createdAt
        text = post.summary
        isLiked = post.isLiked
        likeCount = post.likeCount
        commentCount = post.commentCount
        shareCount = post.shareCount
        attachmentCount = post.attachmentCount
        previewImagePath = post.previewImagePath
        isSending = post.id < 0
    }
}

/// The rows of a list, created when they are read, so that a screen costs only its visible rows.
package struct PostRows: RandomAccessCollection, Sendable {
    let snapshot: PaginatorListSnapshot<Post, Int64>
    let pending: PendingInteractions

    package var startIndex: Int { 0 }
    package var endIndex: Int { snapshot.count }
    package subscript(position: Int) -> PostRow { PostRow(snapshot[position], pending) }

    /// Returns whether another state of the list looks the same, although items behind it have changed.
    func looksLike(
        _ new: PostRows, after difference: PaginatorListDifference<Post>
    ) -> Bool {
        difference.removals.isEmpty && difference.insertions.isEmpty && difference.moves.isEmpty
            && difference.updates.allSatisfy { self[$0.position] == new[$0.position] }
    }
}
