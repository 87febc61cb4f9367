import AppFoundation
package import Foundation

/// Likes a post, or removes the like. Both are separate operations and are never merged. A post that the server does
/// not have yet cannot be liked.
package struct ToggleLike: Sendable {
    let interactions: any InteractionRepository

    package func callAsFunction(_ post: Int64, isLiked: Bool) async throws {
        guard post > 0 else { return }
        try await interactions.interact(isLiked ? .removedLike : .liked, on: post)
    }
}

/// Bookmarks a post, or removes the bookmark.
package struct ToggleBookmark: Sendable {
    let interactions: any InteractionRepository

    package func callAsFunction(_ post: Int64, isBookmarked: Bool) async throws {
        guard post > 0 else { return }
        try await interactions.interact(isBookmarked ? .removedBookmark : .bookmarked, on: post)
    }
}

/// Shares a post that the server has; each share counts, from the number that the user sees.
package struct SharePost: Sendable {
    let interactions: any InteractionRepository

    package func callAsFunction(_ post: Int64, seeing count: Int) async throws {
        guard post > 0 else { return }
        try await interactions.share(post, seeing: count)
    }
}

/// Publishes a post, which is shown at once.
package struct PublishPost: Sendable {
    let interactions: any InteractionRepository

    @discardableResult
    package func callAsFunction(
        _ content: String, attachments: [NewAttachment] = [], at publishAt: Date? = nil
    ) async throws -> PostRequest {
        try await interactions.publish(content, attachments: attachments, at: publishAt)
    }
}

/// Adds a comment, or a reply to one.
package struct AddComment: Sendable {
    let interactions: any InteractionRepository

    package func callAsFunction(_ content: String, on post: Int64, replyingTo parent: Int64? = nil) async throws {
        try await interactions.comment(content, on: post, replyingTo: parent)
    }
}

/// Sends the draft of an edit to the server, which refuses it after an edit of another device.
package struct SaveEdit: Sendable {
    let posts: any FeedRepository
    let drafts: any DraftRepository

    package func callAsFunction(_ post: Int64) async throws -> EditOutcome {
        try await DraftSaving(drafts: drafts, id: post) { draft in
            try await posts.edit(post, content: draft.content, baseVersion: draft.baseVersion).version
        } server: {
            let server = try await posts.detail(post)
            return (server.content, server.version)
        } isGone: {
            try await posts.postIsGone(post)
        }()
    }
}

/// The user's choice for a draft in conflict.
package enum ConflictChoice: Sendable {
    case keepMine, takeTheirs
}

/// Resolves the conflict of a draft with the user's choice.
package struct ResolveConflict: Sendable {
    let drafts: any DraftRepository
    let save: SaveEdit

    package func callAsFunction(_ post: Int64, _ choice: ConflictChoice) async throws -> EditOutcome {
        switch choice {
        case .takeTheirs:
            try await drafts.remove(of: post)
            return .saved
        case .keepMine:
            try await drafts.keepMine(of: post)
            return try await save(post)
        }
    }
}

/// Deletes the user's post in all lists and screens.
package struct DeletePost: Sendable {
    let posts: any FeedRepository

    package func callAsFunction(_ post: Int64) async throws {
        try await posts.delete(post)
    }
}
