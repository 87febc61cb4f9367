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

/// What became of an edit.
package enum EditOutcome: Sendable, Equatable {
    case saved
    /// Somebody changed the post meanwhile; the draft has both texts, and the user chooses.
    case conflict
    /// The post is not there any more; the draft stays.
    case gone
    /// Nobody was reached; the draft stays.
    case offline
}

/// Sends the draft of an edit to the server, which may refuse it for one of another device.
package struct SaveEdit: Sendable {
    let posts: any FeedRepository
    let drafts: any DraftRepository

    package func callAsFunction(_ post: Int64) async throws -> EditOutcome {
        guard let draft = try await drafts.draft(of: post), !draft.isInConflict else { return .conflict }
        do {
            let saved = try await posts.edit(post, content: draft.content, baseVersion: draft.baseVersion)
            try await drafts.saved(draft, version: saved.version)
            return .saved
        } catch let error as APIError where error.status == 409 {
            let server = try await posts.detail(post)
            try await drafts.setConflict(of: post, with: server.content, version: server.version)
            return .conflict
        } catch let error as APIError where error.status == 404 || error.status == 410 {
            try await posts.postIsGone(post)
            return .gone
        } catch is APIError {
            return .offline
        }
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
