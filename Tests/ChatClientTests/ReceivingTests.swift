import ChatClient
import ChatWire
import Foundation
import GRDB
import PaginatorTesting
import Testing

/// Events are applied once, with the place that they lead to; receipts and statuses only move forward.
struct ReceivingTests {
    @Test func `what was applied is not applied again`() async throws {
        let database = try await ChatFixtures.database()
        let events = [5, 6, 7].map { ChatFixtures.event(ChatFixtures.wire($0)) }
        try await database.write { try $0.apply(events, upTo: 7) }
        _ = try await database.write { try $0.deleteForMe(6) }
        try await database.write { try $0.apply(events, upTo: 7) }
        let (ids, place) = try await database.read { read in
            (try read.history(.newest, with: "bob", limit: 9).messages.map(\.messageId), try read.lastSyncedMessage())
        }
        #expect(ids == [5, 7])
        #expect(place == 7)
    }

    @Test func `a received message queues its receipt and reading raises it`() async throws {
        let database = try await ChatFixtures.database()
        try await database.write { write in
            for id in 1...3 { try write.receive(ChatFixtures.wire(Int64(id))) }
            #expect(try write.unreadCount(from: "bob") == 3)
            #expect(try write.firstUnread(from: "bob") == 1)
            #expect(try write.markRead(from: "bob", upTo: 2) == 2)
            try write.receive(ChatFixtures.wire(1))
        }
        let receipts = try await database.read { try $0.pendingReceipts(limit: 10) }
        #expect(receipts.map(\.status) == [.read, .read, .delivered])
        let unread = try await database.read { try $0.unreadCount(from: "bob") }
        #expect(unread == 1)
    }

    @Test func `a receipt raised while it was sent stays`() async throws {
        let database = try await ChatFixtures.database()
        try await database.write { write in
            try write.receive(ChatFixtures.wire(1))
            let sent = try write.pendingReceipts(limit: 10)
            try write.markRead(from: "bob", upTo: 1)
            try write.removeReceipts(sent)
            #expect(try write.pendingReceipts(limit: 10).map(\.status) == [.read])
            try write.removeReceipts(try write.pendingReceipts(limit: 10))
            #expect(try write.pendingReceipts(limit: 10).isEmpty)
        }
    }

