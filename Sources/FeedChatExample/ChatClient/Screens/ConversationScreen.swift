import AppFoundation
import Foundation
import GRDB
import PaginatorCore
import PaginatorLists

/// What a conversation's screen shows.
package struct ConversationState: Sendable, Hashable {
    package var conversation: Conversation
    /// The oldest message that was not read when the screen was opened; a line stands above it.
    package var unreadMarker: Int64?
    package var draft = ""
    package var isLoading = true
    package var isLoadingOlder = false
    /// Whether there are older messages on the device.
    package var hasOlder = false
    /// How many messages came while the end was not in sight.
    package var newBelow = 0
    /// Whether the server's events come as they happen.
    package var isLive = false
    /// Whether the user has to sign in again; what was written waits until then.
    package var isSignedOut = false
    /// The message to scroll to, once; ``ConversationScreen/didShowFocus()`` ends it.
    package var focus: Int64?
    /// The texts that a message had, while the user looks at them.
    package var edits: EditHistory?
    package var errorMessage: String?

    package init(contact: User) {
        conversation = Conversation(contact: contact, unreadCount: 0, messages: [])
    }
}

/// The texts that a message had before it was edited.
package struct EditHistory: Sendable, Hashable {
    package var messageId: Int64
    /// The oldest first.
    package var texts: [EarlierText]

    package init(messageId: Int64, texts: [EarlierText]) {
        self.messageId = messageId
        self.texts = texts
    }
}

