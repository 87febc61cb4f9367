import AppFoundation
import ChatClient
import ChatWire
import Foundation
import GRDB
import MediaLoader
import PaginatorCore
import PaginatorStorage
import TestFolders
import Testing

@testable import ExampleBackend

/// Images, videos and places go with messages: once, in their order, over kills and failures.
@Suite(.timeLimit(.minutes(3))) struct MediaMessageTests {
    private let photo = NewMedia(
        .image, content: SampleImage.png(seed: "sea", width: 480, height: 320),
        thumbnail: SampleImage.png(seed: "sea", width: 60, height: 40))

    private func people() async throws -> (ChatWorld, ChatPerson, ChatPerson) {
        let world = try await ChatWorld.make()
        return (world, try await world.client("ann"), try await world.client("bob"))
    }

    private func outgoing(_ person: ChatPerson) throws -> [String] {
        let folder = person.world.folder.appending(path: "\(person.name)-\(person.device).outgoing").path
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    @Test func `a photo comes with its size and small image and its bytes are those that were sent`() async throws {
        let (world, ann, bob) = try await people()
        try await ann.chat.type("still writing", to: bob.id)
        try await ann.chat.send(photo, with: "look", to: bob.id)
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 1 }
        try await ann.waitUntil { try $0.requests(to: bob.id).isEmpty }
        let message = try #require(try await bob.history(with: ann).first)
        let attachment = try #require(message.attachment)
        #expect(message.content == "look")
        #expect((attachment.kind, attachment.width, attachment.height) == (.image, 480, 320))
        #expect(try await ann.history(with: bob).first?.attachment == attachment)
        let loader = try await MediaLoader.open(
            world.folder.appending(path: "media"), api: APIClient(baseURL: world.url) { bob.token },
            environment: AppEnvironment())
        let media = ChatMedia(loader)
        #expect(await bytes { media.thumbnail(of: attachment, onStep: $0) } == photo.thumbnail?.count)
        #expect(await bytes { media.content(of: attachment, onStep: $0) } == photo.content.count)
        try await bob.chat.refreshContacts()
        let contact = try #require(try await bob.chat.database.read { try $0.user(ann.id) })
        #expect(try #require(await bytes { media.avatar(of: contact, onStep: $0) }) > 0)
        // What can be loaded again goes where space is scarce.
        let thumbnail = try #require(attachment.thumbnailPath)
        #expect(await loader.lookUp(thumbnail) != nil)
        await media.removeAll()
        #expect(await loader.lookUp(thumbnail) == nil)
        try await loader.shutDown()
        // The draft is still there, and no file is left.
        #expect(try await ann.chat.database.read { try $0.draft(to: bob.id) } == "still writing")
        // The file goes after the row, and both before the sending ends.
        _ = try await ann.chat.outbox.drainOnce()
        #expect(try outgoing(ann).isEmpty)
        await world.end()
    }

    private func bytes(_ load: (@escaping @Sendable (ImageStep) -> Void) -> ImageRequest?) async -> Int? {
        let (steps, continuation) = AsyncStream<ImageStep>.makeStream()
        guard let request = load({ continuation.yield($0) }) else { return nil }
        defer { request.cancel() }
        for await step in steps {
            if case .image(let item, _) = step { return item.bytes.count }
            if case .failed = step { return nil }
        }
        return nil
    }

    @Test func `a kill in the middle of an upload loses nothing and sends once in order`() async throws {
        let (world, ann, bob) = try await people()
        world.backend.faults.plan([.stall], "PATCH", "/v1/uploads")
        try await ann.chat.send("before", to: bob.id)
        try await ann.chat.send(photo, to: bob.id)
        try await ann.chat.send("after", to: bob.id)
        // What was written before the photo does not wait for it.
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 1 }
        try await world.backend.faults.waitForRequests(1, "PATCH", "/v1/uploads")
        try await ann.kill()
        world.backend.faults.heal()
        try await ann.start()
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 3 }
        #expect(try await bob.history(with: ann).map(\.summary) == ["before", "Photo", "after"])
        try await ann.waitUntil { try $0.requests(to: bob.id).isEmpty }
        #expect(try await ann.history(with: bob).map(\.messageId) == bob.history(with: ann).map(\.messageId))
        await world.end()
    }

    @Test func `files that no message names are gone after the next start`() async throws {
        let (world, ann, bob) = try await people()
        await ann.change { $0.link = .none }
        let request = try await ann.chat.send(photo, to: bob.id)
        let folder = world.folder.appending(path: "ann-phone.outgoing")
        try Data([1]).write(to: folder.appending(path: "of-nobody"))
        try await ann.kill()
        try await ann.start()
        #expect(try outgoing(ann).sorted() == [request.requestId, request.requestId + "-thumbnail"])
        #expect(try await ann.chat.deleteRequest(request.requestId))
        #expect(try outgoing(ann).isEmpty)
        await world.end()
    }

    @Test func `what is deleted while it goes up is not sent`() async throws {
        let (world, ann, bob) = try await people()
        world.backend.faults.plan([.stall], "PATCH", "/v1/uploads")
        let request = try await ann.chat.send(photo, to: bob.id)
        try await world.backend.faults.waitForRequests(1, "PATCH", "/v1/uploads")
        // The upload ends with its message, though the server never answers it.
        #expect(try await ann.chat.deleteRequest(request.requestId))
        try await ann.chat.send("after", to: bob.id)
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) >= 1 }
        try await ann.waitUntil { try $0.requests(to: bob.id).isEmpty }
        #expect(try await bob.history(with: ann).map(\.summary) == ["after"])
        #expect(world.backend.faults.count("PATCH", "/v1/uploads") == 1)
        #expect(try outgoing(ann).isEmpty)
        await world.end()
    }

    @Test func `what is deleted while it goes up does not wait for the server`() async throws {
        let (api, folder) = (SilentAPI(), TemporaryFolder())
        let chat = try await ChatService.open(
            folder.url.appending(path: "chat.sqlite"), userId: "ann", api: api,
            socketURL: try #require(URL(string: "ws://127.0.0.1:9")), transport: ScriptedTransport(),
            config: .impatient, token: { "token" })
        chat.follow(AppEnvironment())
        let request = try await chat.send(photo, to: "bob")
        try await api.waitForUpload()
        // The server answers nothing before the end of the test.
        #expect(try await chat.deleteRequest(request.requestId))
        try await api.waitForDiscard()
        api.end()
        try await chat.shutDown()
        withExtendedLifetime(folder) {}
    }

    @Test func `an upload that comes further each time is never given up`() async throws {
        let database = try await ChatFixtures.database()
        var attachment = OutgoingAttachment(ChatAttachment(kind: .image))
        attachment.hasFile = true
        let first = attachment
        _ = try await database.write {
            try $0.compose(requestId: "r", to: "bob", content: "", attachment: first, now: 1)
        }
        func fail(after progress: Double, count: Int) async throws -> Int {
            let request = try #require(try await database.read { try $0.request("r") })
            attachment.progress = progress
            let noted = attachment
            return try await database.write { write in
                try write.note(noted, of: "r")
                return try write.failCount(of: [request], orElse: count)
            }
        }
        #expect(try await fail(after: 0.25, count: 1) == 0)
        #expect(try await fail(after: 0.25, count: 1) == 1)
        #expect(try await fail(after: 0.25, count: 2) == 2)
        #expect(try await fail(after: 0.5, count: 3) == 0)
    }

    @Test func `the last attempt counts as the first if it has uploaded a file`() async throws {
        let world = try await ChatWorld.make()
        let (ann, bob) = (try await world.client("ann", attemptLimit: 1), try await world.client("bob"))
        world.backend.faults.plan([.status(500)], "POST", "/v1/messages")
        let request = try await ann.chat.send(photo, to: bob.id)
        try await ann.waitUntil { try $0.request(request.requestId)?.status ?? .failed == .failed }
        #expect(try await ann.history(with: bob).map(\.requestId) == [request.requestId])
        #expect(world.backend.faults.count("POST", "/v1/messages") == 2)
        await world.end()
    }

    @Test func `a failed photo is sent again after the server has deleted its uploads`() async throws {
        let (world, ann, bob) = try await people()
        world.backend.faults.plan([.status(403)], "POST", "/v1/messages")
        let request = try await ann.chat.send(photo, to: bob.id)
        try await ann.waitUntil { try $0.request(request.requestId)?.status == .failed }
        try await world.backend.feed.database.queue.write { db in
            try FeedBackend.sweepUploads(db, at: Date(timeIntervalSinceNow: 25 * 3_600))
        }
        #expect(try await ann.chat.resend(request.requestId))
        try await ann.waitUntil { try $0.request(request.requestId)?.status ?? .failed == .failed }
        #expect(try await ann.history(with: bob).map(\.requestId) == [request.requestId])
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 1 }
        let attachment = try #require(try await bob.history(with: ann).first?.attachment)
        let api = APIClient(baseURL: world.url) { bob.token }
        for (path, bytes) in [(attachment.path, photo.content), (attachment.thumbnailPath, photo.thumbnail)] {
            #expect(try await api.send(APIRequest("GET", try #require(path))).body == bytes)
        }
        await world.end()
    }

    @Test func `a photo whose uploads the server deleted while nothing went is uploaded again by itself`() async throws
    {
        let (world, ann, bob) = try await people()
        world.backend.faults.plan([.status(503), .stall], "POST", "/v1/messages")
        let request = try await ann.chat.send(photo, to: bob.id)
        // The second attempt has nothing to upload.
        try await world.backend.faults.waitForRequests(2, "POST", "/v1/messages")
        try await world.backend.feed.database.queue.write { db in
            try FeedBackend.sweepUploads(db, at: Date(timeIntervalSinceNow: 25 * 3_600))
        }
        world.backend.faults.heal()
        try await ann.waitUntil { try $0.request(request.requestId)?.status ?? .failed == .failed }
        #expect(try await ann.history(with: bob).map(\.requestId) == [request.requestId])
        await world.end()
    }

    @Test func `a photo that the server refuses fails, also after its files were uploaded in an earlier attempt`()
        async throws
    {
        let (world, ann, bob) = try await people()
        world.backend.faults.plan([.status(503), .status(403), .status(403)], "POST", "/v1/messages")
        let request = try await ann.chat.send(photo, to: bob.id)
        try await ann.waitUntil { try $0.request(request.requestId)?.status ?? .failed == .failed }
        #expect(try await ann.chat.database.read { try $0.request(request.requestId)?.status } == .failed)
        #expect(world.backend.faults.count("POST", "/v1/messages") == 3)
        await world.end()
    }

    @Test func `a place has a name and a small map and one off the earth is refused`() async throws {
        let (world, ann, bob) = try await people()
        try await ann.chat.sendPlace(latitude: 48.137, longitude: 11.575, name: "Marienplatz", to: bob.id)
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 1 }
        let place = try #require(try await bob.history(with: ann).first?.attachment)
        #expect((place.latitude, place.longitude, place.name) == (48.137, 11.575, "Marienplatz"))
        #expect(place.thumbnailPath == "/cdn/images/place_48137_11575")
        #expect(
            try await bob.chat.database.read { try $0.previews().map(\.lastMessageSummary) } == ["Place: Marienplatz"])
        let away = try await ann.chat.sendPlace(latitude: 91, longitude: 0, name: "", to: bob.id)
        try await ann.waitUntil { try $0.request(away.requestId)?.status == .failed }
        await world.end()
    }

    @Test func `a start does not fail where left-over files cannot be removed`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        try await ann.kill()
        // No folder that could be read.
        try Data().write(to: world.folder.appendingPathComponent("ann-phone.outgoing"))
        try await ann.start()
        await world.end()
    }

    @Test func `what cannot be sent is said before anything is kept`() async throws {
        let (world, ann, bob) = try await people()
        let chat = try ann.chat
        await #expect(throws: NewMedia.Refusal.unreadable) {
            try await chat.send(NewMedia(.image, content: Data("no image".utf8)), to: bob.id)
        }
        await #expect(throws: NewMedia.Refusal.tooLarge) {
            try await chat.send(NewMedia(.video, content: Data(count: NewMedia.limit + 1)), to: bob.id)
        }
        #expect(try await chat.database.read { try $0.requests(to: bob.id).isEmpty })
        #expect(try outgoing(ann).isEmpty)
        await world.end()
    }

    @Test func `deleted for both it takes its attachment along and a refusal brings it back`() async throws {
        let (world, ann, bob) = try await people()
        try await ann.chat.send(photo, to: bob.id)
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 1 }
        try await ann.waitUntil { try $0.requests(to: bob.id).isEmpty }
        let id = try #require(try await ann.history(with: bob).first?.messageId)
        world.backend.faults.plan([.status(403)], "DELETE", "/v1/messages")
        #expect(try await ann.chat.deleteForBoth(id))
        try await ann.waitUntil { try $0.message(id)?.isDeleted == false }
        #expect(try await ann.history(with: bob).first?.attachment != nil)
        #expect(try await ann.chat.deleteForBoth(id))
        try await bob.waitUntil { try $0.message(id)?.isDeleted == true }
        try await ann.waitUntil { try $0.pendingChanges(limit: 1).isEmpty }
        for person in [ann, bob] {
            #expect(try await person.chat.database.read { try $0.message(id)?.attachment } == nil)
        }
        await world.end()
    }

    @Test(arguments: [
        "//evil.example/x", "https://evil.example/x", "/cdn/../v1/session", "/cdn/images/a?w=1", "/v1/session",
    ])
    func `nothing but a medium of the server's own is ever asked for`(path: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "media-\(UUID().uuidString)")
        let server = try #require(URL(string: "http://127.0.0.1:9"))
        let loader = try await MediaLoader.open(
            folder, api: APIClient(baseURL: server) { nil }, environment: AppEnvironment())
        #expect(ChatMedia(loader).avatar(of: User(id: "1", name: "Eve", avatarUrl: path)) { _ in } == nil)
        try await loader.shutDown()
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `an attachment of another version is a file and its message is kept`() throws {
        let json = """
            {"messageId": 1, "fromUserId": "1", "toUserId": "2", "content": "", "createdAt": 1,
             "attachment": {"kind": "hologram", "path": "/cdn/uploads/1"}}
            """
        let message = try JSONDecoder().decode(ChatMessage.self, from: Data(json.utf8))
        #expect(message.summary == "File")
    }
}
