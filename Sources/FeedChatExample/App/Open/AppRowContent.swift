import AppFoundation
import ChatClient
import ChatWire
import FeedClient
import Foundation
import MediaLoader
import RichText

/// What a row shows. Rows are compared as models, and become JSON only where they are sent.
enum AppRowContent: Sendable, Hashable {
    case post(PostRow)
    /// The post of a screen of its own, with what its text came to.
    case detail(PostDetail, RichText?)
    /// A post that was given up, with what is said about it.
    case failedPost(PostRequest, String)
    case comment(Comment, CommentPlace)
    case failedComment(CommentRequest, String)
    /// What stands below the replies to a comment.
    case threadEnd(Int64, Footer)
    case hit(FeedClient.SearchHit)
    case scheduled(ScheduledPost)
    case waitingPost(PostRequest)
    case chat(ConversationPreview, ContactInfo?)
    /// Somebody, or a group, with whom there is no chat yet.
    case contact(User)
    case message(Message, MessagePlace)
    case waiting(MessageRequest)
    case chatHit(ChatClient.SearchHit)
    case gap
    case separator(String)
    case placeholder(String)
    case footer(Footer)

    /// What a comment's row shows beside the comment.
    struct CommentPlace: Sendable, Hashable {
        var isMine: Bool
        var isOpen = false
        var parent: String?
    }

    /// What a message's row shows beside the message.
    struct MessagePlace: Sendable, Hashable {
        var isMine: Bool
        /// Who wrote it, in a group.
        var author: String?
        var actions: [MessageAction]
    }

    /// The end of what is loaded.
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

    /// Rows that stand where others are being loaded.
    ///
    /// - Parameter like: what they stand for.
    static func placeholders(_ like: String, count: Int = 6) -> [AppRow] {
        (0..<count).map { AppRow(id: "placeholder\($0)", content: .placeholder(like)) }
    }

    static func footer(
        _ state: AppRowContent.Footer.State, _ text: String = "", edge: AppRowContent.Footer.Edge = .after
    ) -> AppRow {
        AppRow(id: "footer-\(edge.rawValue)", content: .footer(.init(state: state, edge: edge, text: text)))
    }

    /// The footer of a list that goes on after its rows; none where nothing is to be said.
    static func footer(isPaging: Bool, isAtEnd: Bool, error: String?, _ texts: AppTexts) -> [AppRow] {
        if isPaging { return [footer(.loading)] }
        if let error { return [footer(.failed, error)] }
        return isAtEnd ? [footer(.end, texts.thatIsAll)] : []
    }
}

/// The address under which the page finds an image of the backend; `nil` for what is none of its media.
func mediaAddress(_ path: String?, width: Int) -> AppJSON? {
    guard let path = path.flatMap(MediaPath.init),
        let kept = path.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    else { return nil }
    return .string("/media\(kept)?w=\(width)")
}
