import AppFoundation
import ChatClient
import ExampleBackend
import Testing

/// What is deleted from a screen is gone where it should be, and nowhere else.
@MainActor @Suite(.timeLimit(.minutes(3))) struct DeletingTests {
    private func message(_ id: Int64, from: String, isDeleted: Bool = false) -> TimelineRow {
        .message(
            Message(messageId: id, fromUserId: from, toUserId: "x", content: "", createdAt: 1, isDeleted: isDeleted))
    }

    private func waiting(_ status: MessageRequestStatus, sentAt: Int64? = nil) -> TimelineRow {
        .waiting(
            MessageRequest(
                requestId: "r", toUserId: "2", content: "", status: status, createdAt: 1, lastSentAt: sentAt))
    }

    @Test func `what can be done with a row depends on whose it is and how far it came`() {
        #expect(message(1, from: "1").actions(of: "1") == [.edit, .deleteForAll, .deleteForMe])
        #expect(message(1, from: "2").actions(of: "1") == [.deleteForMe])
        #expect(message(1, from: "1", isDeleted: true).actions(of: "1") == [.deleteForMe])
        #expect(waiting(.pending).actions(of: "1") == [.discard])
        let edited = Message(messageId: 1, fromUserId: "2", toUserId: "1", content: "", createdAt: 1, revision: 3)
        #expect(TimelineRow.message(edited).actions(of: "1") == [.showEdits, .deleteForMe])
        // It may be on its way.
        #expect(waiting(.sent, sentAt: 1).actions(of: "1") == [])
        #expect(waiting(.failed, sentAt: 1).actions(of: "1") == [.resend, .discard])
        #expect(TimelineRow.gap.actions(of: "1") == [])
    }

    @Test func `deleted for all it is gone on both sides and deleted for me on one`() async throws {
        let world = try await ChatWorld.make()
        let (ann, bob) = (try await world.client("ann"), try await world.client("bob"))
        let screen = try await screen(of: ann, with: bob)
        for text in ["one", "two", "three"] { await screen.send(text) }
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 3 }
        try await ann.waitUntil { try $0.requests(to: bob.id).isEmpty }
        let ids = try await ann.history(with: bob).map(\.messageId)
        await screen.deleteForAll(ids[1])
        try await bob.waitUntil { try $0.message(ids[1])?.isDeleted == true }
        await screen.deleteForMe(ids[2])
        let left = try await screen.first { $0.conversation.messages.count == 2 }
        #expect(left.conversation.messages.map(\.content) == ["one", ""])
        #expect(try await bob.history(with: ann).map(\.content) == ["one", "", "three"])
        // It is not there any more, and the user is told.
        await screen.edit(ids[2], to: "four")
        #expect(screen.state.errorMessage == "The message could not be edited")
        // A crash brings nothing back.
        try await ann.kill()
        try await ann.start()
        #expect(try await ann.history(with: bob).map(\.messageId) == Array(ids[0...1]))
        await world.end()
    }

    @Test func `a deletion that the server refuses brings the message back and says so`() async throws {
        let world = try await ChatWorld.make()
        let (ann, bob) = (try await world.client("ann"), try await world.client("bob"))
        let screen = try await screen(of: ann, with: bob)
        await screen.send("stays")
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 1 }
        try await ann.waitUntil { try $0.requests(to: bob.id).isEmpty }
        world.backend.faults.plan([.status(403)], "DELETE", "/v1/messages")
        let id = try #require(try await ann.history(with: bob).first?.messageId)
        await screen.deleteForAll(id)
        let state = try await screen.first { $0.errorMessage != nil }
        #expect(state.errorMessage == "The change was refused, and the message is as it was")
        try await screen.first { $0.conversation.messages.map(\.content) == ["stays"] }
        await world.end()
    }

    @Test func `a deletion waits until the server is available again and the message does not come back`() async throws
    {
        let world = try await ChatWorld.make()
        let (ann, bob) = (try await world.client("ann"), try await world.client("bob"))
        try await ann.chat.send("gone", to: bob.id)
        try await ann.waitUntil { try $0.history(.newest, with: bob.id, limit: 9).messages.first?.status == .delivered }
        let id = try #require(try await ann.history(with: bob).first?.messageId)
        world.backend.faults.plan(Array(repeating: .status(503), count: 30), "DELETE", "/v1/messages")
        let watch = DeletionWatch(try ann.chat.database, of: id)
        #expect(try await ann.chat.deleteForBoth(id))
        try await ann.waitUntil { try $0.pendingChanges(limit: 1).isEmpty }
        #expect(watch.comebacks.isEmpty)
        #expect(world.backend.faults.count("DELETE", "/v1/messages") == 31)
        try await bob.waitUntil { try $0.message(id)?.isDeleted == true }
        await world.end()
    }

    @Test func `a message that two devices delete comes back on neither`() async throws {
        let world = try await ChatWorld.make()
        let (phone, tablet) = (try await world.client("ann"), try await world.client("ann", device: "tablet"))
        let bob = try await world.client("bob")
        for device in [phone, tablet] { try await device.waitUntilLive() }
        try await phone.chat.send("gone", to: bob.id)
        for device in [phone, tablet] {
            try await device.waitUntil {
                try $0.history(.newest, with: bob.id, limit: 9).messages.first?.status == .delivered
            }
        }
        let id = try #require(try await phone.history(with: bob).first?.messageId)
        tablet.environment.update { $0.link = .none }
        try await tablet.waitUntilStatus { !$0.status.isLive }
        let watches = try [phone, tablet].map { DeletionWatch(try $0.chat.database, of: id) }
        for device in [phone, tablet] { #expect(try await device.chat.deleteForBoth(id)) }
        try await bob.waitUntil { try $0.message(id)?.isDeleted == true }
        // The tablet's deletion is answered before it learns of the phone's.
        world.backend.faults.plan(Array(repeating: .stall, count: 9), "GET", "/v1/messages")
        let catchUps = try tablet.chat.updates.status.catchUps
        tablet.environment.update { $0.link = .good }
        try await tablet.waitUntil { try $0.pendingChanges(limit: 1).isEmpty }
        world.backend.faults.heal()
        try await tablet.waitUntilStatus { $0.status.catchUps > catchUps }
        #expect(watches.map(\.comebacks) == [[], []])
        #expect(try await tablet.history(with: bob).map(\.isDeleted) == [true])
        await world.end()
    }

    @Test func `a conversation leaves the list and what waits is sent`() async throws {
        let world = try await ChatWorld.make()
        let (ann, bob) = (try await world.client("ann"), try await world.client("bob"))
        let list = ChatListScreen(try ann.chat)
        await list.open()
        try await bob.chat.send("hello", to: ann.id)
        try await list.first { $0.unreadCount == 1 }
        try await ann.chat.type("a draft", to: bob.id)
        await list.deleteConversation(with: bob.id)
        try await list.first { $0.conversations.isEmpty }
        try await bob.waitUntil { read in
            try read.history(.newest, with: ann.id, limit: 2).messages.allSatisfy { $0.status == .read }
        }
        #expect(try await bob.history(with: ann).map(\.content) == ["hello"])
        // What waits goes out, and begins the conversation anew.
        await ann.change { $0.link = .none }
        try await ann.chat.send("hi", to: bob.id)
        await list.deleteConversation(with: bob.id)
        ann.environment.update { $0.link = .good }
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 1 }
        try await list.first { $0.conversations.map(\.lastMessageSummary) == ["hi"] }
        await world.end()
    }

    private func screen(of one: ChatPerson, with other: ChatPerson) async throws -> ConversationScreen {
        try await one.chat.refreshContacts()
        let contact = try #require(try await one.chat.database.read { try $0.user(other.id) })
        let screen = ConversationScreen(try one.chat, contact: contact)
        await screen.open()
        return screen
    }
}
