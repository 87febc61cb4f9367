import ExampleBackend
import Foundation
import Testing

/// The relay passes on nothing but uploads of the sender's own that are complete.
@Suite(.timeLimit(.minutes(3))) struct ChatAttachmentTests {
    @Test func `uploads of others and unfinished ones are refused`() async throws {
        let server = try BackendServer(
            {
                var configuration = BackendConfiguration()
                configuration.corpusSize = 1
                return configuration
            }())
        let url = try await server.start()
        var (ann, bob) = (LoopbackClient(server: server, url: url), LoopbackClient(server: server, url: url))
        ann.token = try await ann.newToken("Ann")
        bob.token = try await bob.newToken("Bob")
        let to = "\(try server.accounts.user(named: "Bob").id)"
        func status(_ attachment: [String: Any]) async throws -> Int {
            try await ann.ask(
                "POST", "/v1/messages",
                [
                    "requestId": UUID().uuidString, "toUserId": to, "content": "", "createdAt": 1,
                    "attachment": attachment,
                ]
            ).status
        }
        let mine = try await ann.ask("POST", "/v1/uploads", ["requestId": "u", "type": "image", "byteCount": 3]).json
        let theirs = try await bob.ask("POST", "/v1/uploads", ["requestId": "u", "type": "image", "byteCount": 3]).json
        for upload in [mine, theirs] {
            #expect(try await status(["kind": "image", "path": "/cdn/uploads/\(upload["uploadId"] ?? 0)"]) == 404)
        }
        let complete = try await bob.upload("complete")
        #expect(try await status(["kind": "image", "path": complete]) == 404)
        #expect(try await status(["kind": "image", "path": try await ann.upload("complete")]) == 201)
        for path in ["https://evil.example/x", "/cdn/uploads/../1", "/cdn/uploads/", "/cdn/images/sea"] {
            #expect(try await status(["kind": "image", "path": path]) == 404)
        }
        #expect(try await status(["kind": "hologram"]) == 400)
        #expect(try await status(["kind": "place", "latitude": 1.0]) == 400)
        #expect(try await status(["kind": "place", "latitude": 1.0, "longitude": 181.0, "name": ""]) == 400)
        #expect(try await status(["kind": "place", "latitude": 1.0, "longitude": 2.0, "name": ""]) == 201)
        await server.stop()
    }
}
