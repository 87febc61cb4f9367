import AppFoundation

/// What the list of chats shows.
package struct ChatListState: Sendable, Hashable {
    /// By the server's time of the last message, the newest first.
    package var conversations: [ConversationPreview] = []
    /// Whom a new chat can be started with, by name.
    package var contacts: [User] = []
    package var isLive = false
    /// Whether the user has to sign in again; what waits is kept until then.
    package var isSignedOut = false
    /// A warning that space is low.
    package var warning: String?
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
    private let freeBytes: @Sendable () -> Int64?
    private let storageWarning: StorageWarning
    private var subscriptions: [ChatSubscription] = []
    private lazy var emitter = Emitter<ChatListState> { [weak self] in self?.state }
    private lazy var reading = SerialReading { [weak self] in await self?.read() }

    /// Makes a screen that stands still until ``open()``.
    ///
    /// - Parameter freeBytes: what the volume has left; `nil` where that is not known.
    package init(
        _ service: ChatService, warning: StorageWarning = StorageWarning(),
        freeBytes: @escaping @Sendable () -> Int64? = { nil }
    ) {
        self.service = service
        self.freeBytes = freeBytes
        storageWarning = warning
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
        await reading.run()
        showStatus()
    }

    /// Asks for consent to announce messages, and shows a refusal.
    package func askForPush(_ push: PushComponent) async {
        do {
            try await push.register()
            state.errorMessage = nil
        } catch {
            state.errorMessage = "Notifications could not be turned on"
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
            state.errorMessage = "The contacts could not be renewed"
        }
        emitter.changed()
    }

    /// Deletes a conversation on this device. What waits to be sent is sent, and begins it anew.
    package func deleteConversation(with contactId: String) async {
        do {
            try await service.deleteMessages(with: contactId, olderThan: nil)
            state.errorMessage = nil
        } catch {
            state.errorMessage = "The conversation could not be deleted"
        }
        emitter.changed()
    }

    private func read() async {
        let (freeBytes, warning) = (freeBytes, storageWarning)
        do {
            let (previews, contacts, text) = try await service.database.read { read in
                var text: String?
                if let free = freeBytes(), free < warning.threshold {
                    text = warning.text(freeBytes: free, usage: try read.usage())
                }
                return (try read.previews(), try read.contacts(), text)
            }
            state.conversations = previews
            state.contacts = contacts
            state.warning = text
        } catch {
            state.errorMessage = "The chats could not be read"
        }
        emitter.changed()
    }

    private func showStatus() {
        state.isLive = service.updates.status.isLive
        state.isSignedOut = service.updates.status.isSignedOut
        emitter.changed()
    }
}
