import ChatWire

/// Actions of the user on messages. Those that change messages return the text of their failure.
extension ConversationScreen {
    /// Returns the user's actions on a row.
    package func actions(for row: TimelineRow) -> [MessageAction] {
        let userId = service.database.userId
        return row.actions(of: userId, role: state.group?.role(of: userId))
    }

    @discardableResult
    package func resend(_ requestId: String) async -> String? {
        await attempt(service.texts.messageNotKept) { service, _ in _ = try await service.resend(requestId) }
    }

    @discardableResult
    package func deleteFailed(_ requestId: String) async -> String? {
        await attempt(service.texts.messageNotDeleted) { service, _ in
            _ = try await service.deleteRequest(requestId)
        }
    }

    @discardableResult
    package func edit(_ messageId: Int64, to text: String) async -> String? {
        await change(service.texts.messageNotEdited) { try await $0.edit(messageId, to: text) }
    }

    /// Shows the earlier texts of a message, until ``hideEdits()``.
    package func showEdits(of messageId: Int64) async {
        state.edits = EditHistory(messageId: messageId, texts: [])
        await reading.run()
    }

    package func hideEdits() {
        state.edits = nil
        publish()
    }

    /// Deletes the user's message for all.
    @discardableResult
    package func deleteForAll(_ messageId: Int64) async -> String? {
        await change(service.texts.messageNotDeleted) { try await $0.deleteForBoth(messageId) }
    }

    /// Deletes a message on this device.
    @discardableResult
    package func deleteForMe(_ messageId: Int64) async -> String? {
        await change(service.texts.messageNotDeleted) { try await $0.deleteForMe(messageId) }
    }

    /// Deletes the conversation's messages on this device: all, or those before one.
    @discardableResult
    package func deleteMessages(olderThan messageId: Int64? = nil) async -> String? {
        await attempt(service.texts.messagesNotDeleted) {
            try await $0.deleteMessages(with: $1, olderThan: messageId)
        }
    }
}
