/// An action of a user on a post.
package enum InteractionAction: String, Codable, Sendable, CaseIterable {
    case liked = "LIKED"
    case removedLike = "REMOVED_LIKE"
    case shared = "SHARED"
    case bookmarked = "BOOKMARKED"
    case removedBookmark = "REMOVED_BOOKMARK"
}

/// The interactions that the server has not accepted yet, in order, which every screen applies over the server's
/// values. A value, computed from the outbox's rows.
package struct PendingInteractions: Sendable, Equatable {
    private let actions: [Int64: [InteractionAction]]
    private let shareCounts: [Int64: Int]

    /// - Parameter shareCounts: the share counts of posts after the user's shares.
    package init(_ actions: [Int64: [InteractionAction]] = [:], shareCounts: [Int64: Int] = [:]) {
        self.actions = actions
        self.shareCounts = shareCounts
    }

    /// The posts with pending interactions.
    package var postIDs: Set<Int64> { Set(actions.keys) }

    /// Returns whether a post has pending interactions.
    package func has(_ post: Int64) -> Bool { actions[post] != nil }

    /// Applies a post's interactions over the server's values. Liking a liked post changes nothing, and a share counts
    /// from the number that the user saw, so it does not matter whether the server has accepted them already.
    package func over(_ post: Post) -> Post {
        guard let actions = actions[post.id] else { return post }
        var post = post
        for action in actions { Self.fold(action, &post.isLiked, &post.likeCount) }
        post.shareCount = max(post.shareCount, shareCounts[post.id] ?? 0)
        return post
    }

    /// Applies a post's interactions; see ``over(_:)``.
    package func over(_ post: PostDetail) -> PostDetail {
        guard let actions = actions[post.id] else { return post }
        var post = post
        for action in actions {
            Self.fold(action, &post.isLiked, &post.likeCount)
            switch action {
            case .bookmarked: post.isBookmarked = true
            case .removedBookmark: post.isBookmarked = false
            case .shared, .liked, .removedLike: break
            }
        }
        post.shareCount = max(post.shareCount, shareCounts[post.id] ?? 0)
        return post
    }

    private static func fold(_ action: InteractionAction, _ isLiked: inout Bool, _ likeCount: inout Int) {
        switch action {
        case .liked where !isLiked:
            isLiked = true
            likeCount += 1
        case .removedLike where isLiked:
            isLiked = false
            likeCount = max(0, likeCount - 1)
        default: break
        }
    }
}
