package import ChatWire

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
    /// The group, where it is one.
    package var group: ChatGroup?
    /// The names of the members who type now, and how many of the others are there.
    package var typists: [String] = []
    package var membersOnline = 0
    /// Whether the user may write here; not in a group that they are no member of any more.
    package var canWrite = true
    /// Whom the name that is being typed may be.
    package var mentionSuggestions: [GroupMember] = []
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
