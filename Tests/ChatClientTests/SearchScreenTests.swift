import ChatClient
import ChatWire
import PaginatorCore
import PaginatorTesting
import Testing

/// The search shows what is on the device, page by page, and asks once where somebody types fast.
@MainActor @Suite(.timeLimit(.minutes(3))) struct SearchScreenTests {
    private func ann(in world: ChatWorld) async throws -> ChatPerson {
        let ann = try await world.client("ann")
        let me = ann.id
        try await ann.chat.database.write { write in
            try write.save([User(id: "bob", name: "Bob"), User(id: "cleo", name: "Cleo")])
            for id in Int64(1)...70 {
                try write.receive(
                    ChatFixtures.wire(id, "the café number \(id)", from: id % 2 == 0 ? "bob" : "cleo", to: me))
            }
        }
        return ann
    }

    @Test func `it finds in all conversations and goes on page by page`() async throws {
        let world = try await ChatWorld.make()
        let search = SearchScreen(try await ann(in: world).chat)
        search.type("caf")
        let found = try await search.first { !$0.isSearching }
        #expect(found.hits.map(\.id) == (41...70).reversed())
        #expect(found.hasMore)
        #expect(found.hits[0].contact.name == "Bob")
        #expect(found.hits[0].excerpt == [.init("the "), .init("café", isMatch: true), .init(" number 70")])
        #expect(found.hits[0].route == .conversation("bob", at: 70))
        search.loadMore()
        try await search.first { $0.hits.count == 60 }
        search.loadMore()
        let all = try await search.first { $0.hits.count == 70 && !$0.hasMore }
        #expect(all.hits.map(\.id) == (1...70).reversed())
        await world.end()
    }

    @Test func `in one conversation it finds only what is there and a search for nothing finds nothing`() async throws {
        let world = try await ChatWorld.make()
        let search = SearchScreen(try await ann(in: world).chat, in: "cleo")
        search.type("number")
        let found = try await search.first { !$0.isSearching }
        #expect(found.hits.allSatisfy { $0.contact.id == "cleo" })
        #expect(found.hits.count == 30)
        search.type("nowhere")
        let nothing = try await search.first { !$0.isSearching }
        #expect(nothing.isNothingFound)
        search.type("")
        let empty = try await search.first { !$0.isSearching }
        #expect(!empty.isNothingFound)
        #expect(empty.hits.isEmpty)
        await world.end()
    }

    @Test func `of a burst of keys only the last text is searched for`() async throws {
        let world = try await ChatWorld.make()
        let recorder = RecordingObserver()
        var config = DefaultPaginatorConfig()
        config.observer = recorder
        let search = SearchScreen(try await ann(in: world).chat, config: config)
        for text in ["c", "ca", "caf", "cafe", "cafe number", "cafe number 7"] { search.type(text) }
        let found = try await search.first { !$0.isSearching }
        #expect(found.text == "cafe number 7")
        #expect(found.hits.map(\.id) == [70, 7])
        #expect(recorder.count(of: .loadStarted) == 1)
        await world.end()
    }

    @Test func `what is edited or deleted meanwhile shows so`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await ann(in: world)
        let search = SearchScreen(try ann.chat)
        search.type("number 7")
        try await search.first { $0.hits.map(\.id) == [70, 7] }
        try await ann.chat.database.write { write in
            _ = try write.deleteForMe(7)
            try write.apply(MessageRevision(messageId: 70, revision: 99, content: "closed"))
        }
        let left = try await search.first { $0.hits.count == 1 && $0.hits[0].message.revision == 99 }
        #expect(left.hits[0].excerpt == [.init("closed")])
        await world.end()
    }
}
