package import ChatWire

/// The state of a conversation's screen.
package struct ConversationState: Sendable, Hashable {
    package var conversation: Conversation
    /// The oldest message that was unread when the screen was opened; a line is shown above it.
    package var unreadMarker: Int64?
    package var draft = ""
    package var isLoading = true
    package var isLoadingOlder = false
    /// Whether there are older messages on the device.
    package var hasOlder = false
    /// The number of messages that arrived while the end was not visible.
    package var newBelow = 0
    /// Whether the server's events arrive in real time.
    package var isLive = false
    /// Whether the user has to sign in again; written messages wait until then.
    package var isSignedOut = false
    /// The message to scroll to, until ``ConversationScreen/didShowFocus()``.
    package var focus: Int64?
    /// The group, if it is one.
    package var group: ChatGroup?
    /// The names of the members who are typing, and the number of the others who are present.
    package var typists: [String] = []
    package var membersOnline = 0
    /// Whether the user may write here; false in a group that the user has left.
    package var canWrite = true
    /// The members that match the name being typed.
    package var mentionSuggestions: [GroupMember] = []
    /// The earlier texts of a message, while the user looks at them.
    package var edits: EditHistory?
    package var errorMessage: String?

    package init(contact: User) {
        conversation = Conversation(contact: contact, unreadCount: 0, messages: [])
    }
}

/// The texts of a message before its edits.
package struct EditHistory: Sendable, Hashable {
    package var messageId: Int64
    /// Ordered from the oldest.
    package var texts: [EarlierText]

    package init(messageId: Int64, texts: [EarlierText]) {
        self.messageId = messageId
        self.texts = texts
    }
}
