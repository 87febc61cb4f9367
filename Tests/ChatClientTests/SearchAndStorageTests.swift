import ChatClient
import ChatWire
import Testing

/// Messages are found by words, and what they occupy is told and given back when asked.
struct SearchAndStorageTests {
    private func database() async throws -> ChatDatabase {
        let database = try await ChatFixtures.database()
        try await database.write { write in
            for (id, text, from) in [
                (1, "The café opens at nine", "bob"), (2, "coffee at the Cafe?", "cleo"), (3, "nine is fine", "bob"),
                (4, "see you there", "bob"),
            ] {
                try write.receive(ChatFixtures.wire(Int64(id), text, from: from))
            }
        }
        return database
    }

    @Test func `words are found by their beginnings in one conversation and in all`() async throws {
        let found = try await database().read { read in
            [
                try read.search("cafe"), try read.search("caf", in: "bob"), try read.search("NINE"),
                try read.search("nine", olderThan: 3), try read.search("nine at"), try read.search("\"*:("),
            ].map { $0.map(\.messageId) }
        }
        #expect(found == [[2, 1], [1], [3, 1], [1], [1], []])
    }

    @Test func `edited and deleted text is found no more`() async throws {
        let database = try await database()
        let found = try await database.write { write in
            try write.apply(MessageRevision(messageId: 1, revision: 9, content: "closed today"))
            _ = try write.deleteForMe(2)
            return [try write.search("cafe"), try write.search("closed")].map { $0.map(\.messageId) }
        }
        #expect(found == [[], [1]])
    }

    @Test func `usage is told and only what was asked for is deleted`() async throws {
        let database = try await database()
        try await database.write { write in
            let usage = try write.usage()
            #expect(usage.map(\.contact.id) == ["bob", "cleo"])
            #expect(usage.map(\.messageCount) == [3, 1])
            #expect(usage[1].bytes == 19)
            _ = try write.compose(requestId: "r", to: "bob", content: "waits", now: 1)
            #expect(try write.deleteMessages(with: "bob", olderThan: 3) == 1)
            #expect(try write.history(.newest, with: "bob", limit: 9).messages.map(\.messageId) == [3, 4])
            #expect(try write.deleteMessages(with: "bob", olderThan: nil) == 2)
            #expect(try write.usage().map(\.contact.id) == ["cleo"])
            #expect(try write.requests(to: "bob").count == 1)
            // The server still learns that all three came.
            #expect(try write.pendingReceipts(limit: 9).map(\.messageId) == [1, 2, 3, 4])
        }
    }
}
