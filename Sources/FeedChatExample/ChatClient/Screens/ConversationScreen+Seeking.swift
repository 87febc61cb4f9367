import PaginatorCore
import PaginatorLists

/// Scrolling and jumps.
extension ConversationScreen {
    /// Jumps to a message of the conversation; the state's focus is set when it is loaded.
    ///
    /// - Returns: the text of the failure.
    @discardableResult
    package func jump(to messageId: Int64) async -> String? {
        let failure = await attempt(service.texts.messageIsNotHere) { service, contactId in
            guard try await service.database.read({ try $0.has(messageId, with: contactId) }) else {
                throw NothingToChange()
            }
        }
        guard failure == nil else { return failure }
        target = messageId
        history?.jump(to: messageId)
        arrive()
        return nil
    }

    /// Jumps to the newest message.
    ///
    /// - Returns: the text of the failure.
    @discardableResult
    package func jumpToEnd() async -> String? {
        let contactId = contactId
        do {
            let newest = try await service.database.read { read in
                try read.history(.newest, with: contactId, limit: 2).messages.last?.messageId
            }
            guard let newest else { return nil }
            return await jump(to: newest)
        } catch {
            say(service.texts.conversationNotRead)
            return service.texts.conversationNotRead
        }
    }

    /// Reports that the screen has scrolled to the focus.
    package func didShowFocus() { state.focus = nil }

    package func loadOlder() { history?.list.loadPrevious() }

    package func loadNewer() { history?.list.loadNext() }

    /// Reports the visible rows; incoming messages up to the last of them count as read.
    package func show(visible: Range<Int>) async {
        let rows = state.conversation.messages
        history?.list.hint(visible: rows.positions(in: visible))
        prefetchThumbnails(around: visible)
        for case .missing(let id) in rows[visible.clamped(to: rows.indices)] {
            if let position = snapshot.position(of: id) { history?.list.fillGap(at: position) }
        }
        let last = visible.clamped(to: rows.indices).last.flatMap { index in
            rows[...index].reversed().lazy.compactMap { row in
                if case .message(let message) = row { message.messageId } else { nil }
            }.first
        }
        guard let last else { return }
        do {
            // Its success clears no message, because the user may not have read that of another action yet.
            try await service.markRead(from: contactId, upTo: last)
        } catch {
            say(service.texts.receiptsNotKept)
        }
    }

    /// Prefetches the small images of the visible rows and of those around them.
    private func prefetchThumbnails(around visible: Range<Int>) {
        let rows = state.conversation.messages
        let near = (visible.lowerBound - 10..<visible.upperBound + 10).clamped(to: rows.indices)
        let attachments = rows[near].compactMap { row in
            if case .message(let message) = row { message.attachment } else { nil }
        }
        let before = thumbnailsAhead
        thumbnailsAhead =
            attachments.isEmpty || storage?.status.level ?? .enough > .enough
            ? nil : media?.prefetch(thumbnails: attachments)
        before?.cancel()
    }
}
