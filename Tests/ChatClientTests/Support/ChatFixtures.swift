import AppFoundation
import ChatClient
import ChatWire
import Foundation
import GRDB
import PaginatorCore
import PaginatorLists
import TestFolders

/// Databases and messages for tests; the signed-in user is Ann, who chats with Bob.
enum ChatFixtures {
    static let ann = User(id: "ann", name: "Ann")
    static let bob = User(id: "bob", name: "Bob")
    static let cleo = User(id: "cleo", name: "Cleo")

    static func database(userId: String = "ann") async throws -> ChatDatabase {
        let file = TemporaryFolder.root.appendingPathComponent(
            "chat-\(UUID().uuidString)/chat.sqlite")
        let database = try await ChatDatabase.open(file, userId: userId)
        try await database.write { try $0.save([ann, bob, cleo]) }
        return database
    }

    static func wire(_ id: Int64, _ content: String = "", from: String = "bob", to: String = "ann") -> ChatMessage {
        ChatMessage(
            messageId: id, fromUserId: from, toUserId: to, content: content.isEmpty ? "message \(id)" : content,
            createdAt: id)
    }

    static func event(_ message: ChatMessage, previous: Int64 = 0) -> ChatEvent {
        ChatEvent(id: message.messageId, previous: previous, content: .newMessage(message))
    }

    /// Fills a conversation in one statement, every third message Ann's.
    static func fill(_ database: ChatDatabase, contact: String = "bob", ids: ClosedRange<Int64>) async throws {
        try await database.write { write in
            try write.db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    INSERT INTO Messages(messageId, contactId, fromUserId, toUserId, content, status, createdAt)
                    SELECT i, ?, iif(i % 3, ?, 'ann'), iif(i % 3, 'ann', ?), 'message ' || i, 2, i FROM n
                    """, arguments: [ids.lowerBound, ids.upperBound, contact, contact, contact])
        }
    }
}

extension ChatTransaction {
    /// Returns the oldest waiting changes, those of one message in order.
    func pendingChanges(limit: Int) throws -> [PendingChange] {
        try Row.fetchAll(db, sql: "SELECT * FROM MessageChanges ORDER BY id LIMIT ?", arguments: [limit])
            .map(PendingChange.init(row:))
    }
}

/// What a device shows of one message from now on: whether it comes back after a deletion, or a change is refused.
final class DeletionWatch: Sendable {
    private let complaints = Guarded<[ChatChange]>([])
    private let subscription: ChatSubscription

    init(_ database: ChatDatabase, of id: Int64) {
        subscription = database.changes.subscribe { [complaints] changes in
            let shown = changes.filter { change in
                switch change {
                case .changed(let message, _): message.messageId == id && !message.isDeleted
                case .changeRefused: true
                default: false
                }
            }
            complaints.withLock { $0 += shown }
        }
    }

    /// The changes that showed the message, or told of a refusal.
    var comebacks: [ChatChange] { complaints.withLock { $0 } }
}

extension PaginatorList {
    /// Waits until what the list shows is as wanted, and returns it.
    func settled(
        line: UInt = #line, where isWanted: (PaginatorListUpdate<T, ID>) -> Bool
    ) async throws -> PaginatorListSnapshot<T, ID> {
        let (updates, continuation) = AsyncStream<PaginatorListUpdate<T, ID>>.makeStream()
        let observation = observe { continuation.yield($0) }
        defer { observation.cancel() }
        for await update in updates where isWanted(update) { return update.snapshot }
        throw StateNotReached("what the list should show, line \(line)")
    }
}
