import AppFoundation
package import Foundation

/// Likes what is not liked, and takes the like back otherwise. Both are operations of their own, never collapsed.
package struct ToggleLike: Sendable {
    let interactions: any InteractionRepository

    package func callAsFunction(_ post: Int64, isLiked: Bool) async throws {
        try await interactions.interact(isLiked ? .removedLike : .liked, on: post)
    }
}

/// Bookmarks what is not bookmarked, and takes the bookmark back otherwise.
package struct ToggleBookmark: Sendable {
    let interactions: any InteractionRepository

    package func callAsFunction(_ post: Int64, isBookmarked: Bool) async throws {
        try await interactions.interact(isBookmarked ? .removedBookmark : .bookmarked, on: post)
    }
}

/// Shares a post; each time counts, from the number that the user sees.
package struct SharePost: Sendable {
    let interactions: any InteractionRepository

    package func callAsFunction(_ post: Int64, seeing count: Int) async throws {
        try await interactions.share(post, seeing: count)
    }
}

/// Writes a post: it shows at once, and its draft is done with.
package struct PublishPost: Sendable {
    let interactions: any InteractionRepository
    let drafts: any DraftRepository

    @discardableResult
    package func callAsFunction(
        _ content: String, attachments: [NewAttachment] = [], at publishAt: Date? = nil
    ) async throws -> PostRequest {
        let request = try await interactions.publish(content, attachments: attachments, at: publishAt)
        try await drafts.remove(of: DraftStore.newPost)
        return request
    }
}

/// Writes a comment, or a reply to one.
package struct AddComment: Sendable {
    let interactions: any InteractionRepository

    package func callAsFunction(_ content: String, on post: Int64, replyingTo parent: Int64? = nil) async throws {
        try await interactions.comment(content, on: post, replyingTo: parent)
    }
}

/// Sends the draft of an edit to the server, which may refuse it for one of another device.
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

/// What the user chose for a draft in conflict.
package enum ConflictChoice: Sendable {
    case keepMine, takeTheirs
}

/// Ends the conflict of a draft as the user chose.
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

/// Deletes one's own post, everywhere.
package struct DeletePost: Sendable {
    let posts: any FeedRepository

    package func callAsFunction(_ post: Int64) async throws {
        try await posts.delete(post)
    }
}
