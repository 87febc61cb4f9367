import ChatClient
import ChatWire
import Foundation
import GRDB
import Testing

/// Links and taps lead into conversations and to messages, and nowhere else.
@MainActor @Suite(.timeLimit(.minutes(3))) struct ChatRouteTests {
    @Test(
        arguments: [
            ("paginator-example://chats", [.chats]),
            ("paginator-example://chats/42", [.chats, .conversation("42")]),
            ("paginator-example://chats/42/messages/77", [.chats, .conversation("42", at: 77)]),
            ("paginator-example://chats/search?text=caf%C3%A9%20at&in=42", [.chats, .search("café at", in: "42")]),
            ("paginator-example://chats/search", [.chats, .search("")]),
        ] as [(String, [ChatRoute])])
    func `a link leads to a path of screens`(link: String, path: [ChatRoute]) throws {
        #expect(ChatRoute.path(of: try #require(URL(string: link))) == path)
    }

    @Test(arguments: [
        "https://chats/42", "paginator-example://posts/42", "paginator-example://chats/42/messages",
        "paginator-example://chats/42/messages/x", "paginator-example://chats/42/members/1",
        "paginator-example://chats/" + String(repeating: "4", count: 65),
    ])
    func `a link that is none of the chat's leads nowhere`(link: String) throws {
        #expect(ChatRoute.path(of: try #require(URL(string: link))) == nil)
    }

    @Test func `the link to a message leads back to it`() throws {
        let link = try #require(ChatRoute.link(to: 77, with: "42"))
        #expect(ChatRoute.path(of: link) == [.chats, .conversation("42", at: 77)])
    }

    @Test func `a path grows with taps and begins anew with a link`() async throws {
        let world = try await ChatWorld.make()
        let (ann, bob) = (try await world.client("ann"), try await world.client("bob"))
        try await ann.chat.refreshContacts()
        let coordinator = ChatCoordinator(try ann.chat)
        coordinator.show(.conversation(bob.id))
        coordinator.show(.search("x", in: bob.id))
        #expect(coordinator.open(try #require(URL(string: "paginator-example://posts/1"))) == false)
        #expect(coordinator.path == [.chats, .conversation(bob.id), .search("x", in: bob.id)])
        coordinator.goBack()
        #expect(coordinator.open(try #require(URL(string: "paginator-example://chats"))))
        #expect(coordinator.path == [.chats])
        coordinator.goBack()
        #expect(coordinator.path == [.chats])
        #expect(try await coordinator.makeConversation(with: bob.id)?.state.conversation.contact.name == "bob")
        for stranger in ["12345", "'; DROP TABLE Users", ann.id] {
            #expect(try await coordinator.makeConversation(with: stranger) == nil)
        }
        await world.end()
    }
}

