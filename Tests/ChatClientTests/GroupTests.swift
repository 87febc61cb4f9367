import AppFoundation
import ChatClient
import ChatWire
import ExampleBackend
import Foundation
import Testing

/// Who may do what in a group, and who is named.
struct GroupRuleTests {
    private let members = [
        GroupMember(userId: "1", name: "Ann", role: .owner), GroupMember(userId: "2", name: "Ann Marie", role: .admin),
        GroupMember(userId: "3", name: "Bob", role: .member),
    ]

    @Test func `each role allows what it should`() {
        let acts: [GroupAct] = [
            .write, .leave, .rename, .add, .deleteMessage, .remove(.member), .remove(.admin), .remove(.owner),
            .setRole(from: .member, to: .admin), .setRole(from: .admin, to: .owner),
            .setRole(from: .owner, to: .member),
        ]
        func allowed(_ role: GroupRole) -> [Bool] { acts.map(role.allows) }
        #expect(allowed(.member) == [true, true] + Array(repeating: false, count: 9))
        #expect(allowed(.admin) == [true, true, true, true, true, true] + Array(repeating: false, count: 5))
        #expect(allowed(.owner) == [true, true, true, true, true, true, true, false, true, true, false])
    }

    @Test func `an owner who leaves is followed by an admin or else by the first member`() {
        #expect(ChatGroup.successor(of: "1", in: members) == "2")
        #expect(ChatGroup.successor(of: "2", in: [members[1], members[2]]) == "3")
        #expect(ChatGroup.successor(of: "3", in: [members[2]]) == nil)
    }

    @Test func `a name counts as a whole word and the longest one counts`() {
        #expect(Mentions.ids(in: "@Ann and @Bob, hello @Ann", of: members) == ["1", "3"])
        #expect(Mentions.ids(in: "@Ann Marie!", of: members) == ["2"])
        #expect(Mentions.ids(in: "mail to x@Bob", of: members).isEmpty)
        #expect(Mentions.ids(in: "@Bobby @bob @ @", of: members).isEmpty)
    }

    @Test func `a name that is being typed is suggested and written out`() {
        #expect(Mentions.suggestions(for: "hi @an", of: members).map(\.userId) == ["1", "2"])
        #expect(Mentions.suggestions(for: "@", of: members).count == 3)
        #expect(Mentions.suggestions(for: "@Bob", of: members).isEmpty)
        #expect(Mentions.suggestions(for: "x@an", of: members).isEmpty)
        #expect(Mentions.suggestions(for: "no name", of: members).isEmpty)
        #expect(Mentions.complete("hi @an", with: members[1]) == "hi @Ann Marie ")
    }

    @Test func `a screen offers what the role allows`() {
        let group = ChatGroup(id: "9", title: "Picnic", members: members, revision: 1)
        let cleo = User(id: "4", name: "Cleo")
        let owner = GroupState(group, userId: "1", contacts: [cleo, User(id: "3", name: "Bob")])
        #expect(
            owner.rows.map(\.actions) == [
                [.leave], [.makeMember, .makeOwner, .remove], [.makeAdmin, .makeOwner, .remove],
            ])
        #expect(owner.addable == [cleo])
        let member = GroupState(group, userId: "3", contacts: [cleo])
        #expect(member.rows.map(\.actions) == [[], [], [.leave]])
        #expect(member.addable.isEmpty)
        #expect(!member.canRename)
    }
}

/// A group is as its newest telling says, whichever way that came.
struct GroupStateTests {
    private func group(_ title: String, _ revision: Int64, of ids: [String] = ["ann", "bob"]) -> ChatGroup {
        ChatGroup(
            id: "9", title: title, members: ids.map { GroupMember(userId: $0, name: $0, role: .member) },
            revision: revision)
    }

    @Test func `an older telling changes nothing`() async throws {
        let database = try await ChatFixtures.database()
        let (older, newer) = (group("Old", 5, of: ["bob"]), group("New", 6))
        try await database.write { write in
            try write.save(newer)
            try write.save(older)
            #expect(try write.group("9") == newer)
            #expect(try write.groups().map(\.name) == ["New"])
        }
    }

    @Test func `a list of groups says nothing of what came while it was on its way`() async throws {
        let database = try await ChatFixtures.database()
        let joined = group("New", 6)
        try await database.write { write in
            let before = try write.groupRevisions()
            try write.save(joined)
            try write.save([], insteadOf: before)
            #expect(try write.groups().map(\.id) == ["9"])
            // Nothing has come since, and the user is in it no more.
            try write.save([], insteadOf: try write.groupRevisions())
            #expect(try write.groups().isEmpty)
        }
    }

