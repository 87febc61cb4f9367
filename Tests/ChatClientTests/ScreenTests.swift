import AppFoundation
import ChatClient
import ExampleBackend
import Foundation
import Testing

/// The screens' states as text frames, compared with what they should be.
@MainActor @Suite(.timeLimit(.minutes(3))) struct ScreenTests {
    private let bob = User(id: "2", name: "Bob")

    private func message(
        _ id: Int64, _ text: String, own: Bool = false, _ status: MessageStatus = .synced, revision: Int64 = 0,
        isDeleted: Bool = false
    ) -> TimelineRow {
        .message(
            Message(
                messageId: id, fromUserId: own ? "1" : "2", toUserId: own ? "2" : "1", content: text, status: status,
                createdAt: id, revision: revision, isDeleted: isDeleted))
    }

    @Test func `a conversation shows marks markers gaps and what waits`() {
        var state = ConversationState(contact: bob)
        state.isLoading = false
        state.isLive = true
        state.unreadMarker = 4
        state.conversation.contactInfo = ContactInfo(onlineStatus: true, typing: true)
        state.conversation.messages = [
            message(1, "Are we still meeting at the station tomorrow morning?", own: true, .read),
            message(2, "", own: true, .delivered, isDeleted: true),
            message(3, "I think so", own: true, .synced, revision: 9),
            message(4, "Yes, at nine"), .gap,
            .waiting(MessageRequest(requestId: "a", toUserId: "2", content: "Good", status: .pending, createdAt: 1)),
            .waiting(MessageRequest(requestId: "b", toUserId: "2", content: "Lost", status: .failed, createdAt: 2)),
        ]
        state.newBelow = 2
        state.draft = "Shall I bring"
        #expect(
            ChatFrames.conversation(state, of: "1")
                == """
                Bob                                  typing…
                                 Are we still meeting at the
                           station tomorrow morning? ✓✓ read
                                              · deleted · ✓✓
                                       I think so (edited) ✓
                ────────────────── unread ──────────────────
                  Yes, at nine
                ─────────────── catching up… ───────────────
                                                      Good …
                                                      Lost ✗
                ─────────────── 2 new below ───────────────
                > Shall I bring
                """
        )
    }

    @Test func `the list shows unread counts drafts and a warning`() {
        var state = ChatListState()
        #expect(ChatFrames.list(state) == "Chats                                offline\n  no chats yet")
        state.isLive = true
        var storage = StorageStatus()
        (storage.level, storage.freeBytes) = (.low, 12_000_000)
        state.warning = StorageWarning(storage, usage: [])
        state.conversations = [
            ConversationPreview(contact: bob, lastMessageSummary: "Yes", lastMessageTimestamp: 2, unreadCount: 3),
            ConversationPreview(
                contact: User(id: "3", name: "Cleo"), lastMessageSummary: "Dear", lastMessageTimestamp: 1,
                unreadCount: 0, isDraft: true),
        ]
        #expect(state.unreadCount == 3)
        #expect(
            ChatFrames.list(state).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } == [
                "Chats", "! Only 12 MB are left", "Bob                                      (3)", "Yes", "Cleo",
                "Draft: Dear",
            ])
    }

    @Test func `the screens follow the database`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        let bob = try await world.client("bob")
        try await ann.chat.refreshContacts()
        let contact = try #require(try await ann.chat.database.read { try $0.user(bob.id) })
        let screen = ConversationScreen(try ann.chat, contact: contact)
        let list = ChatListScreen(try ann.chat)
        await screen.open()
        await list.open()
        await screen.send("hello")
        try await screen.first { $0.conversation.messages.map(\.content) == ["hello"] }
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 1 }
        try await bob.chat.send("hi", to: ann.id)
        try await screen.first {
            $0.conversation.messages.map(\.content) == ["hello", "hi"] && $0.conversation.unreadCount == 1
        }
        try await list.first { $0.conversations.first?.lastMessageSummary == "hi" && $0.unreadCount == 1 }
        await screen.show(visible: 0..<2)
        try await screen.first { $0.conversation.unreadCount == 0 }
        try await list.first { $0.unreadCount == 0 }
        // What a page shows may be beyond the end by the time this is told.
        await screen.show(visible: 30..<40)
        list.show(visible: 30..<40)
        #expect(screen.state.conversation.messages.count == 2)
        await world.end()
    }
}