    @Test func `a receipt that comes before the answer is not lost`() async throws {
        let database = try await ChatFixtures.database()
        try await database.write { write in
            let request = try write.compose(requestId: "r1", to: "bob", content: "hello", now: 1)
            try write.markSent([request.requestId], now: 2)
            try write.raiseStatus(of: 77, to: .read)
            try write.raiseStatus(of: 77, to: .delivered)
            try write.acknowledge(
                SentMessage(
                    message: ChatFixtures.wire(77, "hello", from: "ann", to: "bob"), fromMessageRequestId: "r1"))
            #expect(try write.message(77)?.status == .read)
            #expect(try write.requests(to: "bob").isEmpty)
        }
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `statuses move forward in any order`(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let database = try await ChatFixtures.database()
        var steps: [@Sendable (ChatTransaction) throws -> Void] = [
            { try $0.raiseStatus(of: 9, to: .delivered) },
            { try $0.raiseStatus(of: 9, to: .read) },
            { try $0.raiseStatus(of: 9, to: .delivered) },
            {
                try $0.acknowledge(
                    SentMessage(
                        message: ChatFixtures.wire(9, "x", from: "ann", to: "bob"), fromMessageRequestId: "r"))
            },
        ]
        steps.shuffle(using: &random)
        let shuffled = steps
        let last = try await database.write { write in
            _ = try write.compose(requestId: "r", to: "bob", content: "x", now: 1)
            try write.markSent(["r"], now: 1)
            for step in shuffled { try step(write) }
            return try write.message(9)?.status
        }
        #expect(last == .read, "seed \(seed)")
    }

    @Test func `a page with an event that cannot be read shows the messages around it`() async throws {
        let message = #"{"messageId": 0, "fromUserId": "bob", "toUserId": "ann", "content": "hi", "createdAt": 1}"#
        let events = [message.replacing("0", with: "1"), #"{"messageId": "two"}"#, message.replacing("0", with: "3")]
            .enumerated().map { index, payload in
                #"{"id": \#(index + 1), "previous": \#(index), "type": "new_message", "payload": \#(payload)}"#
            }
        let json = #"{"events": [\#(events.joined(separator: ","))], "lastSyncedMessage": 3, "hasMore": false}"#
        let page = try JSONDecoder().decode(SyncPage.self, from: Data(json.utf8))
        let database = try await ChatFixtures.database()
        try await database.write { write in
            try write.apply(page.events, upTo: page.lastSyncedMessage)
            #expect(try write.history(.newest, with: "bob", limit: 9).messages.map(\.messageId) == [1, 3])
            #expect(try write.lastSyncedMessage() == 3)
        }
        #expect(page.events.map(\.previous) == [0, 1, 2])
    }

    @Test func `receipts and changes of messages that are not on the device leave nothing behind`() async throws {
        let database = try await ChatFixtures.database()
        try await database.write { write in
            func earlyCount() throws -> Int? {
                try Int.fetchOne(
                    write.db,
                    sql: "SELECT (SELECT count(*) FROM EarlyReceipts) + (SELECT count(*) FROM EarlyRevisions)")
            }
            for (index, id) in ["acknowledged", "deleted"].enumerated() {
                _ = try write.compose(requestId: id, to: "bob", content: "x", now: Int64(index))
                try write.markSent([id], now: 1)
                try write.raiseStatus(of: 500, to: .delivered)
                try write.apply(MessageRevision(messageId: 501, revision: 502, content: nil))
                #expect(try earlyCount() == 2)
                if id == "acknowledged" {
                    let wire = ChatFixtures.wire(9, "x", from: "ann", to: "bob")
                    try write.acknowledge(SentMessage(message: wire, fromMessageRequestId: id))
                } else {
                    try write.giveUp([id])
                    #expect(try write.deleteRequest(id))
                }
                #expect(try earlyCount() == 0)
            }
        }
    }

    @Test func `a clock that is set back changes no order of what waits`() async throws {
        let database = try await ChatFixtures.database()
        try await database.write { write in
            for (index, now) in [5_000, 4_000, 1, 6_000].enumerated() {
                _ = try write.compose(requestId: "r\(9 - index)", to: "bob", content: "\(index)", now: Int64(now))
            }
            #expect(try write.requests(to: "bob").map(\.content) == ["0", "1", "2", "3"])
        }
    }

    @Test func `a draft is kept once and becomes the message`() async throws {
        let database = try await ChatFixtures.database()
        try await database.write { write in
            try write.saveDraft(requestId: "d1", to: "bob", content: "hel", now: 1)
            try write.saveDraft(requestId: "d2", to: "bob", content: "hello", now: 2)
            #expect(try write.draft(to: "bob") == "hello")
            #expect(try write.requests(to: "bob").isEmpty)
            #expect(try write.previews().map(\.isDraft) == [true])
            _ = try write.compose(requestId: "r", to: "bob", content: "hello", now: 3)
            #expect(try write.draft(to: "bob") == nil)
        }
    }

    @Test func `a refused change is taken back and later ones stay`() async throws {
        let database = try await ChatFixtures.database()
        try await database.write { write in
            try write.save(Message(messageId: 1, fromUserId: "ann", toUserId: "bob", content: "a", createdAt: 1))
            #expect(try write.change(1, to: "b", requestId: "c1"))
            #expect(try write.change(1, to: "c", requestId: "c2"))
            let changes = try write.pendingChanges(limit: 9)
            try write.rollBack(changes[0])
            #expect(try write.message(1)?.content == "c")
            try write.rollBack(changes[1])
            #expect(try write.message(1)?.content == "a")
            #expect(try write.change(1, to: nil, requestId: "c3"))
            #expect(try write.message(1)?.isDeleted == true)
            #expect(try !write.change(1, to: "x", requestId: "c4"))
        }
    }
}