    @Test func `a member told twice and a role of a later version are taken`() async throws {
        let json = """
            {"type": "group_changed", "id": 7, "previous": 0, "payload": {"id": "9", "title": "Picnic", "revision": 7,
             "members": [{"userId": "ann", "name": "Ann", "role": "moderator"},
                         {"userId": "ann", "name": "Ann", "role": "admin"}]}}
            """
        let event = try JSONDecoder().decode(ChatEvent.self, from: Data(json.utf8))
        let database = try await ChatFixtures.database()
        try await database.write { try $0.apply([event], upTo: 7) }
        let (members, place) = try await database.read { (try $0.group("9")?.members, try $0.lastSyncedMessage()) }
        #expect(members == [GroupMember(userId: "ann", name: "Ann", role: .admin)])
        #expect(place == 7)
        guard case .groupChanged(let told) = event.content else { return #expect(Bool(false)) }
        #expect(told.members.map(\.role) == [.member, .admin])
        // What somebody asks for is taken by its name only.
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(GroupRoleBody.self, from: Data(#"{"role": "moderator"}"#.utf8))
        }
    }
}

/// A group on three devices and a backend.
@MainActor @Suite(.timeLimit(.minutes(3))) struct GroupTests {
    private struct People {
        let world: ChatWorld
        let ann: ChatPerson
        let bob: ChatPerson
        let cleo: ChatPerson
        let group: ChatGroup
        var all: [ChatPerson] { [ann, bob, cleo] }
    }

    private func people() async throws -> People {
        let world = try await ChatWorld.make()
        let (ann, bob, cleo) = (
            try await world.client("ann"), try await world.client("bob"), try await world.client("cleo")
        )
        let made = try await ann.chat.makeGroup("Picnic", with: [bob.id, cleo.id], requestId: "g")
        // A repetition makes no other one.
        let group = try await ann.chat.makeGroup("Picnic", with: [bob.id, cleo.id], requestId: "g")
        #expect(group == made)
        for person in [bob, cleo] { try await person.waitUntil { try $0.group(group.id) == group } }
        return People(world: world, ann: ann, bob: bob, cleo: cleo, group: group)
    }

    private func texts(_ person: ChatPerson, _ group: ChatGroup) async throws -> [String] {
        try await person.chat.database.read { read in
            try read.history(.after(0), with: group.id, limit: 1_000).messages.map { "\($0.messageId) \($0.content)" }
        }
    }

    @Test func `everybody gets every message once in one order over a kill`() async throws {
        let people = try await people()
        let group = people.group
        try await people.cleo.kill()
        for index in 0..<5 {
            try await people.ann.chat.send("a\(index)", to: group.id)
            try await people.bob.chat.send("b\(index)", to: group.id)
        }
        for person in [people.ann, people.bob] { try await person.waitUntil { try $0.requests(to: group.id).isEmpty } }
        try await people.cleo.start()
        for person in people.all {
            try await person.waitUntil { try $0.history(.after(0), with: group.id, limit: 99).messages.count == 10 }
        }
        let found = try await texts(people.ann, group)
        #expect(try await texts(people.bob, group) == found)
        #expect(try await texts(people.cleo, group) == found)
        #expect(try await people.cleo.chat.database.read { try $0.unreadCount(from: group.id) } == 10)
        // None of it is in a chat of two.
        #expect(try await people.cleo.chat.database.read { try $0.previews().map(\.id) } == [group.id])
        await people.world.end()
    }

    @Test func `a message is delivered and read when it is so with all`() async throws {
        let people = try await people()
        let group = people.group
        try await people.cleo.waitUntilLive()
        await people.cleo.change { $0.link = .none }
        try await people.cleo.waitUntilStatus { !$0.status.isLive }
        try await people.cleo.waitUntilGone()
        try await people.ann.chat.send("hello", to: group.id)
        try await people.bob.waitUntil { try $0.unreadCount(from: group.id) == 1 }
        try await people.bob.chat.markRead(from: group.id, upTo: .max)
        try await people.bob.waitUntil { try $0.pendingReceipts(limit: 1).isEmpty }
        try await people.ann.waitUntil { try $0.requests(to: group.id).isEmpty }
        let status: @Sendable (ChatTransaction) throws -> MessageStatus? = {
            try $0.history(.newest, with: group.id, limit: 9).messages.last?.status
        }
        #expect(try await people.ann.chat.database.read(status) == .synced)
        people.cleo.environment.update { $0.link = .good }
        try await people.ann.waitUntil { try status($0) == .delivered }
        try await people.cleo.chat.markRead(from: group.id, upTo: .max)
        try await people.ann.waitUntil { try status($0) == .read }
        #expect(try await people.world.backend.chat.waiting().messages == 0)
        await people.world.end()
    }

    @Test func `the others in a group see who types and how many are there`() async throws {
        let people = try await people()
        let contact = User(id: people.group.id, name: "Picnic", isGroup: true)
        let screen = ConversationScreen(try people.ann.chat, contact: contact)
        await screen.open()
        let writer = ConversationScreen(try people.bob.chat, contact: contact)
        await writer.open()
        // Who is there is told at the next connection, or with the next sign of life.
        await people.world.backend.chat.cutSockets()
        for screen in [screen, writer] { try await screen.first { $0.isLive && $0.membersOnline == 2 } }
        await writer.type("I bring")
        try await screen.first { $0.typists == ["bob"] }
        #expect(screen.state.conversation.contactInfo?.typing == true)
        #expect(writer.state.typists == [])
        // It is not told as typing in the chat of two.
        #expect(try people.ann.chat.updates.info(of: people.bob.id)?.typing == false)
        await writer.send("I bring salad")
        try await screen.first { $0.typists == [] && $0.conversation.contactInfo?.typing == false }
        await people.world.end()
    }

    @Test func `who is named sees it in the list until it is read`() async throws {
        let people = try await people()
        let group = people.group
        let screen = ConversationScreen(try people.ann.chat, contact: User(id: group.id, name: "Picnic", isGroup: true))
        await screen.open()
        await screen.type("@b")
        let bob = try #require(screen.state.mentionSuggestions.first)
        await screen.mention(bob)
        #expect(screen.state.draft == "@bob ")
        await screen.send("@bob bring plates")
        try await people.bob.waitUntil { try $0.previews().first?.mentionsMe == true }
        try await people.cleo.waitUntil { try $0.unreadCount(from: group.id) == 1 }
        #expect(try await people.cleo.chat.database.read { try $0.previews().first?.mentionsMe } == false)
        try await people.bob.chat.markRead(from: group.id, upTo: .max)
        #expect(try await people.bob.chat.database.read { try $0.previews().first?.mentionsMe } == false)
        await people.world.end()
    }

    @Test func `roles are the server's to keep and the screens'`() async throws {
        let people = try await people()
        let (group, bob, cleo) = (people.group, people.bob, people.cleo)
        let screen = GroupScreen(try bob.chat, group: group.id)
        await screen.open()
        await screen.rename(to: "Bob's")
        #expect(screen.state.errorMessage == "The group does not allow it")
        try await people.ann.chat.setRole(.admin, of: bob.id, in: group.id)
        try await screen.first { $0.canRename }
        await screen.rename(to: "Lunch")
        try await cleo.waitUntil { try $0.group(group.id)?.title == "Lunch" }
        // An admin deletes what another wrote.
        try await cleo.chat.send("spam", to: group.id)
        try await bob.waitUntil { try $0.unreadCount(from: group.id) == 1 }
        let id = try #require(
            try await bob.chat.database.read { read in
                try read.history(.newest, with: group.id, limit: 9).messages.last?.messageId
            })
        #expect(try await bob.chat.edit(id, to: "mine") == false)
        #expect(try await bob.chat.deleteForBoth(id))
        for person in [people.ann, cleo] { try await person.waitUntil { try $0.message(id)?.isDeleted == true } }
        // Who is removed reads what there was, and writes no more.
        let conversation = ConversationScreen(try cleo.chat, contact: User(id: group.id, name: "Lunch", isGroup: true))
        await conversation.open()
        await screen.perform(.remove, on: cleo.id)
        try await conversation.first { !$0.canWrite }
        let request = try #require(try await cleo.chat.send("still there?", to: group.id))
        try await cleo.waitUntil { try $0.request(request.requestId)?.status == .failed }
        // The owner goes, and the admin owns the group.
        try await people.ann.chat.removeMember(people.ann.id, from: group.id)
        try await bob.waitUntil { try $0.group(group.id)?.role(of: bob.id) == .owner }
        #expect(try await people.ann.chat.database.read { try $0.groups() }.isEmpty)
        await people.world.end()
    }

    @Test func `an edit whose answer was lost stays after its author is removed`() async throws {
        let people = try await people()
        let (group, bob, cleo) = (people.group, people.bob, people.cleo)
        try await bob.chat.send("before", to: group.id)
        try await bob.waitUntil { try $0.requests(to: group.id).isEmpty }
        let id = try #require(
            try await bob.chat.database.read { read in
                try read.history(.newest, with: group.id, limit: 9).messages.last?.messageId
            })
        let faults = people.world.backend.faults
        faults.plan([.lostAnswer, .stall], "PATCH", "/v1/messages")
        #expect(try await bob.chat.edit(id, to: "after"))
        try await faults.waitForRequests(2, "PATCH", "/v1/messages")
        try await people.ann.chat.removeMember(bob.id, from: group.id)
        faults.heal()
        try await bob.waitUntil { try $0.pendingChanges(limit: 1).isEmpty }
        #expect(try await bob.chat.database.read { try $0.message(id)?.content } == "after")
        try await cleo.waitUntil { try $0.message(id)?.content == "after" }
        await people.world.end()
    }

    @Test func `a device that comes later learns the groups and another of one's own reads along`() async throws {
        let people = try await people()
        let group = people.group
        let tablet = try await people.world.client("bob", device: "tablet")
        try await tablet.waitUntilLive()
        try await tablet.chat.refreshContacts()
        #expect(try await tablet.chat.database.read { try $0.group(group.id) } == group)
        try await people.ann.chat.send("hello", to: group.id)
        for device in [people.bob, tablet] { try await device.waitUntil { try $0.unreadCount(from: group.id) == 1 } }
        try await people.bob.chat.markRead(from: group.id, upTo: .max)
        try await tablet.waitUntil { try $0.unreadCount(from: group.id) == 0 }
        await people.world.end()
    }
}
