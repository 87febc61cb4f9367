import AppFoundation
import PaginatorCore

/// The state of the list of chats.
package struct ChatListState: Sendable, Hashable {
    /// By the server's time of the last message, the newest first.
    package var conversations: [ConversationPreview] = []
    /// The contacts for a new chat, by name.
    package var contacts: [User] = []
    /// The groups that the user is in, by title.
    package var groups: [User] = []
    package var isLive = false
    /// Whether the user has to sign in again; pending operations are kept until then.
    package var isSignedOut = false
    /// A warning that space is low.
    package var warning: StorageWarning?
    /// Whether notifications are allowed; a refusal is shown.
    package var pushConsent = PushConsent.notAsked
    package var errorMessage: String?

    /// The number of unread messages.
    package var unreadCount: Int { conversations.reduce(0) { $0 + $1.unreadCount } }

    package init() {}
}

/// The list of chats. It reads only the device's database, and follows it; changes in quick succession are shown as
/// one.
@MainActor package final class ChatListScreen {
    package private(set) var state = ChatListState()

    private let service: ChatService
    private let storage: StorageWatch?
    private var storageObservation: (any AnyObject & Sendable)?
    private let media: ChatMedia?
    private var avatarsAhead: PaginatorExecution?
    private var subscriptions: [ChatSubscription] = []
    private lazy var emitter = Emitter<ChatListState> { [weak self] in self?.state }
    private lazy var reading = SerialReading { [weak self] in await self?.read() }

    /// Creates a screen that does nothing until ``open()``.
    ///
    /// - Parameters:
    ///   - media: prefetches the contacts' pictures; `nil` for none.
    ///   - storage: watches the free space; `nil` for no warnings.
    package init(_ service: ChatService, media: ChatMedia? = nil, storage: StorageWatch? = nil) {
        self.service = service
        self.media = media
        self.storage = storage
    }

    /// Calls `handler` with the state, now and after each change.
    package func onChange(_ handler: @escaping (ChatListState) -> Void) { emitter.setHandler(handler) }

    /// Waits for a state; throws when the task is cancelled first.
    @discardableResult
    package func first(
        where isMet: (ChatListState) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> ChatListState {
        try await emitter.first(where: isMet, file: file, line: line)
    }

    /// Reads the database, and follows it.
    package func open() async {
        subscriptions = [
            service.database.changes.subscribe { [weak self] _ in Task { await self?.reading.run() } },
            service.updates.observe { [weak self] in Task { await self?.showStatus() } },
        ]
        storageObservation = storage?.observe { [weak self] _ in Task { await self?.reading.run() } }
        await reading.run()
        showStatus()
    }

    /// Deletes a conversation's messages that are older than some days, or all of them, and returns the space.
    package func freeSpace(of contactId: String, olderThanDays days: Int?) async {
        // A century is more than any conversation has.
        let age = days.map { Int64(min(max(0, $0), 36_500)) * 86_400_000 }
        do {
            try await service.freeSpace(of: contactId, before: age.map { service.clock.milliseconds - $0 })
            state.errorMessage = nil
        } catch {
            state.errorMessage = service.texts.messagesNotDeleted
        }
        storage?.measure()
        await reading.run()
    }

    /// Asks for consent to notifications, and shows a refusal.
    package func askForPush(_ push: PushComponent) async {
        do {
            try await push.register()
            state.errorMessage = nil
        } catch {
            state.errorMessage = service.texts.pushNotOn
        }
        state.pushConsent = push.consent
        emitter.changed()
    }

    /// Refreshes the contacts from the server; without a connection the stored ones stay.
    package func refreshContacts() async {
        do {
            try await service.refreshContacts()
            state.errorMessage = nil
        } catch {
            state.errorMessage = service.texts.contactsNotRenewed
        }
        emitter.changed()
    }

    /// Deletes a conversation on this device. Waiting messages are still sent, and start the conversation again.
    package func deleteConversation(with contactId: String) async {
        do {
            try await service.deleteMessages(with: contactId, olderThan: nil)
            state.errorMessage = nil
        } catch {
            state.errorMessage = service.texts.conversationNotDeleted
        }
        emitter.changed()
    }

    /// Reports the visible conversations: their pictures and those of the next ones are loaded.
    package func show(visible: Range<Int>) {
        let chats = state.conversations
        // Rows below the conversations, such as contacts without one, are beyond the end.
        let near = (visible.lowerBound..<visible.upperBound + 10).clamped(to: chats.indices)
        let before = avatarsAhead
        avatarsAhead =
            storage?.status.level ?? .enough > .enough ? nil : media?.prefetch(avatars: chats[near].map(\.contact))
        before?.cancel()
    }

    private func read() async {
        let status = storage?.status ?? StorageStatus()
        do {
            let (previews, contacts, groups, usage) = try await service.database.read { read in
                // The sizes of conversations are computed only when they are shown.
                let usage = status.level > .enough ? try read.usage() : []
                return (try read.previews(), try read.contacts(), try read.groups(), usage)
            }
            state.conversations = previews
            state.contacts = contacts
            state.groups = groups
            state.warning = StorageWarning(status, usage: usage, service.texts)
        } catch {
            state.errorMessage = service.texts.chatsNotRead
        }
        emitter.changed()
    }

    private func showStatus() {
        state.isLive = service.updates.status.isLive
        state.isSignedOut = service.updates.status.isSignedOut
        emitter.changed()
    }
}
