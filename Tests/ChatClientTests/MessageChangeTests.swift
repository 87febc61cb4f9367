import ChatClient
import ChatWire
import Foundation
import Testing

/// What the server says of a message is what every device comes to show, whatever was shown before it answered.
struct MessageChangeTests {
    /// A database with one message of Ann's, "a", and what she changed of it.
    private func database(changes: [String?]) async throws -> ChatDatabase {
        let database = try await ChatFixtures.database()
        try await database.write { write in
            try write.save(Message(messageId: 1, fromUserId: "ann", toUserId: "bob", content: "a", createdAt: 1))
            for (index, content) in changes.enumerated() {
                #expect(try write.change(1, to: content, requestId: "c\(index)"))
            }
        }
        return database
    }

    private func revision(_ revision: Int64, _ content: String?) -> MessageRevision {
        MessageRevision(messageId: 1, revision: revision, content: content)
    }

    @Test(arguments: ["b", nil] as [String?])
    func `a refused change brings nothing back that was deleted elsewhere`(content: String?) async throws {
        let database = try await database(changes: [content])
        let change = try #require(try await database.read { try $0.pendingChanges(limit: 1).first })
        let deletion = revision(5, nil)
        try await database.write { write in
            try write.apply(deletion)
            try write.rollBack(change)
            #expect(try write.message(1)?.isDeleted == true)
            #expect(try write.message(1)?.content == "")
            #expect(try write.pendingChanges(limit: 1).isEmpty)
        }
    }

    @Test(arguments: ["b", nil] as [String?])
    func `a refused change gives way to what another device wrote`(content: String?) async throws {
        let database = try await database(changes: [content])
        let change = try #require(try await database.read { try $0.pendingChanges(limit: 1).first })
        let edit = revision(5, "other")
        try await database.write { write in
            try write.apply(edit)
            try write.rollBack(change)
            #expect(try write.message(1)?.content == "other")
            #expect(try write.message(1)?.isDeleted == false)
            #expect(try write.earlierTexts(of: 1).map(\.content) == ["a"])
        }
    }

    @Test(arguments: [4, 6] as [Int64])
    func `two devices that edit at once agree in the end`(mine: Int64) async throws {
        let database = try await database(changes: ["mine"])
        let change = try #require(try await database.read { try $0.pendingChanges(limit: 1).first })
        let (other, own) = (revision(5, "other"), revision(mine, "mine"))
        try await database.write { write in
            try write.apply(other)
            try write.confirm(change, as: own)
            #expect(try write.message(1)?.content == (mine > 5 ? "mine" : "other"))
            #expect(try write.message(1)?.revision == max(mine, 5))
        }
    }

    @Test func `a later change stays in sight until it is confirmed`() async throws {
        let database = try await database(changes: ["b", "c"])
        let changes = try await database.read { try $0.pendingChanges(limit: 2) }
        let (other, first) = (revision(5, "other"), revision(6, "b"))
        try await database.write { write in
            try write.apply(other)
            try write.confirm(changes[0], as: first)
            #expect(try write.message(1)?.content == "c")
            try write.rollBack(changes[1])
            #expect(try write.message(1)?.content == "b")
        }
    }

    @Test(arguments: ["edited", nil] as [String?])
    func `a change that comes before the answer is not lost`(content: String?) async throws {
        let database = try await ChatFixtures.database()
        let sent = SentMessage(
            message: ChatFixtures.wire(77, "hello", from: "ann", to: "bob"), fromMessageRequestId: "r")
        try await database.write { write in
            let request = try write.compose(requestId: "r", to: "bob", content: "hello", now: 1)
            try write.markSent([request.requestId], now: 2)
            try write.apply(MessageRevision(messageId: 77, revision: 81, content: content))
            try write.apply(MessageRevision(messageId: 77, revision: 80, content: "older"))
            try write.acknowledge(sent)
            #expect(try write.message(77)?.content == content ?? "")
            #expect(try write.message(77)?.isDeleted == (content == nil))
            #expect(try write.message(77)?.revision == 81)
        }
    }
}
