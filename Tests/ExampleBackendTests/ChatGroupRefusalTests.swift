import ExampleBackend
import Foundation
import PaginatorCore
import Testing

/// A group is its members' alone, and who has left it is an outsider like any other.
@Suite(.timeLimit(.minutes(3))) struct ChatGroupRefusalTests {
    /// A group of Ann, who owns it, Bob and Cleo; Eve is not in it.
    private struct World {
        let server: BackendServer
        let clock: Guarded<Date>
        let ids: [String: String]
        let clients: [String: LoopbackClient]
        let group: String

        init() async throws {
            let clock = Guarded(Date(timeIntervalSince1970: 1_767_225_600))
            var configuration = BackendConfiguration()
            configuration.corpusSize = 1
            configuration.chat.now = { clock.withLock { $0 } }
            let server = try BackendServer(configuration)
            let url = try await server.start()
            var (clients, ids) = ([String: LoopbackClient](), [String: String]())
            for name in ["Ann", "Bob", "Cleo", "Eve"] {
                var client = LoopbackClient(server: server, url: url)
                client.token = try await client.newToken(name)
                ids[name] = "\(try server.accounts.user(named: name).id)"
                clients[name] = client
            }
            let body: [String: Any] = [
                "requestId": "g", "title": "Picnic", "memberIds": [ids["Bob"] ?? "", ids["Cleo"] ?? ""],
            ]
            let made = try await clients["Ann"]?.ask("POST", "/v1/groups", body)
            #expect(made?.status == 201)
            group = try made?.json["id"] as? String ?? ""
            (self.server, self.clock, self.clients, self.ids) = (server, clock, clients, ids)
        }

        func ask(
            _ name: String, _ method: String, _ path: String, _ json: [String: Any]? = nil
        ) async throws -> LoopbackClient.Answer {
            try await #require(clients[name]).ask(method, path, json)
        }

        /// The path of a member of the group.
        func member(_ name: String) -> String { "/v1/groups/\(group)/members/\(ids[name] ?? "")" }

        /// Sends to the group and returns the message's id.
        func send(_ name: String, _ text: String) async throws -> Int {
            let answer = try await ask(
                name, "POST", "/v1/messages",
                ["requestId": UUID().uuidString, "toUserId": group, "content": text, "createdAt": 1])
            #expect(answer.status == 201)
            return (try answer.json["message"] as? [String: Any])?["messageId"] as? Int ?? 0
        }

        func read(_ name: String, _ message: Int) async throws {
            let receipts = ["receipts": [["messageId": message, "type": "read"]]]
            #expect(try await ask(name, "POST", "/v1/receipts", receipts).status == 204)
        }

        func events(_ name: String) async throws -> [String] {
            let page = try await ask(name, "GET", "/v1/messages?lastSyncedMessage=0&limit=100").json
            return (page["events"] as? [[String: Any]] ?? []).compactMap { $0["type"] as? String }
        }
    }

    @Test func `who is not in a group learns and changes nothing of it`() async throws {
        let world = try await World()
        let eve = world.ids["Eve"] ?? ""
        let calls: [(String, String, [String: Any]?)] = [
            ("PATCH", "/v1/groups/\(world.group)", ["title": "Eve's"]),
            ("PUT", world.member("Eve"), ["role": "member"]),
            // The role that the member has already.
            ("PUT", world.member("Bob"), ["role": "member"]),
            ("PUT", world.member("Bob"), ["role": "admin"]),
            ("DELETE", world.member("Bob"), nil),
            ("DELETE", world.member("Eve"), nil),
            ("POST", "/v1/messages", ["requestId": "m", "toUserId": world.group, "content": "hi", "createdAt": 1]),
        ]
        for (method, path, body) in calls {
            let answer = try await world.ask("Eve", method, path, body)
            #expect(answer.status == 404, "\(method) \(path)")
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("Picnic"), "\(method) \(path)")
        }
        let groups = try await world.ask("Ann", "GET", "/v1/groups").body
        #expect(!String(decoding: groups, as: UTF8.self).contains("\"\(eve)\""))
        await world.server.stop()
    }

    @Test func `a role does what it allows and not more`() async throws {
        let world = try await World()
        #expect(try await world.ask("Bob", "PATCH", "/v1/groups/\(world.group)", ["title": "x"]).status == 403)
        #expect(try await world.ask("Bob", "PUT", world.member("Eve"), ["role": "member"]).status == 403)
        #expect(try await world.ask("Bob", "PUT", world.member("Bob"), ["role": "owner"]).status == 403)
        #expect(try await world.ask("Bob", "DELETE", world.member("Ann")).status == 403)
        #expect(try await world.ask("Ann", "PUT", world.member("Bob"), ["role": "king"]).status == 400)
        #expect(try await world.ask("Ann", "PUT", world.member("Eve"), ["role": "admin"]).status == 403)
        #expect(try await world.ask("Ann", "PATCH", "/v1/groups/\(world.group)", ["title": " "]).status == 400)
        #expect(try await world.ask("Ann", "PUT", world.member("Bob"), ["role": "member"]).status == 200)
        await world.server.stop()
    }

    @Test func `who was removed reads no group and edits no message of it`() async throws {
        let world = try await World()
        let id = try await world.send("Ann", "before")
        let known: [String: Any] = ["requestId": "k", "content": "between"]
        let carriedOut = try await world.ask("Ann", "PATCH", "/v1/messages/\(id)", known)
        #expect(carriedOut.status == 200)
        #expect(try await world.ask("Ann", "PUT", world.member("Bob"), ["role": "owner"]).status == 200)
        #expect(try await world.ask("Bob", "DELETE", world.member("Ann")).status == 200)
        let repeated: [String: Any] = [
            "requestId": "g", "title": "Picnic", "memberIds": [world.ids["Bob"] ?? "", world.ids["Cleo"] ?? ""],
        ]
        #expect(try await world.ask("Ann", "POST", "/v1/groups", repeated).status == 404)
        let edit: [String: Any] = ["requestId": "e", "content": "after"]
        #expect(try await world.ask("Ann", "PATCH", "/v1/messages/\(id)", edit).status == 404)
        // The edit that was carried out before may be repeated, because its answer may be lost.
        let repeatedEdit = try await world.ask("Ann", "PATCH", "/v1/messages/\(id)", known)
        #expect(repeatedEdit.status == 200)
        #expect(try repeatedEdit.json["revision"] as? Int == carriedOut.json["revision"] as? Int)
        // One's own words may be taken back.
        #expect(try await world.ask("Ann", "DELETE", "/v1/messages/\(id)?scope=both&requestId=d").status == 200)
        await world.server.stop()
    }

    @Test func `who is removed keeps no message from being read by all and from being forgotten`() async throws {
        let world = try await World()
        #expect(try await world.events("Cleo").first == "group_changed")
        let id = try await world.send("Ann", "hello")
        try await world.read("Bob", id)
        #expect(try await world.events("Ann").contains("message_read") == false)
        #expect(try await world.ask("Ann", "DELETE", world.member("Cleo")).status == 200)
        #expect(try await world.events("Ann").contains("message_read"))
        // What came before is still Cleo's to take.
        #expect(try await world.server.chat.waiting().messages == 1)
        try await world.read("Cleo", id)
        #expect(try await world.server.chat.waiting().messages == 0)
        world.clock.withLock { $0 += 30.1 * 86_400 }
        try await world.read("Bob", id)
        #expect(try await world.server.chat.waiting().requests == 0)
        await world.server.stop()
    }

    @Test func `what nobody waits for is forgotten`() async throws {
        let world = try await World()
        _ = try await world.send("Ann", "hello")
        for name in ["Bob", "Cleo"] { #expect(try await world.ask("Ann", "DELETE", world.member(name)).status == 200) }
        _ = try await world.send("Ann", "to myself")
        world.clock.withLock { $0 += 31 * 86_400 }
        try await world.read("Bob", 1)
        #expect(try await world.server.chat.waiting().requests == 0)
        await world.server.stop()
    }
}
