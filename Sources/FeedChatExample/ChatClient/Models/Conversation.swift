/// A conversation for its screen.
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

/// A conversation for the chat list.
package struct ConversationPreview: Sendable, Hashable, Identifiable {
    package var contact: User
    /// The beginning of the last message, sent or waiting, or of the draft if there is one.
    package var lastMessageSummary: String
    /// The server's time of the last message, in milliseconds since 1970; `nil` if the server has none.
    package var lastMessageTimestamp: Int64?
    package var unreadCount: Int
    /// Whether an unread message mentions the user.
    package var mentionsMe = false
    /// Whether the summary is that of a draft.
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
