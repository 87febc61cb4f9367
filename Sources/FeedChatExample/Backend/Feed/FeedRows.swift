import Foundation
import GRDB

extension Row {
    /// Returns the row of an existing post.
    ///
    /// - Throws: a refusal with 404, or with 410 for a post that was deleted.
    static func post(_ db: Database, _ id: Int64) throws -> Row {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM post WHERE id = ?", arguments: [id]) else {
            throw BackendRefusal(404, "there is no such post")
        }
        guard row["isDeleted"] == 0 else { throw BackendRefusal(410, "the post was deleted") }
        return row
    }

    fileprivate var createdAt: Date { Date(timeIntervalSince1970: Double(self["createdAt"] as Int64) / 1_000) }

    fileprivate func author(id column: String) -> BackendUser {
        BackendUser(id: self[column], name: self["name"], profileImageThumbnailUrl: self["profileImageThumbnailUrl"])
    }
}

extension PostPreviewAnswer {
    init(_ row: Row) {
        self.init(
            postId: row["id"], contentSummary: row["summary"], author: row.author(id: "authorId"),
            createdAt: row.createdAt, liked: row["liked"], likeCount: row["likeCount"],
            commentCount: row["commentCount"], shareCount: row["shareCount"], attachmentCount: row["attachmentCount"],
            attachmentPreviewImageUrl: row["preview"])
    }
}

extension CommentAnswer {
    init(_ row: Row) {
        self.init(
            commentId: row["id"], postId: row["postId"], author: row.author(id: "userId"), content: row["content"],
            createdAt: row.createdAt, parentId: row["parentId"], replyCount: row["replyCount"])
    }

    /// The columns of a comment.
    static let columns = """
        comment.*, user.name, user.profileImageThumbnailUrl,
        (SELECT count(*) FROM comment AS reply WHERE reply.parentId = comment.id) AS replyCount
        """

    static func fetch(_ db: Database, _ id: Int64) throws -> CommentAnswer? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT \(columns) FROM comment
                JOIN user ON user.id = comment.userId WHERE comment.id = ?
                """, arguments: [id]
        ).map(CommentAnswer.init)
    }
}

extension PostCountersAnswer {
    static func fetch(_ db: Database, _ id: Int64, for user: BackendUser) throws -> PostCountersAnswer {
        let row = try Row.post(db, id)
        return PostCountersAnswer(
            postId: id, liked: try has("postLike", db, id, user), bookmarked: try has("bookmark", db, id, user),
            likeCount: row["likeCount"], shareCount: row["shareCount"], commentCount: row["commentCount"])
    }

    private static func has(_ table: String, _ db: Database, _ id: Int64, _ user: BackendUser) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE postId = ? AND userId = ?)", arguments: [id, user.id])
            ?? false
    }
}

extension PostDetailAnswer {
    static func fetch(_ db: Database, _ id: Int64, for user: BackendUser) throws -> PostDetailAnswer {
        let row = try Row.post(db, id)
        let counters = try PostCountersAnswer.fetch(db, id, for: user)
        let author = try BackendUser.fetchOne(
            db, sql: "SELECT * FROM user WHERE id = ?", arguments: [row["authorId"] as Int64])
        guard let author else { throw BackendRefusal(404, "the author is gone") }
        let attachments = try Row.fetchAll(
            db, sql: "SELECT * FROM attachment WHERE postId = ? ORDER BY id", arguments: [id])
        return PostDetailAnswer(
            postId: id, version: row["version"], content: row["content"], author: author, createdAt: row.createdAt,
            liked: counters.liked, bookmarked: counters.bookmarked, likeCount: counters.likeCount,
            shareCount: counters.shareCount, commentCount: counters.commentCount,
            attachments: attachments.map { row in
                AttachmentAnswer(
                    id: row["id"], type: row["type"], contentUrl: row["contentUrl"],
                    previewImageUrl: row["previewImageUrl"], caption: row["caption"])
            })
    }
}
