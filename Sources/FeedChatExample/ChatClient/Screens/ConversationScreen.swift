import AppFoundation
import ChatWire
import Foundation
import GRDB
import PaginatorCore
import PaginatorLists

/// The state of a conversation and the user's actions. It reads only the device's database, and follows it.
@MainActor package final class ConversationScreen {
    package internal(set) var state: ConversationState

    let service: ChatService
    let contactId: String
    private let pageSize: Int
    let media: ChatMedia?
    let storage: StorageWatch?
    var thumbnailsAhead: PaginatorExecution?
    var history: ConversationHistory?
    var snapshot = PaginatorListSnapshot<Message, Int64>()
    private var requests: [MessageRequest] = []
    /// The target of a jump that has not arrived yet.
    var target: Int64?
    /// The running and ended writes of the draft: a read that overlaps with one may have an older draft.
    var draftWrites = (running: 0, ended: 0)
    /// Requests that have become messages, which the list does not show yet.
    private var lingering: [(request: MessageRequest, messageId: Int64)] = []
    private var subscriptions: [ChatSubscription] = []
    private var observation: PaginatorExecution?
    private lazy var emitter = Emitter<ConversationState> { [weak self] in self?.state }
    lazy var reading = SerialReading { [weak self] in await self?.read() }

    /// - Parameters:
    ///   - media: prefetches small images; `nil` for none.
    ///   - storage: if space is low, nothing is prefetched and no file is accepted for sending.
    package init(
        _ service: ChatService, contact: User, pageSize: Int = 50, media: ChatMedia? = nil,
        storage: StorageWatch? = nil
    ) {
        self.service = service
        self.storage = storage
        self.media = media
        self.pageSize = pageSize
        contactId = contact.id
        state = ConversationState(contact: contact)
    }

    deinit {
        observation?.cancel()
        thumbnailsAhead?.cancel()
    }

    /// Calls `handler` with the state, now and after each change.
    package func onChange(_ handler: @escaping (ConversationState) -> Void) { emitter.setHandler(handler) }

    /// Waits for a state; throws when the task is cancelled first.
    @discardableResult
    package func first(
        where isMet: (ConversationState) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> ConversationState {
        try await emitter.first(where: isMet, file: file, line: line)
    }

    /// Opens at the first unread message, or at a message such as that of a link or a search.
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
            if isThere == false { state.errorMessage = service.texts.messageIsNotHere }
        } catch {
            state.errorMessage = service.texts.conversationNotRead
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
                    Task { await self?.sayRefused() }
                }
            },
            service.updates.observe { [weak self] in Task { await self?.showStatus() } },
        ]
        history.list.loadNext()
        await reading.run()
    }

    /// Reads everything again; changes are followed without it.
    package func refresh() async { await reading.run() }

    // MARK: Actions

    private func sayRefused() { say(service.texts.changeWasRefused) }

    func say(_ message: String) {
        state.errorMessage = message
        publish()
    }

    /// Makes a change, which does nothing if the message was removed, or is not the user's own.
    func change(_ message: String, _ action: @Sendable (ChatService) async throws -> Bool) async -> String? {
        await attempt(message) { service, _ in
            if try await !action(service) { throw NothingToChange() }
        }
    }

    struct NothingToChange: Error {}

    /// Performs an action of the user.
    ///
    /// - Returns: the text of its failure. The state's `errorMessage` may be that of another action.
    func attempt(
        _ message: String, _ action: @Sendable (ChatService, String) async throws -> Void
    ) async -> String? {
        var failure: String?
        do {
            try await action(service, contactId)
        } catch {
            failure = text(of: error) ?? message
        }
        state.errorMessage = failure
        publish()
        return failure
    }

    private func text(of error: any Error) -> String? {
        switch error {
        case is MessageTooLong: service.texts.messageTooLong
        case NewMedia.Refusal.tooLarge: service.texts.fileTooLarge(NewMedia.limit / 1_000_000)
        case NewMedia.Refusal.unreadable: service.texts.fileNotRead
        default: nil
        }
    }

    // MARK: Following

    private func show(_ update: PaginatorListUpdate<Message, Int64>) {
        snapshot = update.snapshot
        state.isLoading = !update.status.hasLoaded
        state.isLoadingOlder = update.status.previous.isLoading
        state.hasOlder = update.status.previous != .endReached
        arrive()
    }

    /// Shows the rows of the list, and whether a jump has arrived.
    func arrive() {
        if let target, snapshot.contains(id: target) {
            state.focus = target
            self.target = nil
        }
        publish()
    }

    private func read() async {
        let (contactId, known, editedId) = (contactId, requests.map(\.requestId), state.edits?.messageId)
        let typedBefore = draftWrites.ended
        do {
            let (waiting, unread, contact, settled, draft, texts, group) = try await service.database.read { read in
                let waiting = try read.requests(to: contactId)
                let gone = Set(known).subtracting(waiting.map(\.requestId))
                let settled = try gone.reduce(into: [String: Int64]()) { $0[$1] = try read.messageId(ofRequest: $1) }
                return (
                    waiting, try read.unreadCount(from: contactId), try read.user(contactId), settled,
                    try read.draft(to: contactId) ?? "", try editedId.map(read.earlierTexts),
                    try read.group(contactId)
                )
            }
            // A history that was opened or closed meanwhile has its own read.
            if let texts, state.edits?.messageId == editedId { state.edits?.texts = texts }
            lingering += requests.compactMap { request in
                settled[request.requestId].map { (request: request, messageId: $0) }
            }
            requests = waiting
            state.conversation.unreadCount = unread
            if draftWrites == (0, typedBefore) { state.draft = draft }
            state.group = group
            state.canWrite = group.map { $0.role(of: service.database.userId) != nil } ?? true
            suggest()
            if let contact { state.conversation.contact = contact }
        } catch {
            state.errorMessage = service.texts.conversationNotRead
        }
        showStatus()
    }

    private func showStatus() {
        state.isLive = service.updates.status.isLive
        state.isSignedOut = service.updates.status.isSignedOut
        state.conversation.contactInfo = service.updates.info(of: contactId)
        let typists = state.conversation.contactInfo?.typists ?? []
        let others = state.group?.members.filter { $0.userId != service.database.userId } ?? []
        state.typists = others.filter { typists.contains($0.userId) }.map(\.name)
        state.membersOnline = others.count { service.updates.info(of: $0.userId)?.onlineStatus == true }
        publish()
    }

    func publish() {
        let showsEnd = history?.showsEnd == true
        let gaps = Set(snapshot.gaps.filter { $0 < snapshot.count }.map { snapshot.id(at: $0) })
        if !lingering.isEmpty {
            let shown = Set(snapshot.compactMap(\.requestId))
            // A message before the last gap shows only once the gap is filled.
            let gap = gaps.max() ?? .min
            lingering.removeAll { shown.contains($0.request.requestId) || !showsEnd || $0.messageId < gap }
        }
        state.newBelow = history?.newBelow() ?? 0
        state.conversation.messages = Timeline.rows(
            messages: snapshot, requests: lingering.map { $0.request } + requests,
            hasGap: service.updates.status.hasGap, gaps: gaps, showsEnd: showsEnd)
        emitter.changed()
    }
}

extension ChatTransaction {
    /// Returns whether a message is on the device and belongs to a conversation.
    package func has(_ messageId: Int64, with contactId: String) throws -> Bool {
        try message(messageId)?.contactId(for: userId) == contactId
    }

    /// Returns the message of a request; `nil` if it has none yet.
    package func messageId(ofRequest requestId: String) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT messageId FROM Messages WHERE requestId = ?", arguments: [requestId])
    }
}
