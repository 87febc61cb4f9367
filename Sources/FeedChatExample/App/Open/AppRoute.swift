import AppFoundation
import ChatClient
import FeedClient
import Foundation

/// A place that the page can show.
struct AppRoute: Sendable, Hashable {
    let kind: String
    var with = AppJSON.object([:])

    /// Creates the screen.
    ///
    /// - Parameter changed: called when the screen has changed.
    /// - Returns: `nil` if the route names something that does not exist.
    @MainActor func makeScreen(
        _ model: AppModel, changed: @escaping @MainActor () -> Void
    ) async throws -> (any AppScreen)? {
        let contact = with["conversation"]?.string
        switch kind {
        case "feed": return FeedPage(model, changed: changed)
        case "post":
            guard let post = Self.number(with["post"]) else { return nil }
            return try await PostPage(model, post: post, changed: changed)
        case "profile":
            guard let user = Self.number(with["user"] ?? .string(model.feed.user.id)) else { return nil }
            return ProfilePage(model, user: user, changed: changed)
        case "compose": return try await ComposePage(model, changed: changed)
        case "scheduled": return ScheduledPage(model, changed: changed)
        case "search": return SearchPage(model, text: with["text"]?.string ?? "", changed: changed)
        case "chats": return await ChatsPage(model, changed: changed)
        case "conversation":
            return try await ConversationPage(
                model, contact: contact ?? "", at: Self.number(with["message"]), changed: changed)
        case "chatSearch":
            return ChatSearchPage(model, text: with["text"]?.string ?? "", contact: contact, changed: changed)
        case "group": return try await GroupPage(model, group: contact, changed: changed)
        case "settings": return SettingsPage(model, changed: changed)
        default: return nil
        }
    }

    /// Returns the number of a row such as `p12`, or of an id.
    private static func number(_ value: AppJSON?) -> Int64? {
        if let number = value?.int { return number }
        guard let text = value?.string, let first = text.first, first.isLetter else { return nil }
        return Int64(text.dropFirst())
    }
}

extension AppRoute {
    init(_ route: FeedRoute) {
        switch route {
        case .feed: self.init(kind: "feed")
        case .post(let id): self.init(kind: "post", with: ["post": .string("p\(id)")])
        case .profile(let id): self.init(kind: "profile", with: ["user": .string("\(id)")])
        case .compose: self.init(kind: "compose")
        case .scheduled: self.init(kind: "scheduled")
        case .search(let text): self.init(kind: "search", with: ["text": .string(text)])
        }
    }
}
