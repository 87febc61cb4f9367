/// A conversation as its screen shows it.
package struct Conversation: Sendable, Hashable {
    package var contact: User
    package var contactInfo: ContactInfo?
    package var unreadCount: Int
    package var messages: [TimelineRow]

    package init(contact: User, contactInfo: ContactInfo? = nil, unreadCount: Int, messages: [TimelineRow]) {
        self.contact = contact
        self.contactInfo = contactInfo
        self.unreadCount = unreadCount
        self.messages = messages
    }
}

/// A conversation as the chat list shows it.
package struct ConversationPreview: Sendable, Hashable, Identifiable {
    package var contact: User
    /// The beginning of the last message, written or waiting; of the draft where there is one.
    package var lastMessageSummary: String
    /// The server's time of the last message, in milliseconds since 1970; `nil` where the server has none.
    package var lastMessageTimestamp: Int64?
    package var unreadCount: Int
    /// Whether a message that was not read names the user.
    package var mentionsMe = false
    /// Whether the summary is a draft's.
    package var isDraft: Bool

    package var id: String { contact.id }

    package init(
        contact: User, lastMessageSummary: String, lastMessageTimestamp: Int64?, unreadCount: Int, isDraft: Bool = false
    ) {
        self.contact = contact
        self.lastMessageSummary = lastMessageSummary
        self.lastMessageTimestamp = lastMessageTimestamp
        self.unreadCount = unreadCount
        self.isDraft = isDraft
    }
}
