package import Foundation

/// A destination in the chat; it contains ids, never models.
package enum ChatRoute: Sendable, Hashable {
    case chats
    /// A conversation, at the first unread message or at a given one.
    case conversation(String, at: Int64? = nil)
    /// The members of a group.
    case group(String)
    /// A search text, for one conversation or for all.
    case search(String, in: String? = nil)

    /// The name of the screen in a log, without user data.
    var name: String {
        switch self {
        case .chats: "chats"
        case .conversation: "conversation"
        case .group: "group"
        case .search: "search in messages"
        }
    }

    /// Returns the screens of a link, the first one first; `nil` if it is not a valid link of the chat.
    ///
    /// Links may come from anywhere, so they only show data that is on the device, and perform no action.
    ///
    ///     paginator-example://chats
    ///     paginator-example://chats/42
    ///     paginator-example://chats/42/messages/77
    ///     paginator-example://chats/42/members
    ///     paginator-example://chats/search?text=nine&in=42
    package static func path(of link: URL) -> [ChatRoute]? {
        guard link.scheme == "paginator-example", link.host() == "chats" else { return nil }
        let parts = link.pathComponents.filter { $0 != "/" }
        guard parts.allSatisfy({ $0.utf8.count <= 64 }) else { return nil }
        if parts == ["search"] {
            let query = URLComponents(url: link, resolvingAgainstBaseURL: true)?.queryItems ?? []
            let value = { name in query.first { $0.name == name }?.value }
            return [.chats, .search(String((value("text") ?? "").prefix(200)), in: value("in"))]
        }
        switch parts.count {
        case 0: return [.chats]
        case 1: return [.chats, .conversation(parts[0])]
        case 2 where parts[1] == "members": return [.chats, .conversation(parts[0]), .group(parts[0])]
        case 3 where parts[1] == "messages":
            guard let id = Int64(parts[2]) else { return nil }
            return [.chats, .conversation(parts[0], at: id)]
        default: return nil
        }
    }

    /// Returns the link to a message, for sharing; the id is the same on the other side.
    package static func link(to messageId: Int64, with contactId: String) -> URL? {
        URL(string: "paginator-example://chats")?.appending(components: contactId, "messages", "\(messageId)")
    }
}