/// A message that a link, a search or a mention names is brought onto the screen, wherever it is in the history.
@MainActor @Suite(.timeLimit(.minutes(3))) struct JumpTests {
    @Test func `a plan says where the page around a message goes`() {
        #expect(JumpPlan(to: 5, shown: nil, isShown: false) == .anew)
        #expect(JumpPlan(to: 5, shown: (1, 9), isShown: true) == .nothing)
        #expect(JumpPlan(to: 5, shown: (6, 9), isShown: false) == .before)
        #expect(JumpPlan(to: 5, shown: (1, 4), isShown: false) == .behind)
        #expect(JumpPlan(to: 5, shown: (1, 9), isShown: false) == .anew)
    }

    /// Ann, with 1,000 messages of Bob's that she has read, and the screen of their conversation.
    private func opened(at messageId: Int64? = nil) async throws -> (ChatWorld, ChatPerson, ConversationScreen) {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        let me = ann.id
        try await ann.chat.database.write { write in
            try write.save([User(id: "bob", name: "Bob")])
            try write.db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                    INSERT INTO Messages(messageId, contactId, fromUserId, toUserId, content, status, createdAt)
                    SELECT i, 'bob', 'bob', ?, 'message ' || i, 2, i FROM n
                    """, arguments: [me])
        }
        let screen = ConversationScreen(try ann.chat, contact: User(id: "bob", name: "Bob"), pageSize: 20)
        await screen.open(at: messageId)
        try await screen.first { !$0.isLoading }
        return (world, ann, screen)
    }

    private func ids(_ screen: ConversationScreen) -> [Int64] {
        screen.state.conversation.messages.compactMap {
            if case .message(let message) = $0 { message.messageId } else { nil }
        }
    }

    @Test func `it opens at the message of a link with what is around it`() async throws {
        let (world, _, screen) = try await opened(at: 500)
        try await screen.first { $0.focus == 500 }
        #expect(ids(screen) == Array(490...509))
        screen.didShowFocus()
        #expect(screen.state.focus == nil)
        await world.end()
    }

    @Test func `a message that is not on the device is said to be missing and the newest are shown`() async throws {
        let (world, ann, screen) = try await opened(at: 5_000)
        #expect(screen.state.errorMessage == "The message is not on this device")
        #expect(screen.state.focus == nil)
        #expect(ids(screen) == Array(981...1_000))
        // One of another conversation is none of this one.
        let me = ann.id
        try await ann.chat.database.write { try $0.receive(ChatFixtures.wire(7_000, from: "cleo", to: me)) }
        await screen.jump(to: 7_000)
        #expect(screen.state.errorMessage == "The message is not on this device")
        // Scrolling does not clear it.
        await screen.show(visible: 0..<5)
        #expect(screen.state.errorMessage == "The message is not on this device")
        await world.end()
    }

    @Test func `far jumps leave gaps that fill where they are seen and no message is twice or out of order`()
        async throws
    {
        let (world, _, screen) = try await opened()
        await screen.jump(to: 100)
        try await screen.first { $0.focus == 100 }
        // Around it there may be more, which was loaded ahead.
        let far = ids(screen)
        #expect(Set(far).isSuperset(of: Array(90...109) + Array(981...1_000)))
        #expect(far == Set(far).sorted())
        #expect(screen.state.conversation.messages.contains(.missing(before: 981)))
        // Between both there is no end to put it at.
        await screen.jump(to: 500)
        try await screen.first { $0.focus == 500 }
        #expect(Set(ids(screen)).isSuperset(of: 490...509))
        await screen.jump(to: 480)
        try await screen.first { $0.focus == 480 }
        await screen.jumpToEnd()
        try await screen.first { $0.focus == 1_000 }
        for _ in 0..<60 {
            let rows = screen.state.conversation.messages
            guard let gap = rows.firstIndex(where: { if case .missing = $0 { true } else { false } }) else { break }
            await screen.show(visible: max(0, gap - 3)..<(gap + 2))
            try await screen.first { $0.conversation.messages != rows }
        }
        let shown = ids(screen)
        #expect(shown == Array((shown.first ?? 0)...1_000))
        #expect((shown.first ?? 0) <= 480)
        await world.end()
    }

    @Test func `what was missed is new below although the user's own message came before it`() async throws {
        let (world, ann, screen) = try await opened(at: 500)
        let me = ann.id
        try await ann.chat.database.write { try $0.receive(ChatFixtures.wire(2_001, from: me, to: "bob")) }
        try await ann.chat.database.write { write in
            for id in 1_001...1_060 { try write.receive(ChatFixtures.wire(Int64(id), to: me)) }
            _ = try write.deleteForMe(1_030)
        }
        await screen.refresh()
        #expect(screen.state.newBelow == 60)
        await screen.jumpToEnd()
        try await screen.first { $0.focus == 2_001 }
        #expect(screen.state.newBelow == 0)
        await world.end()
    }

    @Test func `a request whose message belongs into a gap does not look as if it were waiting`() async throws {
        let (world, ann, screen) = try await opened(at: 100)
        try await screen.first { $0.focus == 100 }
        let me = ann.id
        try await ann.chat.database.write { write in
            try write.db.execute(sql: "DELETE FROM Messages WHERE messageId = 500")
            _ = try write.compose(requestId: "r", to: "bob", content: "hello", now: 1)
        }
        await screen.jumpToEnd()
        try await screen.first { if case .waiting? = $0.conversation.messages.last { true } else { false } }
        try await ann.chat.database.write { write in
            try write.acknowledge(
                SentMessage(message: ChatFixtures.wire(500, from: me, to: "bob"), fromMessageRequestId: "r"))
        }
        await screen.refresh()
        #expect(ids(screen).last == 1_000)
        #expect(!screen.state.conversation.messages.contains { if case .waiting = $0 { true } else { false } })
        await world.end()
    }

    @Test func `visible rows are messages counted without what stands between them`() {
        let rows: [TimelineRow] = [1, 2].map {
            .message(Message(messageId: $0, fromUserId: "1", toUserId: "2", content: "", createdAt: 1))
        }
        let all = [rows[0], .missing(before: 2), rows[1], .gap]
        #expect(all.positions(in: 0..<4) == 0..<2)
        #expect(all.positions(in: 1..<3) == 1..<2)
        #expect(all.positions(in: 3..<9) == 2..<2)
    }
}
