package import Foundation
import PaginatorCore
import PaginatorLists

/// A post as a row of a screen: what the server says with what is pending over it.
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
    /// Whether the server does not have the post itself yet.
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

/// The rows of a list: made when they are looked at, so that a screen costs what it shows and not what is loaded.
package struct PostRows: RandomAccessCollection, Sendable {
    let snapshot: PaginatorListSnapshot<Post, Int64>
    let pending: PendingInteractions

    package var startIndex: Int { 0 }
    package var endIndex: Int { snapshot.count }
    package subscript(position: Int) -> PostRow { PostRow(snapshot[position], pending) }

    /// Whether another state of the list looks the same, though items behind it have changed.
    func looksLike(
        _ new: PostRows, after difference: PaginatorListDifference<Post>
    ) -> Bool {
        difference.removals.isEmpty && difference.insertions.isEmpty && difference.moves.isEmpty
            && difference.updates.allSatisfy { self[$0.position] == new[$0.position] }
    }
}
