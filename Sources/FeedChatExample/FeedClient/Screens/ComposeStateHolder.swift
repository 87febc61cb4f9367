import AppFoundation
package import Foundation
package import RichText

/// The state of the screen for a new post.
package struct ComposeState: Sendable {
    package var draft = RichTextDraft()
    package var attachments: [NewAttachment] = []
    /// The time at which it appears; `nil` for at once.
    package var publishAt: Date?
    package var errorMessage: String?
    package var isDone = false

    /// Whether there is anything to send.
    package var canSend: Bool { !draft.richText.isEmpty || !attachments.isEmpty }
}

/// The state holder of the screen for a new post: rich text, files, and a stored draft.
@MainActor
package final class ComposeStateHolder {
    package private(set) var state = ComposeState()
    private let app: any FeedServices
    private lazy var emitter = Emitter<ComposeState> { [weak self] in self?.state }

    package init(_ app: some FeedServices) {
        self.app = app
    }

    /// Calls `handler` with the state, now and after each change.
    package func onChange(_ handler: @escaping (ComposeState) -> Void) { emitter.setHandler(handler) }

    /// Loads the draft of an earlier run.
    package func start() async throws {
        if let draft = try await app.drafts.draft(of: DraftStore.newPost) {
            state.draft = RichTextDraft(await Self.text(draft.content))
            emitter.changed()
        }
    }

    @concurrent
    private nonisolated static func text(_ html: String) async -> RichText { RichText(html: html) }

    /// Changes the text, its styles, links and mentions, and stores it as a draft.
    package func edit(_ change: (inout RichTextDraft) -> Void) async throws {
        change(&state.draft)
        state.isDone = false
        emitter.changed()
        try await saveDraft()
    }

    private func saveDraft() async throws {
        try await app.drafts.save(state.draft.html, of: DraftStore.newPost, baseVersion: 0)
    }

    package func attach(_ attachment: NewAttachment) {
        state.attachments.append(attachment)
        state.isDone = false
        emitter.changed()
    }

    /// Removes attached files.
    package func detach(where isMeant: (NewAttachment) -> Bool) {
        state.attachments.removeAll(where: isMeant)
        emitter.changed()
    }

    /// Deletes the draft and the attachments.
    package func clear() async throws {
        state = ComposeState()
        emitter.changed()
        try await app.drafts.remove(of: DraftStore.newPost)
    }

    /// Schedules the post; `nil` for at once.
    package func schedule(at publishAt: Date?) {
        state.publishAt = publishAt
        emitter.changed()
    }

    /// Sends the post as soon as possible: it is shown in the feed at once, or scheduled on the server.
    package func send() async throws {
        let texts = app.environment.texts
        state.errorMessage =
            if !state.canSend { texts.nothingToSend } else if state.publishAt.map({ $0 <= Date() }) ?? false {
                texts.timeHasPassed
            } else { nil }
        guard state.errorMessage == nil else { return emitter.changed() }
        // Taken at once, so that a second tap has nothing to send, and text typed meanwhile is of the next post.
        let sent = state
        state = ComposeState()
        emitter.changed()
        defer { emitter.changed() }
        do {
            try await app.publishPost(sent.draft.html, attachments: sent.attachments, at: sent.publishAt)
            (state.isDone, state.errorMessage) = (!state.canSend, nil)
        } catch {
            let next = state
            state = sent
            state.draft.insert(next.draft.text, at: state.draft.count)
            state.attachments += next.attachments
            throw error
        }
        // The draft was deleted with the post, and so was that of the next one.
        if !state.draft.richText.isEmpty { try await saveDraft() }
    }
}
