import AppFoundation
package import Foundation
import PaginatorCore

/// The navigation of the chat: a path of screens, extended by taps, links and notifications.
@MainActor
package final class ChatCoordinator {
    private let service: ChatService
    private let media: ChatMedia?
    private let storage: StorageWatch?
    /// The screens from the first one to the visible one.
    package private(set) var path: [ChatRoute] = [.chats] {
        didSet { if let screen = path.last { service.log?(.ui, .info, "shows \(screen.name)") } }
    }

    package init(_ service: ChatService, media: ChatMedia? = nil, storage: StorageWatch? = nil) {
        self.service = service
        self.storage = storage
        self.media = media
    }

    package func show(_ route: ChatRoute) { path.append(route) }

    package func goBack() {
        if path.count > 1 { path.removeLast() }
    }

    /// Opens a link, such as `paginator-example://chats/42`, also from a notification.
    ///
    /// - Returns: whether it is a valid link of the chat.
    package func open(_ link: URL) -> Bool {
        guard let path = ChatRoute.path(of: link) else { return false }
        self.path = path
        return true
    }

    package func makeList() -> ChatListScreen { ChatListScreen(service, media: media, storage: storage) }

    /// Creates the screen of a conversation, to be opened at the route's message.
    ///
    /// - Returns: `nil` if no user on this device has the id.
    package func makeConversation(with contactId: String, pageSize: Int = 50) async throws -> ConversationScreen? {
        guard contactId != service.database.userId,
            let contact = try await service.database.read({ try $0.user(contactId) })
        else { return nil }
        return ConversationScreen(service, contact: contact, pageSize: pageSize, media: media, storage: storage)
    }

    package func makeGroup(_ id: String) -> GroupScreen { GroupScreen(service, group: id) }

    /// Creates the search of one conversation, or of all.
    package func makeSearch(in contactId: String? = nil) -> SearchScreen { SearchScreen(service, in: contactId) }
}
