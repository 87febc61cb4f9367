import AppFoundation
import ChatClient
import ChatWire
import ExampleBackend
import Foundation
import PaginatorCore
import Testing

/// Two devices and a backend on loopback.
@Suite(.timeLimit(.minutes(3))) struct ChattingTests {
    @Test func `messages receipts edits and deletions reach both sides`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann", clockOffset: .hours(-5))
        let bob = try await world.client("bob", clockOffset: .hours(7))
        try await ann.chat.send("hello", to: bob.id)
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 1 }
        try await bob.chat.send("hi", to: ann.id)
        try await ann.waitUntil { try $0.unreadCount(from: bob.id) == 1 }
        // The answer to the sending may come after what it made the other side send.
        try await ann.waitUntil { read in
            let messages = try read.history(.newest, with: bob.id, limit: 9).messages
            return messages.count == 2 && messages.first?.status == .delivered
        }
        try await bob.chat.markRead(from: ann.id, upTo: .max)
        try await ann.chat.markRead(from: bob.id, upTo: .max)
        for (one, other) in [(ann, bob), (bob, ann)] {
            try await one.waitUntil { read in
                try read.history(.newest, with: other.id, limit: 9).messages.allSatisfy { $0.status == .read }
            }
        }
        let first = try await ann.history(with: bob)[0].messageId
        #expect(try await ann.chat.edit(first, to: "hello!"))
        try await bob.waitUntil { try $0.message(first)?.content == "hello!" }
        #expect(try await bob.chat.edit(first, to: "mine") == false)
        #expect(try await ann.chat.deleteForBoth(first))
        try await bob.waitUntil { try $0.message(first)?.isDeleted == true }
        try await ann.waitUntil { try $0.pendingChanges(limit: 1).isEmpty }
        #expect(try await ann.history(with: bob).map(\.content) == ["", "hi"])
        try await bob.waitUntil { try $0.pendingReceipts(limit: 1).isEmpty }
        #expect(try await world.backend.chat.waiting().messages == 0)
        await world.end()
    }

    @Test func `somebody new who writes has a name without a refresh of the contacts`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        try await ann.chat.refreshContacts()
        for name in ["zoe", "yan"] {
            let person = try await world.client(name)
            try await person.chat.send("hello", to: ann.id)
            try await ann.waitUntil { try $0.previews().first?.contact.name == name }
        }
        await world.end()
    }

    @Test func `what is written offline goes out in order`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        let bob = try await world.client("bob")
        await ann.change { $0.link = .none }
        for index in 0..<20 { try await ann.chat.send("\(index)", to: bob.id) }
        #expect(try await ann.chat.database.read { try $0.requests(to: bob.id).count } == 20)
        try await ann.kill()
        try await ann.start()
        ann.environment.update { $0.link = .good }
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 20 }
        #expect(try await bob.history(with: ann).map(\.content) == (0..<20).map { "\($0)" })
        await world.end()
    }

    @Test func `a relay keeps a message only until it is committed elsewhere`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        let bob = try await world.client("bob")
        try await bob.waitUntilLive()
        await bob.change { $0.lifecycle = .background }
        try await bob.waitUntilStatus { !$0.status.isLive }
        try await bob.waitUntilGone()
        try await ann.chat.send("hello", to: bob.id)
        try await ann.waitUntil { try $0.requests(to: bob.id).isEmpty }
        #expect(try await world.backend.chat.waiting().messages == 1)
        bob.environment.update { $0.lifecycle = .foreground }
        try await ann.waitUntil { try $0.history(.newest, with: bob.id, limit: 9).messages.first?.status == .delivered }
        #expect(try await world.backend.chat.waiting().messages == 0)
        #expect(try await world.backend.chat.waiting().requests == 1)
        await world.end()
    }

    @Test func `a repeated request makes one message`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        let bob = try await world.client("bob")
        world.backend.faults.plan([.lostAnswer, .lostRequest, .lostAnswer], "POST", "/v1/messages")
        try await ann.chat.send("once", to: bob.id)
        try await ann.chat.send("then", to: bob.id)
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) >= 2 }
        try await ann.waitUntil { try $0.requests(to: bob.id).isEmpty }
        #expect(try await bob.history(with: ann).map(\.content) == ["once", "then"])
        #expect(try await ann.history(with: bob).map(\.messageId) == bob.history(with: ann).map(\.messageId))
        // Three that were lost, and one that was answered: what waits goes together.
        #expect(world.backend.faults.count("POST", "/v1/messages") >= 4)
        await world.end()
    }

    @Test func `a text that is longer than the server takes is refused before it is kept`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        let bob = try await world.client("bob")
        // 20,001 bytes.
        let long = String(repeating: "字", count: 6_667)
        await #expect(throws: MessageTooLong.self) { try await ann.chat.send(long, to: bob.id) }
        #expect(try await ann.chat.database.read { try $0.requests(to: bob.id).isEmpty })
        try await ann.chat.send(String(long.dropLast()), to: bob.id)
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 1 }
        try await ann.waitUntil { try $0.requests(to: bob.id).isEmpty }
        let id = try await ann.history(with: bob)[0].messageId
        await #expect(throws: MessageTooLong.self) { try await ann.chat.edit(id, to: long) }
        #expect(try await ann.history(with: bob)[0].content.count == 6_666)
        await world.end()
    }

    @Test func `a refused message fails and can be deleted`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        let request = try #require(try await ann.chat.send("to nobody", to: "12345"))
        try await ann.waitUntil { try $0.request(request.requestId)?.status == .failed }
        #expect(try await ann.chat.deleteRequest(request.requestId))
        #expect(try await ann.chat.database.read { try $0.requests(to: "12345").isEmpty })
        await world.end()
    }

    @Test func `typing and presence are seen and end with the connection`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        let bob = try await world.client("bob")
        try await ann.chat.send("hello", to: bob.id)
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 1 }
        // Typing is told once, to who is there; and to who is not, nobody tells it later.
        try await ann.waitUntilLive()
        try await bob.waitUntilLive()
        try await ann.chat.type("so", to: bob.id)
        try await bob.waitUntilStatus { $0.info(of: ann.id) == ContactInfo(onlineStatus: true, typing: true) }
        try await ann.chat.send("so what", to: bob.id)
        try await bob.waitUntilStatus { $0.info(of: ann.id)?.typing == false }
        ann.environment.update { $0.lifecycle = .background }
        try await bob.waitUntilStatus { $0.info(of: ann.id)?.onlineStatus == false }
        try await bob.waitUntil { try $0.user(ann.id)?.lastConnectedAt != nil }
        await world.end()
    }

    @Test func `what has failed is sent again under its id when the user asks`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        let bob = try await world.client("bob")
        world.backend.faults.plan([.status(403)], "POST", "/v1/messages")
        let request = try #require(try await ann.chat.send("again", to: bob.id))
        try await ann.waitUntil { try $0.request(request.requestId)?.status == .failed }
        try await ann.chat.send("later", to: bob.id)
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 1 }
        #expect(try await ann.chat.resend(request.requestId))
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 2 }
        try await ann.waitUntil { try $0.messageId(ofRequest: request.requestId) != nil }
        #expect(try await bob.history(with: ann).map(\.content) == ["later", "again"])
        #expect(try await ann.chat.resend(request.requestId) == false)
        await world.end()
    }

    @Test func `a socket that says nothing is given up by the backend`() async throws {
        let world = try await ChatWorld.make { $0.chat.silenceLimit = .milliseconds(50) }
        let bob = try await world.client("bob")
        let (inputs, continuation) = AsyncStream<SocketInput>.makeStream()
        let socket = try await WebSocketTransport().connect(try bob.socketURL, token: bob.token) {
            continuation.yield($0)
        }
        let end = await inputs.first { $0 == .closed }
        #expect(end == .closed)
        withExtendedLifetime(socket) {}
        await world.end()
    }

    @Test func `two devices of one user show the same`() async throws {
        let world = try await ChatWorld.make()
        let phone = try await world.client("ann")
        let tablet = try await world.client("ann", device: "tablet")
        let bob = try await world.client("bob")
        for device in [phone, tablet] { try await device.waitUntilLive() }
        try await bob.chat.send("hello", to: phone.id)
        for device in [phone, tablet] { try await device.waitUntil { try $0.unreadCount(from: bob.id) == 1 } }
        try await phone.chat.markRead(from: bob.id, upTo: .max)
        try await tablet.waitUntil { try $0.unreadCount(from: bob.id) == 0 }
        try await tablet.chat.send("hi", to: bob.id)
        try await phone.waitUntil { try $0.history(.newest, with: bob.id, limit: 9).messages.count == 2 }
        try await bob.waitUntil { try $0.unreadCount(from: phone.id) == 1 }
        try await bob.chat.markRead(from: phone.id, upTo: .max)
        for device in [phone, tablet] {
            try await device.waitUntil { read in
                let messages = try read.history(.newest, with: bob.id, limit: 9).messages
                return messages.count == 2 && messages.allSatisfy { $0.status == .read }
            }
        }
        #expect(try await phone.history(with: bob).map(\.messageId) == tablet.history(with: bob).map(\.messageId))
        await world.end()
    }

    @Test func `a log out leaves nothing on the device and ends the token`() async throws {
        let world = try await ChatWorld.make()
        let bob = try await world.client("bob")
        let root = world.folder.appendingPathComponent("app")
        let app = try await ChatApp.open(root: root, at: world.url, signIn: "Ann", environment: AppEnvironment())
        let token = app.user.token
        try await app.service.send("xylophone", to: bob.id)
        try await bob.waitUntil { try $0.unreadCount(from: app.user.id) == 1 }
        try await app.logOut()
        let users = root.appendingPathComponent("users").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: users).isEmpty)
        let api = APIClient(baseURL: world.url) { token }
        await #expect(throws: APIError(.tokenRefused, status: 401)) {
            try await api.send(APIRequest("GET", "/v1/messages"))
        }
        await #expect(throws: ChatApp.OpenError.self) {
            try await ChatApp.open(root: root, at: world.url, environment: AppEnvironment())
        }
        await world.end()
    }
}
