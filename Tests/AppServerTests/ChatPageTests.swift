import AppFoundation
import ChatClient
import ChatWire
import ExampleBackend
import Foundation
import TestFolders
import Testing

@testable import FeedChatExample

/// What the chat's screens do for the page.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ChatPageTests {
    private let folder = TemporaryFolder()
    private let server: BackendServer
    private let model: AppModel
    private let grace: String
    private let edsger: String

    init() async throws {
        var configuration = BackendConfiguration()
        configuration.corpusSize = 1
        server = try BackendServer(configuration)
        let url = try await server.start()
        grace = try server.accounts.user(named: "Grace").id.description
        edsger = try server.accounts.user(named: "Edsger").id.description
        model = try await AppModel(user: "Ada", folder: folder.url, baseURL: url)
        try await model.chat.service.refreshContacts()
    }

    private func end() async throws {
        try await model.close()
        await server.stop()
    }

    @Test func `a group that was changed after a failure is made, and a second tap makes no other one`() async throws {
        let page = try await GroupPage(model, group: nil, changed: {})
        func create(_ name: String, _ members: [String]) async throws {
            let names = AppJSON.array(members.map { .string($0) })
            _ = try await page.perform(
                AppIntent(message: ["what": "create", "name": .string(name), "members": names], row: nil))
        }
        for (name, members) in [("A", [grace]), ("B", [grace, edsger])] {
            // The server makes it, and its answer does not come, also if the system repeats the request.
            server.faults.plan([.lostAnswer, .status(503)], "POST", "/v1/groups")
            await #expect(throws: AppIntentError.self) { try await create(name, members) }
            server.faults.heal()
        }
        try await create("B", [grace, edsger])
        try await model.chat.service.refreshContacts()
        let (groups, members) = try await model.chat.service.database.read { read in
            let groups = try read.groups()
            return (groups.map(\.name), try groups.last.flatMap { try read.group($0.id) }?.members.count)
        }
        #expect(groups == ["A", "B"])
        #expect(members == 3)
        try await end()
    }

    @Test func `an action that worked does not tell the failure of an earlier one`() async throws {
        let (changes, told) = AsyncStream<Void>.makeStream()
        let page = try #require(
            try await ConversationPage(model, contact: grace, at: nil, changed: { told.yield() }))
        func first<Found>(_ find: () -> Found?) async throws -> Found {
            told.yield()
            for await _ in changes {
                if let found = find() { return found }
            }
            throw CancellationError()
        }
        func perform(_ what: String, _ text: String = "", on row: AppRow? = nil) async throws {
            let isDone = try await page.perform(
                AppIntent(message: ["what": .string(what), "text": .string(text)], row: row))
            #expect(isDone)
        }
        try await perform("send", "hello")
        let row = try await first {
            page.rows?.first { row in if case .message = row.content { true } else { false } }
        }
        server.faults.plan([.status(403)], "PATCH", "/v1/messages")
        try await perform("edit", "bye", on: row)
        let refusal = try await first { page.state["error"] }
        try await perform("edits", on: row)
        #expect(page.state["edits"] != nil && page.state["error"] == refusal)
        let long = String(repeating: "字", count: 6_667)
        await #expect(throws: AppIntentError.self) { try await perform("send", long) }
        #expect(page.state["error"] == "The message is too long")
        try await end()
    }
}
