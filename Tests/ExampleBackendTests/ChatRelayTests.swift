import ExampleBackend
import Foundation
import PaginatorCore
import Testing

/// The relay keeps a message for each device of its recipient until that device has it, and not longer.
@Suite(.timeLimit(.minutes(3))) struct ChatRelayTests {
    /// A relay with a clock that is set by hand, and people with devices.
    private struct World {
        let server: BackendServer
        let url: URL
        let clock: Guarded<Date>

        init() async throws {
            let clock = Guarded(Date(timeIntervalSince1970: 1_767_225_600))
            var configuration = BackendConfiguration()
            configuration.corpusSize = 1
            configuration.chat.now = { clock.withLock { $0 } }
            server = try BackendServer(configuration)
            url = try await server.start()
            self.clock = clock
        }

        func device(of name: String, id: String? = nil) async throws -> LoopbackClient {
            var client = LoopbackClient(server: server, url: url)
            client.token = try await client.newToken(name, device: id)
            return client
        }

        /// Two devices that have signed in, and for which nothing waits.
        func phoneAndTablet(of name: String) async throws -> (LoopbackClient, LoopbackClient) {
            let devices = (try await device(of: name, id: "phone"), try await device(of: name, id: "tablet"))
            for device in [devices.0, devices.1] { #expect(try await device.waiting().isEmpty) }
            return devices
        }

        func id(_ name: String) throws -> String { "\(try server.accounts.user(named: name).id)" }

        func pass(days: Double) { clock.withLock { $0 += days * 86_400 } }
    }

    @Test func `a late repetition finds its message for thirty days after it was read`() async throws {
        let world = try await World()
        let (ann, bob) = (try await world.device(of: "Ann"), try await world.device(of: "Bob"))
        let first = try await ann.send("hello", to: world.id("Bob"), requestId: "r")
        #expect(try await bob.waiting() == ["hello"])
        try await bob.acknowledge(first, "read")
        #expect(try await world.server.chat.waiting().messages == 0)
        world.pass(days: 29.9)
        #expect(try await ann.send("hello", to: world.id("Bob"), requestId: "r") == first)
        #expect(try await bob.waiting().isEmpty)
        world.pass(days: 0.2)
        // What is past its time goes with the next receipts.
        try await bob.acknowledge(first, "read")
        #expect(try await world.server.chat.waiting().requests == 0)
        await world.server.stop()
    }

    @Test func `a message that was read is edited and deleted for all days later`() async throws {
        let world = try await World()
        let (ann, bob) = (try await world.device(of: "Ann"), try await world.device(of: "Bob"))
        let id = try await ann.send("helo", to: world.id("Bob"))
        try await bob.acknowledge(id, "read")
        for day in 1...2 {
            world.pass(days: 7)
            // Any later receipt clears what is past its time.
            try await bob.acknowledge(id, "read")
            let edit = ["requestId": "e\(day)", "content": "hello \(day)"]
            #expect(try await ann.ask("PATCH", "/v1/messages/\(id)", edit).status == 200)
        }
        world.pass(days: 7)
        try await bob.acknowledge(id, "read")
        #expect(try await ann.ask("DELETE", "/v1/messages/\(id)?scope=both&requestId=d").status == 200)
        #expect(try await bob.events() == ["message_changed", "message_changed", "message_changed"])
        await world.server.stop()
    }

    @Test func `every device gets a message and the first one delivers it`() async throws {
        let world = try await World()
        let ann = try await world.device(of: "Ann")
        let (phone, tablet) = (try await world.device(of: "Bob"), try await world.device(of: "Bob"))
        for device in [phone, tablet] { #expect(try await device.waiting().isEmpty) }
        let id = try await ann.send("hello", to: world.id("Bob"))
        try await phone.acknowledge(id, "delivered")
        #expect(try await ann.events() == ["message_delivered"])
        #expect(try await phone.waiting().isEmpty)
        #expect(try await tablet.waiting() == ["hello"])
        try await tablet.acknowledge(id, "delivered")
        #expect(try await tablet.waiting().isEmpty)
        #expect(try await world.server.chat.waiting().messages == 0)
        // Read on one, it is read on the other, and the sender is told once.
        try await phone.acknowledge(id, "read")
        try await tablet.acknowledge(id, "read")
        #expect(try await tablet.events() == ["message_read"])
        #expect(try await ann.events() == ["message_delivered", "message_read"])
        await world.server.stop()
    }

    @Test func `what one device sends the others of its user get`() async throws {
        let world = try await World()
        let (phone, tablet) = (try await world.device(of: "Ann"), try await world.device(of: "Ann"))
        for device in [phone, tablet] { #expect(try await device.waiting().isEmpty) }
        _ = try await phone.send("hello", to: world.id("Bob"))
        #expect(try await tablet.waiting() == ["hello"])
        #expect(try await phone.waiting().isEmpty)
        // To ask for what follows is to have it.
        let last = try await tablet.page()["lastSyncedMessage"] as? Int ?? 0
        #expect(try await tablet.waiting(after: last).isEmpty)
        #expect(try await world.server.chat.waiting().events == 0)
        await world.server.stop()
    }

    @Test func `a message for somebody without a device waits for the first`() async throws {
        let world = try await World()
        let ann = try await world.device(of: "Ann")
        let bob = try world.id("Bob")
        _ = try await ann.send("welcome", to: bob)
        world.pass(days: 400)
        let phone = try await world.device(of: "Bob")
        #expect(try await phone.waiting() == ["welcome"])
        // Signed out, it takes nothing with it; the next device goes on.
        #expect(try await phone.ask("DELETE", "/v1/session").status == 204)
        _ = try await ann.send("again", to: bob)
        #expect(try await world.device(of: "Bob").waiting() == ["welcome", "again"])
        await world.server.stop()
    }

    @Test func `nothing is kept for a device that is away while another is in use`() async throws {
        let world = try await World()
        let ann = try await world.device(of: "Ann")
        let bob = try world.id("Bob")
        let (old, new) = (try await world.device(of: "Bob"), try await world.device(of: "Bob"))
        for device in [old, new] { #expect(try await device.waiting().isEmpty) }
        _ = try await ann.send("one", to: bob)
        world.pass(days: 31)
        #expect(try await new.waiting() == ["one"])
        _ = try await ann.send("two", to: bob)
        #expect(try await new.waiting() == ["one", "two"])
        #expect(try await old.waiting().isEmpty)
        await world.server.stop()
    }

    @Test func `a device that signs in again gets what came meanwhile`() async throws {
        let world = try await World()
        let ann = try await world.device(of: "Ann")
        let bob = try world.id("Bob")
        let (phone, tablet) = try await world.phoneAndTablet(of: "Bob")
        let one = try await ann.send("one", to: bob)
        try await phone.acknowledge(one, "delivered")
        #expect(try await phone.ask("DELETE", "/v1/session").status == 204)
        let two = try await ann.send("two", to: bob)
        try await tablet.acknowledge(two, "read")
        #expect(try await world.device(of: "Bob", id: "phone").waiting() == ["two"])
        await world.server.stop()
    }

    @Test func `a new device gets what waits for one that is signed out which keeps it`() async throws {
        let world = try await World()
        let ann = try await world.device(of: "Ann")
        let bob = try world.id("Bob")
        let phone = try await world.device(of: "Bob", id: "phone")
        #expect(try await phone.waiting().isEmpty)
        #expect(try await phone.ask("DELETE", "/v1/session").status == 204)
        let one = try await ann.send("one", to: bob)
        let new = try await world.device(of: "Bob", id: "new")
        #expect(try await new.waiting() == ["one"])
        try await new.acknowledge(one, "read")
        let two = try await ann.send("two", to: bob)
        #expect(try await new.waiting() == ["two"])
        #expect(two > one)
        #expect(try await world.device(of: "Bob", id: "phone").waiting() == ["one", "two"])
        await world.server.stop()
    }

    @Test func `nothing is kept for a device that stays signed out for longer than its time`() async throws {
        let world = try await World()
        let ann = try await world.device(of: "Ann")
        let bob = try world.id("Bob")
        let (phone, tablet) = try await world.phoneAndTablet(of: "Bob")
        #expect(try await phone.ask("DELETE", "/v1/session").status == 204)
        world.pass(days: 31)
        #expect(try await tablet.waiting().isEmpty)
        let last = try await ann.send("late", to: bob)
        try await tablet.acknowledge(last, "read")
        #expect(try await world.device(of: "Bob", id: "phone").waiting().isEmpty)
        await world.server.stop()
    }

    @Test func `a sign in on a device ends the token that it had`() async throws {
        let world = try await World()
        let old = try await world.device(of: "Bob", id: "phone")
        let other = try await world.device(of: "Ann", id: "phone")
        #expect(try await old.waiting().isEmpty)
        _ = try await other.send("one", to: world.id("Bob"))
        let new = try await world.device(of: "Bob", id: "phone")
        #expect(try await new.waiting() == ["one"])
        #expect(try await old.ask("GET", "/v1/messages").status == 401)
        // Another user's session on the same device is none of its business.
        #expect(try await other.waiting().isEmpty)
        let name: [String: Any] = ["name": "Bob", "device": String(repeating: "d", count: 101)]
        #expect(try await new.ask("POST", "/v1/sessions", name).status == 400)
        await world.server.stop()
    }

    @Test func `a sync goes on from page to page`() async throws {
        let world = try await World()
        let (ann, bob) = (try await world.device(of: "Ann"), try await world.device(of: "Bob"))
        for index in 0..<7 { _ = try await ann.send("\(index)", to: world.id("Bob"), requestId: "\(index)") }
        var (place, texts, pages) = (0, [String](), 0)
        while true {
            let page = try await bob.page(after: place, limit: 3)
            texts += LoopbackClient.texts(of: page)
            place = page["lastSyncedMessage"] as? Int ?? 0
            pages += 1
            guard page["hasMore"] as? Bool == true else { break }
        }
        #expect(texts == (0..<7).map { "\($0)" })
        #expect(pages == 3)
        await world.server.stop()
    }

    @Test func `what is none of its business is refused`() async throws {
        let world = try await World()
        let (ann, bob) = (try await world.device(of: "Ann"), try await world.device(of: "Bob"))
        let id = try await ann.send("mine", to: world.id("Bob"))
        #expect(try await bob.ask("PATCH", "/v1/messages/\(id)", ["requestId": "e", "content": "yours"]).status == 404)
        #expect(try await bob.ask("DELETE", "/v1/messages/\(id)?scope=both&requestId=d").status == 404)
        #expect(try await bob.ask("DELETE", "/v1/messages/\(id)?scope=everybody").status == 400)
        // A receipt for what was sent to somebody else does nothing.
        try await ann.acknowledge(id, "read")
        #expect(try await bob.waiting() == ["mine"])
        #expect(try await ann.ask("POST", "/v1/messages", ["requestId": "x"]).status == 400)
        var nobody = ann
        nobody.token = "nonsense"
        #expect(try await nobody.ask("GET", "/v1/messages").status == 401)
        await world.server.stop()
    }
}

extension LoopbackClient {
    /// Returns the message's id.
    fileprivate func send(_ text: String, to user: String, requestId: String = UUID().uuidString) async throws -> Int {
        let answer = try await ask(
            "POST", "/v1/messages", ["requestId": requestId, "toUserId": user, "content": text, "createdAt": 1])
        #expect(answer.status == 201)
        return (try answer.json["message"] as? [String: Any])?["messageId"] as? Int ?? 0
    }

    fileprivate func acknowledge(_ message: Int, _ type: String) async throws {
        let receipts = ["receipts": [["messageId": message, "type": type]]]
        #expect(try await ask("POST", "/v1/receipts", receipts).status == 204)
    }

    fileprivate func page(after place: Int = 0, limit: Int = 100) async throws -> [String: Any] {
        try await ask("GET", "/v1/messages?lastSyncedMessage=\(place)&limit=\(limit)").json
    }

    /// The texts that wait.
    fileprivate func waiting(after place: Int = 0) async throws -> [String] {
        Self.texts(of: try await page(after: place))
    }

    /// The types of the other events that wait.
    fileprivate func events() async throws -> [String] {
        let events = try await page()["events"] as? [[String: Any]] ?? []
        return events.compactMap { $0["type"] as? String }.filter { $0 != "new_message" }
    }

    fileprivate static func texts(of page: [String: Any]) -> [String] {
        (page["events"] as? [[String: Any]] ?? []).compactMap {
            ($0["payload"] as? [String: Any])?["content"] as? String
        }
    }
}
