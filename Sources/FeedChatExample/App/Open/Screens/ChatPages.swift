import AppFoundation
import ChatClient
import ChatWire
import FeedClient
import Foundation

/// The list of chats for the page.
@MainActor final class ChatsPage: AppScreen {
    let kind = "chats"
    private let model: AppModel
    private let screen: ChatListScreen
    private let presence: (any AnyObject & Sendable)?
    private var observations: [any AnyObject & Sendable] = []
    /// Whether the contacts were requested since there was a connection and the user was signed in.
    private var isAsked = false

    init(_ model: AppModel, changed: @escaping @MainActor () -> Void) async {
        self.model = model
        screen = model.chatCoordinator.makeList()
        presence = model.chat.service.updates.observe { Task { @MainActor in changed() } }
        screen.onChange { _ in changed() }
        await screen.open()
        // Repeated when a connection returns and after a sign-in, because contacts can be requested then.
        observations = [
            model.environment.observeState { [weak self] _ in Task { @MainActor in self?.askOnce() } },
            model.feed.observeSession { [weak self] in Task { @MainActor in self?.askOnce() } },
        ]
        askOnce()
    }

    private func askOnce() {
        let wasAsked = isAsked
        isAsked = model.environment.state.isOnline && model.feed.isSignedIn
        guard isAsked, !wasAsked else { return }
        let screen = screen
        Task { await screen.refreshContacts() }
    }

    var state: AppJSON { ChatProjection.state(screen.state) }
    var rows: [AppRow]? { ChatProjection.rows(screen.state) { [model] in model.chat.service.updates.info(of: $0) } }

    func visible(_ rows: Range<Int>, of all: [AppRow]) async { screen.show(visible: rows) }

    func perform(_ intent: AppIntent) async throws -> Bool {
        switch (intent.what, intent.row?.content) {
        case ("refresh", _), ("retry", _): await screen.refreshContacts()
        case ("deleteConversation", .chat(let chat, _)?): await screen.deleteConversation(with: chat.id)
        case ("free", _):
            guard let largest = screen.state.warning?.usage.first else { return true }
            await screen.freeSpace(
                of: largest.contact.id, olderThanDays: intent.message["days"]?.int.map(Int.init(clamping:)))
        default: return false
        }
        return true
    }
}

/// A conversation for the page.
@MainActor final class ConversationPage: AppScreen {
    let kind = "conversation"
    let keepsOrder = true
    private let screen: ConversationScreen
    private let model: AppModel

    /// - Returns: `nil` if no user on this device has the id.
    init?(_ model: AppModel, contact: String, at message: Int64?, changed: @escaping @MainActor () -> Void) async throws
    {
        guard let screen = try await model.chatCoordinator.makeConversation(with: contact) else { return nil }
        self.screen = screen
        self.model = model
        screen.onChange { _ in changed() }
        await screen.open(at: message)
    }

    var state: AppJSON { ChatProjection.state(screen.state, model.environment.texts) }
    var rows: [AppRow]? {
        ChatProjection.rows(screen.state, user: model.chat.user.id, model.environment.texts) { [screen] in
            screen.actions(for: $0)
        }
    }

    func visible(_ rows: Range<Int>, of all: [AppRow]) async {
        // Separator rows between messages, and rows before the first one, are not rows of the conversation.
        let before = all.prefix(rows.lowerBound).count { !$0.isOfConversation }
        let inside = all[rows.clamped(to: all.indices)].count { !$0.isOfConversation }
        let lower = max(0, rows.lowerBound - before)
        await screen.show(visible: lower..<max(lower, rows.upperBound - before - inside))
    }

    func perform(_ intent: AppIntent) async throws -> Bool {
        var (request, message): (String?, Int64?)
        if case .waiting(let waiting)? = intent.row?.content { request = waiting.requestId }
        if case .message(let accepted, _)? = intent.row?.content { message = accepted.messageId }
        // Not the state's error, which may be that of something else.
        var failure: String?
        switch intent.what {
        case "send": if !intent.text.isEmpty { failure = await screen.send(intent.text) }
        case "attach":
            guard let image = SampleAttachment(intent.message["image"]?.string) else { return false }
            failure = await screen.send(
                NewMedia(.image, content: image.content, thumbnail: image.thumbnail), with: intent.text)
        case "place":
            failure = await screen.sendPlace(
                latitude: intent.message["latitude"]?.double ?? 0, longitude: intent.message["longitude"]?.double ?? 0,
                name: intent.message["name"]?.string ?? "")
        case "draft": failure = await screen.type(intent.text)
        case "mention":
            let member = intent.message["member"]?.string
            if let member = screen.state.mentionSuggestions.first(where: { $0.userId == member }) {
                failure = await screen.mention(member)
            }
        case "toEnd": failure = await screen.jumpToEnd()
        case "edit": if let message { failure = await screen.edit(message, to: intent.text) }
        case "edits": if let message { await screen.showEdits(of: message) }
        case "deleteForAll": if let message { failure = await screen.deleteForAll(message) }
        case "deleteForMe": if let message { failure = await screen.deleteForMe(message) }
        case "resend", "retry": if let request { failure = await screen.resend(request) }
        case "deleteFailed", "discard": if let request { failure = await screen.deleteFailed(request) }
        default: return await look(intent.what)
        }
        if let failure { throw AppIntentError(text: failure) }
        return true
    }
}

extension ConversationPage {
    /// Performs an action that only changes the view.
    private func look(_ what: String) async -> Bool {
        switch what {
        case "older": screen.loadOlder()
        case "newer": screen.loadNewer()
        case "focused": screen.didShowFocus()
        case "hideEdits": screen.hideEdits()
        case "refresh": await screen.refresh()
        // A visible gap is filled without an action.
        case "fill": break
        default: return false
        }
        return true
    }
}

extension AppRow {
    fileprivate var isOfConversation: Bool {
        switch content {
        case .separator, .footer, .placeholder: false
        default: true
        }
    }
}

extension AppJSON {
    /// The texts of an array; other values are skipped.
    var strings: [String] { if case .array(let elements) = self { elements.compactMap(\.string) } else { [] } }
}
