import ChatClient
import ChatWire
import Testing

/// The order of the conversations is the server's, whatever is written here and whatever clock a device has.
@Suite(.timeLimit(.minutes(3))) struct ConversationListTests {
    private func order(_ database: ChatDatabase) async throws -> [String] {
        try await database.read { try $0.previews().map(\.id) }
    }

    @Test func `typing and writing move no conversation and the server's time does`() async throws {
        let database = try await ChatFixtures.database()
        try await database.write { write in
            try write.receive(ChatFixtures.wire(10, from: "bob"))
            try write.receive(ChatFixtures.wire(11, from: "cleo"))
        }
        #expect(try await order(database) == ["cleo", "bob"])
        // This device's clock is a century ahead.
        let now: Int64 = 5_000_000_000_000
        try await database.write { try $0.saveDraft(requestId: "d", to: "bob", content: "I am", now: now) }
        #expect(try await order(database) == ["cleo", "bob"])
        _ = try await database.write { try $0.compose(requestId: "r", to: "bob", content: "I am here", now: now) }
        #expect(try await order(database) == ["cleo", "bob"])
        try await database.write { write in
            try write.acknowledge(
                SentMessage(message: ChatFixtures.wire(12, from: "ann", to: "bob"), fromMessageRequestId: "r"))
        }
        #expect(try await order(database) == ["bob", "cleo"])
        #expect(try await database.read { try $0.previews().map(\.lastMessageTimestamp) } == [12, 11])
        // Without its last message a conversation stands where the one before it puts it.
        _ = try await database.write { try $0.deleteForMe(12) }
        #expect(try await order(database) == ["cleo", "bob"])
    }

    @Test func `messages of one millisecond are ordered by their ids`() async throws {
        let database = try await ChatFixtures.database()
        try await database.write { write in
            for (id, name) in [(7, "cleo"), (8, "bob")] as [(Int64, String)] {
                var wire = ChatFixtures.wire(id, from: name)
                wire.createdAt = 3
                try write.receive(wire)
            }
        }
        #expect(try await order(database) == ["bob", "cleo"])
    }

    @Test func `a conversation that was begun here stands first until the server has a message of it`() async throws {
        let database = try await ChatFixtures.database()
        try await database.write { write in
            try write.receive(ChatFixtures.wire(1_000, from: "bob"))
            try write.saveDraft(requestId: "d", to: "cleo", content: "Dear", now: 1)
        }
        let begun = try await database.read { try $0.previews() }
        #expect(begun.map(\.id) == ["cleo", "bob"])
        #expect(begun[0].lastMessageTimestamp == nil)
        try await database.write { write in
            _ = try write.compose(requestId: "r", to: "cleo", content: "Dear", now: 1)
            try write.acknowledge(
                SentMessage(message: ChatFixtures.wire(900, from: "ann", to: "cleo"), fromMessageRequestId: "r"))
        }
        #expect(try await order(database) == ["bob", "cleo"])
    }
}
