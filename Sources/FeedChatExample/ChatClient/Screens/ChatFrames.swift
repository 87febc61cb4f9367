import ChatWire

/// The chat's screens as text of a fixed width, for terminals and snapshot tests. They contain no time of day, so that
/// they are reproducible.
package enum ChatFrames {
    private static let width = 44

    /// The list of chats.
    package static func list(_ state: ChatListState) -> String {
        var lines = [bar("Chats", state.isLive ? "" : "offline")]
        if state.isSignedOut { lines += signedOut }
        if let warning = state.warning { lines += wrap("! " + warning.text) }
        if state.pushConsent == .refused {
            lines += wrap("! New messages are not announced. Notifications are turned on in the settings.")
        }
        if state.conversations.isEmpty { lines.append("  no chats yet") }
        for chat in state.conversations {
            let badge = (chat.mentionsMe ? "@ " : "") + (chat.unreadCount > 0 ? "(\(chat.unreadCount))" : "")
            lines.append(bar(chat.contact.name, badge))
            lines.append("  " + fit((chat.isDraft ? "Draft: " : "") + chat.lastMessageSummary, width - 2))
        }
        if let error = state.errorMessage { lines += wrap("! " + error) }
        return lines.joined(separator: "\n")
    }

    /// A conversation, as `userId` sees it.
    ///
    /// - Parameter last: the number of rows at the end, or up to the focus.
    package static func conversation(_ state: ConversationState, of userId: String, last: Int = 12) -> String {
        let info = state.conversation.contactInfo
        let presence = info.map { $0.typing ? "typing…" : $0.onlineStatus ? "online" : "" } ?? ""
        var lines = [bar(state.conversation.contact.name, state.isLive ? presence : "offline")]
        if state.isSignedOut { lines += signedOut }
        let rows = state.conversation.messages
        if state.isLoading { lines.append("  ░░░░░░░░░░░░░░░░") }
        if state.isLoadingOlder || rows.count > last || state.hasOlder { lines.append("  ⋮") }
        let focus = rows.firstIndex { if case .message(let message) = $0 { message.id == state.focus } else { false } }
        for row in rows.prefix(focus.map { $0 + 3 } ?? rows.count).suffix(last) {
            if case .message(let message) = row, message.messageId == state.unreadMarker {
                lines.append(center("unread"))
            }
            if let group = state.group, case .message(let message) = row, message.fromUserId != userId {
                let name = group.members.first { $0.userId == message.fromUserId }?.name
                lines.append("  \(name ?? message.fromUserId):")
            }
            lines += text(of: row, userId: userId)
            if case .message(let message) = row, let edits = state.edits, edits.messageId == message.messageId {
                lines += edits.texts.flatMap { wrap("    before: " + $0.content) }
            }
        }
        if state.newBelow > 0 { lines.append(center("\(state.newBelow) new below")) }
        if !state.canWrite { lines += wrap("You are no member of this group any more") }
        if !state.draft.isEmpty { lines.append("> " + fit(state.draft, width - 2)) }
        if let error = state.errorMessage { lines += wrap("! " + error) }
        return lines.joined(separator: "\n")
    }

    private static let signedOut = wrap(
        "! You were signed out. What you wrote is kept, and is sent when you sign in again.")

    private static func text(of row: TimelineRow, userId: String) -> [String] {
        switch row {
        case .gap: return [center("catching up…")]
        case .missing: return ["  ⋮"]
        case .waiting(let request):
            let mark = request.status == .failed ? "✗" : "…"
            let share = request.attachment.map { $0.isUploading ? " \(Int($0.progress * 100)) %" : "" } ?? ""
            let text = text(request.content, with: request.attachment?.told)
            return bubble(text, mark: mark + share, isOwn: true)
        case .message(let message):
            let isOwn = message.fromUserId == userId
            let mark =
                switch message.status {
                case _ where !isOwn: ""
                case .synced: "✓"
                case .delivered: "✓✓"
                case .read: "✓✓ read"
                }
            let edited = message.revision > 0 && !message.isDeleted ? " (edited)" : ""
            let text = text(message.content, with: message.attachment) + edited
            return bubble(message.isDeleted ? "· deleted ·" : text, mark: mark, isOwn: isOwn)
        }
    }

    /// Returns a text below its attachment.
    private static func text(_ content: String, with attachment: ChatAttachment?) -> String {
        guard let attachment else { return content }
        let size = attachment.width.flatMap { width in attachment.height.map { " \(width)×\($0)" } } ?? ""
        return ["[\(attachment.label)\(size)]", content].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func bubble(_ text: String, mark: String, isOwn: Bool) -> [String] {
        var lines = wrap(text, to: width - 14)
        if !mark.isEmpty { lines[lines.count - 1] += " " + mark }
        guard isOwn else { return lines.map { "  " + $0 } }
        return lines.map { String(repeating: " ", count: max(0, width - $0.count)) + $0 }
    }

    private static func bar(_ left: String, _ right: String) -> String {
        let left = fit(left, width - right.count - 1)
        return left + String(repeating: " ", count: max(1, width - left.count - right.count)) + right
    }

    private static func center(_ text: String) -> String {
        let dashes = String(repeating: "─", count: max(1, (width - text.count - 2) / 2))
        return "\(dashes) \(text) \(dashes)"
    }

    private static func fit(_ text: String, _ width: Int) -> String {
        text.count > width ? text.prefix(max(0, width - 1)) + "…" : text
    }

    /// Wraps a text at spaces and line ends.
    private static func wrap(_ text: String, to width: Int = ChatFrames.width) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
                if !line.isEmpty, line.count + 1 + word.count > width {
                    lines.append(line)
                    line = ""
                }
                line += line.isEmpty ? fit(String(word), width) : " " + fit(String(word), width)
            }
            lines.append(line)
        }
        return lines
    }
}
