import AppFoundation
import ChatClient
import ChatWire
import FeedClient
import Foundation
import MediaLoader
import RichText

/// The content of a row. Rows are compared as models, and become JSON only when they are sent.
enum AppRowContent: Sendable, Hashable {
    case post(PostRow)
    /// The post of its own screen, with its parsed text.
    case detail(PostDetail, RichText?)
    /// A post that failed, with the error text.
    case failedPost(PostRequest, String)
    case comment(Comment, CommentPlace)
    case failedComment(CommentRequest, String)
    /// The row below the replies to a comment.
    case threadEnd(Int64, Footer)
    case hit(FeedClient.SearchHit)
    case scheduled(ScheduledPost)
    case waitingPost(PostRequest)
    case chat(ConversationPreview, ContactInfo?)
    /// A user or a group without a chat.
    case contact(User)
    case message(Message, MessagePlace)
    case waiting(MessageRequest)
    case chatHit(ChatClient.SearchHit)
    case gap
    case separator(String)
    case placeholder(String)
    case footer(Footer)

    /// The extra content of a comment's row.
    struct CommentPlace: Sendable, Hashable {
        var isMine: Bool
        var isOpen = false
        var parent: String?
    }

    /// The extra content of a message's row.
    struct MessagePlace: Sendable, Hashable {
        var isMine: Bool
        /// The author's name, in a group.
        var author: String?
        var actions: [MessageAction]
    }

    /// The end of the loaded rows.
    struct Footer: Sendable, Hashable {
        enum State: String, Sendable { case loading, failed, more, end }
        enum Edge: String, Sendable { case before, after }
        var state: State
        var edge = Edge.after
        var text = ""
    }
}

extension AppRow {
    var json: AppJSON {
        guard case .object(var members) = content.json else { return .null }
        members["id"] = .string(id)
        return .object(members)
    }

    /// Returns placeholder rows for rows that are being loaded.
    ///
    /// - Parameter like: the kind of the rows.
    static func placeholders(_ like: String, count: Int = 6) -> [AppRow] {
        (0..<count).map { AppRow(id: "placeholder\($0)", content: .placeholder(like)) }
    }

    static func footer(
        _ state: AppRowContent.Footer.State, _ text: String = "", edge: AppRowContent.Footer.Edge = .after
    ) -> AppRow {
        AppRow(id: "footer-\(edge.rawValue)", content: .footer(.init(state: state, edge: edge, text: text)))
    }

    /// Returns the footer of a list; none if there is nothing to show.
    static func footer(isPaging: Bool, isAtEnd: Bool, error: String?, _ texts: AppTexts) -> [AppRow] {
        if isPaging { return [footer(.loading)] }
        if let error { return [footer(.failed, error)] }
        return isAtEnd ? [footer(.end, texts.thatIsAll)] : []
    }
}

/// Returns the page's address of an image of the backend; `nil` if the path is not one of its media.
func mediaAddress(_ path: String?, width: Int) -> AppJSON? {
    guard let path = path.flatMap(MediaPath.init),
        let kept = path.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    else { return nil }
    return .string("/media\(kept)?w=\(width)")
}