/// A conversation's state and what the user can do there. It reads the device's database only, and follows it.
@MainActor package final class ConversationScreen {
    package private(set) var state: ConversationState

    private let service: ChatService
    private let contactId: String
    private let pageSize: Int
    private var history: ConversationHistory?
    private var snapshot = PaginatorListSnapshot<Message, Int64>()
    private var requests: [MessageRequest] = []
    /// Where a jump leads that has not arrived yet.
    private var target: Int64?
    /// Requests that have become messages which the list does not show yet.
    private var lingering: [MessageRequest] = []
    private var subscriptions: [ChatSubscription] = []
    private var observation: PaginatorExecution?
    private lazy var emitter = Emitter<ConversationState> { [weak self] in self?.state }
    private lazy var reading = SerialReading { [weak self] in await self?.read() }

    package init(_ service: ChatService, contact: User, pageSize: Int = 50) {
        self.service = service
        self.pageSize = pageSize
        contactId = contact.id
        state = ConversationState(contact: contact)
    }

    deinit { observation?.cancel() }

    /// Calls `handler` with the state, now and after each change.
    package func onChange(_ handler: @escaping (ConversationState) -> Void) { emitter.setHandler(handler) }

    /// Waits for a state; throws when the task is cancelled first.
    @discardableResult
    package func first(
        where isMet: (ConversationState) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> ConversationState {
        try await emitter.first(where: isMet, file: file, line: line)
    }

    /// Opens where the reading stopped, or at a message, such as one that a link or a search led to.
    package func open(at messageId: Int64? = nil) async {
        let contactId = contactId
        do {
            let (marker, draft, isThere) = try await service.database.read { read in
                (
                    try read.firstUnread(from: contactId), try read.draft(to: contactId) ?? "",
                    try messageId.map { try read.has($0, with: contactId) }
                )
            }
            state.unreadMarker = marker
            state.draft = draft
            target = isThere == true ? messageId : nil
            if isThere == false { state.errorMessage = Self.missing }
        } catch {
            state.errorMessage = "The conversation could not be read"
        }
        let history = ConversationHistory(
            service.database, with: contactId, unreadMarker: target ?? state.unreadMarker, pageSize: pageSize)
        self.history = history
        observation = history.list.observe(onMain: { [weak self] update in self?.show(update) })
        subscriptions = [
            service.database.changes.subscribe { [weak self] changes in
                let isOurs = changes.contains { change in
                    switch change {
                    case .inserted(_, contactId, _, _), .changed(_, contactId), .removed(_, contactId),
                        .requests(contactId), .users:
                        true
                    default: false
                    }
                }
                if isOurs { Task { await self?.reading.run() } }
                if changes.contains(.changeRefused(contactId: contactId)) {
                    Task { await self?.say("The change was refused, and the message is as it was") }
                }
            },
            service.updates.observe { [weak self] in Task { await self?.showStatus() } },
        ]
        history.list.loadNext()
        await reading.run()
        showStatus()
    }

    /// Reads everything anew; changes are followed without it.
    package func refresh() async {
        await reading.run()
        showStatus()
    }

    // MARK: Intents

    package func send(_ text: String) async {
        await attempt("The message could not be kept") { try await $0.send(text, to: $1) }
    }

    package func type(_ text: String) async {
        state.draft = text
        await attempt("The draft could not be kept") { try await $0.type(text, to: $1) }
    }

    private static let missing = "The message is not on this device"

    /// Goes to a message of the conversation; the state's focus tells when it is there.
    package func jump(to messageId: Int64) async {
        await attempt(Self.missing) { service, contactId in
            guard try await service.database.read({ try $0.has(messageId, with: contactId) }) else {
                throw NothingToChange()
            }
        }
        guard state.errorMessage == nil else { return }
        target = messageId
        history?.jump(to: messageId)
        arrive()
    }

    /// Goes to the newest message.
    package func jumpToEnd() async {
        let contactId = contactId
        do {
            let newest = try await service.database.read { read in
                try read.history(.newest, with: contactId, limit: 2).messages.last?.messageId
            }
            if let newest { await jump(to: newest) }
        } catch {
            say("The conversation could not be read")
        }
    }

    /// The message to scroll to is on the screen.
    package func didShowFocus() { state.focus = nil }

    package func loadOlder() { history?.list.loadPrevious() }

    package func loadNewer() { history?.list.loadNext() }

    /// Says which rows are visible; incoming messages up to the last of them count as read.
    package func show(visible: Range<Int>) async {
        let rows = state.conversation.messages
        history?.list.hint(visible: rows.positions(in: visible))
        for case .missing(let id) in rows[rows.indices.clamped(to: visible)] {
            if let position = snapshot.position(of: id) { history?.list.fillGap(at: position) }
        }
        let last = rows.indices.clamped(to: visible).last.flatMap { index in
            rows[...index].reversed().lazy.compactMap { row in
                if case .message(let message) = row { message.messageId } else { nil }
            }.first
        }
        guard let last else { return }
        await attempt("The receipts could not be kept") { try await $0.markRead(from: $1, upTo: last) }
    }

    package func resend(_ requestId: String) async {
        await attempt("The message could not be kept") { service, _ in _ = try await service.resend(requestId) }
    }

    package func deleteFailed(_ requestId: String) async {
        await attempt("The message could not be deleted") { service, _ in
            _ = try await service.deleteRequest(requestId)
        }
    }

    package func edit(_ messageId: Int64, to text: String) async {
        await change("The message could not be edited") { try await $0.edit(messageId, to: text) }
    }

    /// Shows the texts that a message had, until ``hideEdits()``.
    package func showEdits(of messageId: Int64) async {
        state.edits = EditHistory(messageId: messageId, texts: [])
        await reading.run()
    }

    package func hideEdits() {
        state.edits = nil
        publish()
    }

    /// Deletes one's own message for everybody.
    package func deleteForAll(_ messageId: Int64) async {
        await change("The message could not be deleted") { try await $0.deleteForBoth(messageId) }
    }

    /// Deletes a message on this device.
    package func deleteForMe(_ messageId: Int64) async {
        await change("The message could not be deleted") { try await $0.deleteForMe(messageId) }
    }

    /// Deletes the conversation's messages on this device: all, or those before one.
    package func deleteMessages(olderThan messageId: Int64? = nil) async {
        await attempt("The messages could not be deleted") {
            try await $0.deleteMessages(with: $1, olderThan: messageId)
        }
    }

    private func say(_ message: String) {
        state.errorMessage = message
        publish()
    }

    /// Makes a change that does nothing where the message is gone, or is not one's own.
    private func change(_ message: String, _ action: @Sendable (ChatService) async throws -> Bool) async {
        await attempt(message) { service, _ in
            if try await !action(service) { throw NothingToChange() }
        }
    }

    private struct NothingToChange: Error {}

    private func attempt(
        _ message: String, _ action: @Sendable (ChatService, String) async throws -> Void
    ) async {
        do {
            try await action(service, contactId)
            state.errorMessage = nil
        } catch {
            state.errorMessage = message
        }
        publish()
    }

    // MARK: Following

    private func show(_ update: PaginatorListUpdate<Message, Int64>) {
        snapshot = update.snapshot
        state.isLoading = !update.status.hasLoaded
        state.isLoadingOlder = update.status.previous.isLoading
        state.hasOlder = update.status.previous != .endReached
        state.newBelow = update.status.newBelow
        arrive()
    }

    /// Shows what the list has, and whether a jump has come to its end.
    private func arrive() {
        if let target, snapshot.contains(id: target) {
            state.focus = target
            self.target = nil
        }
        publish()
    }

    private func read() async {
        let (contactId, known, editedId) = (contactId, requests.map(\.requestId), state.edits?.messageId)
        do {
            let (waiting, unread, contact, settled, draft, texts) = try await service.database.read { read in
                let waiting = try read.requests(to: contactId)
                let gone = Set(known).subtracting(waiting.map(\.requestId))
                return (
                    waiting, try read.unreadCount(from: contactId), try read.user(contactId),
                    try gone.filter { try read.messageId(ofRequest: $0) != nil },
                    try read.draft(to: contactId) ?? "", try editedId.map(read.earlierTexts)
                )
            }
            // What was opened or closed meanwhile has a reading of its own.
            if let texts, state.edits?.messageId == editedId { state.edits?.texts = texts }
            lingering += requests.filter { settled.contains($0.requestId) }
            requests = waiting
            state.conversation.unreadCount = unread
            state.draft = draft
            if let contact { state.conversation.contact = contact }
        } catch {
            state.errorMessage = "The conversation could not be read"
        }
        publish()
    }

    private func showStatus() {
        state.isLive = service.updates.status.isLive
        state.isSignedOut = service.updates.status.isSignedOut
        state.conversation.contactInfo = service.updates.info(of: contactId)
        publish()
    }

    private func publish() {
        let showsEnd = history?.list.status.next == .endReached
        if !lingering.isEmpty {
            let shown = Set(snapshot.compactMap(\.requestId))
            lingering.removeAll { shown.contains($0.requestId) || !showsEnd }
        }
        state.conversation.messages = Timeline.rows(
            messages: snapshot, requests: lingering + requests, hasGap: service.updates.status.hasGap,
            gaps: Set(snapshot.gaps.map { snapshot.id(at: $0) }), showsEnd: showsEnd)
        emitter.changed()
    }
}

extension ChatTransaction {
    /// Whether a message is on the device and of a conversation.
    package func has(_ messageId: Int64, with contactId: String) throws -> Bool {
        try message(messageId)?.contactId(for: userId) == contactId
    }

    /// The message that a request has become; `nil` where it has not.
    package func messageId(ofRequest requestId: String) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT messageId FROM Messages WHERE requestId = ?", arguments: [requestId])
    }
}
