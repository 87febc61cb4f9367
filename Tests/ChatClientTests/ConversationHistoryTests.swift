import ChatClient
import ChatWire
import PaginatorCore
import PaginatorLists
import Testing

/// The history opens at the unread marker, grows both ways, and keeps its place while messages come.
@Suite(.timeLimit(.minutes(3))) struct ConversationHistoryTests {
    private func receive(_ ids: Int64..., in database: ChatDatabase) async throws {
        try await database.write { write in
            for id in ids { try write.receive(ChatFixtures.wire(id)) }
        }
    }

    @Test func `it opens at the unread marker and grows both ways`() async throws {
        let database = try await ChatFixtures.database()
        try await ChatFixtures.fill(database, ids: 1...300)
        let history = ConversationHistory(database, with: "bob", unreadMarker: 200, pageSize: 20)
        history.list.loadNext()
        let opened = try await history.list.settled { $0.snapshot.count == 20 }
        #expect(opened.map(\.messageId) == Array(190...209))
        history.list.loadPrevious()
        _ = try await history.list.settled { $0.snapshot.count == 39 }
        history.list.loadNext()
        let grown = try await history.list.settled { $0.snapshot.count == 59 }
        #expect(grown.map(\.messageId) == Array(171...229))
        #expect(grown.gaps.isEmpty)
    }

    @Test func `a live message shows at the end only where the end is loaded`() async throws {
        let database = try await ChatFixtures.database()
        try await ChatFixtures.fill(database, ids: 1...100)
        let history = ConversationHistory(database, with: "bob", unreadMarker: 50, pageSize: 20)
        history.list.loadNext()
        _ = try await history.list.settled { $0.snapshot.count == 20 }
        try await receive(1_000, in: database)
        let waiting = try await history.list.settled { $0.status.newBelow == 1 }
        #expect(waiting.map(\.messageId) == Array(40...59))
        for count in [40, 60] {
            history.list.loadNext()
            _ = try await history.list.settled { $0.snapshot.count >= count }
        }
        history.list.loadNext()
        let end = try await history.list.settled { $0.status.next == .endReached }
        #expect(end.map(\.messageId) == Array(40...100) + [1_000])
    }

    @Test func `a message that comes late takes the place of its id`() async throws {
        let database = try await ChatFixtures.database()
        try await ChatFixtures.fill(database, ids: 1...10)
        let history = ConversationHistory(database, with: "bob", unreadMarker: nil, pageSize: 20)
        history.list.loadNext()
        _ = try await history.list.settled { $0.snapshot.count == 10 }
        try await receive(20, 16, 14, 18, 15, 30, 25, in: database)
        try await receive(0, -5, in: database)
        let shown = try await history.list.settled { $0.snapshot.count == 19 }
        #expect(shown.map(\.messageId) == [-5, 0] + Array(1...10) + [14, 15, 16, 18, 20, 25, 30])
    }

    @Test func `statuses edits and deletions change their rows`() async throws {
        let database = try await ChatFixtures.database()
        try await ChatFixtures.fill(database, ids: 1...10)
        let history = ConversationHistory(database, with: "bob", unreadMarker: nil, pageSize: 20)
        history.list.loadNext()
        _ = try await history.list.settled { $0.snapshot.count == 10 }
        try await database.write { write in
            try write.apply(MessageRevision(messageId: 4, revision: 50, content: "new"))
            try write.apply(MessageRevision(messageId: 4, revision: 40, content: "old"))
            _ = try write.deleteForMe(7)
        }
        let shown = try await history.list.settled { $0.snapshot.count == 9 && $0.snapshot[3].revision == 50 }
        #expect(shown[3].content == "new")
        #expect(!shown.contains { $0.messageId == 7 })
    }
}
