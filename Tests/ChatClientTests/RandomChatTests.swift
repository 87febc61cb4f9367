import AppFoundation
import ChatClient
import ExampleBackend
import Foundation
import GRDB
import PaginatorCore
import PaginatorTesting
import Testing

/// Two devices with clocks hours apart write to each other while requests, answers and frames are lost, doubled, turned
/// round and late, sockets are cut, and devices and backend are killed: both end with the same.
///
/// `scripts/chat-long` writes 2,000 messages instead of 200, with several seeds.
@Suite(.timeLimit(.minutes(15))) struct RandomChatTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let messages = environment["PAGINATOR_CHAT_MESSAGES"].flatMap(Int.init) ?? 200
    private static let seeds = environment["PAGINATOR_CHAT_SEEDS"].flatMap(UInt64.init) ?? 1

    @Test(arguments: 1...max(1, seeds))
    func `nothing is lost nothing comes twice and both sides agree`(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let world = try await ChatWorld.make(seed: seed)
        var weather = FaultyTransport.Weather()
        weather.lost = 6
        weather.doubled = 6
        weather.held = 6
        weather.cut = 3
        let transports = [FaultyTransport(seed: seed &+ 1, weather), FaultyTransport(seed: seed &+ 2, weather)]
        // On Linux a transfer that the system repeats, because the backend went away, at times leaves out the body (seen
        // with libcurl 7.88): backend and client wait for each other until the time-out.
        let patience = Duration.seconds(1)
        let ann = try await world.client(
            "ann", clockOffset: .hours(-9), transport: transports[0], timeoutLimit: patience,
            attemptLimit: 1_000, seed: seed &+ 3)
        let bob = try await world.client(
            "bob", clockOffset: .hours(11), transport: transports[1], timeoutLimit: patience,
            attemptLimit: 1_000, seed: seed &+ 4)
        var storm = BackendFaults.Weather()
        storm.lostRequests = 0.05
        storm.lostAnswers = 0.05
        storm.serverErrors = 0.05
        storm.latency = 2
        world.backend.faults.set(storm)

        var written: [String: [String]] = [ann.id: [], bob.id: []]
        for index in 0..<Self.messages {
            let (one, other) = Bool.random(using: &random) ? (ann, bob) : (bob, ann)
            try await one.chat.send("\(one.name) \(index)", to: other.id)
            written[one.id]?.append("\(one.name) \(index)")
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<4:
                try await one.kill()
                try await one.start()
            case 4..<6:
                await world.backend.stop()
                try await world.backend.start()
            case 6..<9: await world.backend.chat.cutSockets()
            case 9..<12: one.environment.update { $0.link = $0.link == .none ? .good : .none }
            case 12..<40: try await other.chat.markRead(from: one.id, upTo: .max)
            case 40..<60 where one.environment.state.isOnline:
                // Lets the network do something before the next message is written.
                try await one.waitUntil { try $0.waitingCount(to: other.id) < 3 }
            default: break
            }
        }
        world.backend.faults.heal()
        for transport in transports { transport.calm() }
        for person in [ann, bob] { person.environment.update { $0.link = .good } }

        for (one, other) in [(ann, bob), (bob, ann)] {
            let count = written[other.id]?.count ?? 0
            try await one.waitUntil { read in
                try read.waitingCount(to: other.id) == 0 && read.receivedCount(from: other.id) >= count
            }
            try await one.chat.markRead(from: other.id, upTo: .max)
        }
        for (one, other) in [(ann, bob), (bob, ann)] {
            try await one.waitUntil { read in
                try read.unfinishedCount(with: other.id) == 0 && read.pendingReceipts(limit: 1).isEmpty
            }
        }
        let (left, right) = (try await ann.history(with: bob), try await bob.history(with: ann))
        #expect(left.map(\.messageId) == right.map(\.messageId), "seed \(seed)")
        #expect(left.map(\.content) == right.map(\.content), "seed \(seed)")
        #expect(left.map(\.status) == right.map(\.status), "seed \(seed)")
        for person in [ann, bob] {
            #expect(left.filter { $0.fromUserId == person.id }.map(\.content) == written[person.id], "seed \(seed)")
        }
        #expect(try await world.backend.chat.waiting().messages == 0, "seed \(seed)")
        await world.end()
    }
}

extension ChatTransaction {
    fileprivate func waitingCount(to contactId: String) throws -> Int {
        try count("SELECT count(*) FROM MessageRequests WHERE toUserId = ? AND status <> 0", contactId)
    }

    fileprivate func receivedCount(from contactId: String) throws -> Int {
        try count("SELECT count(*) FROM Messages WHERE contactId = ?1 AND fromUserId = ?1", contactId)
    }

    fileprivate func unfinishedCount(with contactId: String) throws -> Int {
        try count("SELECT count(*) FROM Messages WHERE contactId = ? AND status < 2", contactId)
    }

    private func count(_ sql: String, _ contactId: String) throws -> Int {
        try Int.fetchOne(db, sql: sql, arguments: [contactId]) ?? 0
    }
}
