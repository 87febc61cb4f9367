import AppFoundation
import ChatClient
import ChatWire
import ExampleBackend
import Testing

/// What waits goes in few requests, all of a batch or none of it.
@Suite(.timeLimit(.minutes(3))) struct BatchTests {
    /// Ann, who has written without a connection.
    private func written(
        _ texts: [String], _ adjust: (inout BackendConfiguration) -> Void = { _ in }
    ) async throws -> (ChatWorld, ChatPerson, ChatPerson) {
        let world = try await ChatWorld.make(adjust)
        let (ann, bob) = (try await world.client("ann"), try await world.client("bob"))
        await ann.change { $0.link = .none }
        for text in texts { try await ann.chat.send(text, to: bob.id) }
        return (world, ann, bob)
    }

    @Test func `what was written offline goes in one request for ten messages`() async throws {
        let texts = (0..<25).map { "\($0)" }
        let (world, ann, bob) = try await written(texts)
        ann.environment.update { $0.link = .good }
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 25 }
        try await ann.waitUntil { try $0.requests(to: bob.id).isEmpty }
        #expect(try await bob.history(with: ann).map(\.content) == texts)
        #expect(world.backend.faults.count("POST", "/v1/messages") == 3)
        await world.end()
    }

    @Test func `a batch whose answer is lost makes each message once also over a kill`() async throws {
        let texts = (0..<10).map { "\($0)" }
        let (world, ann, bob) = try await written(texts)
        world.backend.faults.plan([.lostAnswer, .stall], "POST", "/v1/messages")
        ann.environment.update { $0.link = .good }
        try await world.backend.faults.waitForRequests(2, "POST", "/v1/messages")
        try await ann.kill()
        world.backend.faults.heal()
        try await ann.start()
        try await ann.waitUntil { try $0.requests(to: bob.id).isEmpty }
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 10 }
        #expect(try await bob.history(with: ann).map(\.content) == texts)
        #expect(try await ann.history(with: bob).map(\.messageId) == bob.history(with: ann).map(\.messageId))
        await world.end()
    }

    @Test func `one message that is refused keeps no other from being sent`() async throws {
        let (world, ann, bob) = try await written(["one", "a long one", "two"]) { $0.chat.contentLimit = 5 }
        ann.environment.update { $0.link = .good }
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 2 }
        try await ann.waitUntil { try $0.requests(to: bob.id).map(\.status) == [.failed] }
        #expect(try await bob.history(with: ann).map(\.content) == ["one", "two"])
        await world.end()
    }
}

/// What a message said before it was edited can be seen, as far as the device was ever told.
@Suite(.timeLimit(.minutes(3))) struct EditHistoryTests {
    @Test func `both sides keep the texts in their order and a deletion for all forgets them`() async throws {
        let world = try await ChatWorld.make()
        let (ann, bob) = (try await world.client("ann"), try await world.client("bob"))
        try await ann.chat.send("at nine", to: bob.id)
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 1 }
        try await ann.waitUntil { try $0.requests(to: bob.id).isEmpty }
        let id = try #require(try await ann.history(with: bob).first?.messageId)
        for text in ["at ten", "at eleven"] {
            #expect(try await ann.chat.edit(id, to: text))
            try await bob.waitUntil { try $0.message(id)?.content == text }
        }
        try await ann.waitUntil { try $0.pendingChanges(limit: 1).isEmpty }
        for person in [ann, bob] {
            let texts = try await person.chat.database.read { try $0.earlierTexts(of: id) }
            #expect(texts.map(\.content) == ["at nine", "at ten"])
            #expect(texts.allSatisfy { $0.replacedAt != nil })
        }
        #expect(try await ann.chat.deleteForBoth(id))
        try await bob.waitUntil { try $0.message(id)?.isDeleted == true }
        try await ann.waitUntil { try $0.pendingChanges(limit: 1).isEmpty }
        for person in [ann, bob] {
            #expect(try await person.chat.database.read { try $0.earlierTexts(of: id) }.isEmpty)
        }
        await world.end()
    }

    @Test func `a refused edit and an old one leave no text and a deletion here takes them along`() async throws {
        let database = try await ChatFixtures.database()
        try await database.write { write in
            try write.receive(ChatFixtures.wire(1, "a"))
            try write.apply(MessageRevision(messageId: 1, revision: 5, content: "c", changedAt: 50))
            try write.apply(MessageRevision(messageId: 1, revision: 4, content: "b", changedAt: 40))
            // Told again after the content was changed on its way.
            try write.apply(MessageRevision(messageId: 1, revision: 6, content: "c", changedAt: 60))
            #expect(try write.earlierTexts(of: 1) == [EarlierText(content: "a", replacedAt: 50)])
            _ = try write.deleteForMe(1)
            #expect(try write.earlierTexts(of: 1).isEmpty)

            try write.receive(ChatFixtures.wire(2, "mine", from: "ann", to: "bob"))
            #expect(try write.change(2, to: "wrong", requestId: "r"))
            for change in try write.pendingChanges(limit: 9) { try write.rollBack(change) }
            #expect(try write.message(2)?.content == "mine")
            #expect(try write.earlierTexts(of: 2).isEmpty)
        }
    }
}
