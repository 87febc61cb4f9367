import AppFoundation
import PaginatorCore

/// What the list of chats shows.
package struct ChatListState: Sendable, Hashable {
    /// By the server's time of the last message, the newest first.
    package var conversations: [ConversationPreview] = []
    /// Whom a new chat can be started with, by name.
    package var contacts: [User] = []
    /// The groups that the user is in, by title.
    package var groups: [User] = []
    package var isLive = false
    /// Whether the user has to sign in again; what waits is kept until then.
    package var isSignedOut = false
    /// A warning that space is low.
    package var warning: StorageWarning?
    /// Whether messages are announced while the app is not on the screen; a refusal is shown.
    package var pushConsent = PushConsent.notAsked
    package var errorMessage: String?

    /// How many messages wait to be read.
    package var unreadCount: Int { conversations.reduce(0) { $0 + $1.unreadCount } }

    package init() {}
}

/// The list of chats. It reads the device's database only, and follows it; changes in quick succession are shown as one.
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

    /// Makes a screen that stands still until ``open()``.
    ///
    /// - Parameters:
    ///   - media: loads the contacts' pictures before they are scrolled to; `nil` loads none.
    ///   - storage: watches the free space; `nil` warns of nothing.
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

    /// Reads what is there, and follows it.
    package func open() async {
        subscriptions = [
            service.database.changes.subscribe { [weak self] _ in Task { await self?.reading.run() } },
            service.updates.observe { [weak self] in Task { await self?.showStatus() } },
        ]
        storageObservation = storage?.observe { [weak self] _ in Task { await self?.reading.run() } }
        await reading.run()
        showStatus()
    }

    /// Deletes what a conversation had more than so many days ago, or all of it, and gives the space back.
    package func freeSpace(of contactId: String, olderThanDays days: Int?) async {
        let age = days.map { Int64($0) * 86_400_000 }
        do {
            try await service.freeSpace(of: contactId, before: age.map { service.clock.milliseconds - $0 })
            state.errorMessage = nil
        } catch {
            state.errorMessage = service.texts.messagesNotDeleted
        }
        storage?.measure()
        await reading.run()
    }

    /// Removes the pictures that can be loaded again.
    package func removePictures() async {
        await media?.removeAll()
        storage?.measure()
        await reading.run()
    }

    /// Asks for consent to announce messages, and shows a refusal.
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

    /// Renews the contacts from the server; the ones that are known stay when it is not reached.
    package func refreshContacts() async {
        do {
            try await service.refreshContacts()
            state.errorMessage = nil
        } catch {
            state.errorMessage = service.texts.contactsNotRenewed
        }
        emitter.changed()
    }

    /// Deletes a conversation on this device. What waits to be sent is sent, and begins it anew.
    package func deleteConversation(with contactId: String) async {
        do {
            try await service.deleteMessages(with: contactId, olderThan: nil)
            state.errorMessage = nil
        } catch {
            state.errorMessage = service.texts.conversationNotDeleted
        }
        emitter.changed()
    }

    /// Says which conversations are visible: their pictures and those of the next ones are loaded.
    package func show(visible: Range<Int>) {
        let chats = state.conversations
        // Rows below the conversations, such as contacts without one, are beyond their end.
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
                // What each conversation occupies is counted only where it is shown.
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
