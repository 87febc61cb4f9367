import ChatClient
import ChatWire
import PaginatorCore
import Testing

/// Typing and presence are believed for a while, and told as seldom as possible.
struct PresenceTests {
    private let start = PaginatorInstant.zero

    private func status(online: Bool = true, typing: Bool) -> ContactStatus {
        ContactStatus(userId: "bob", online: online, typing: typing, lastConnectedAt: nil)
    }

    @Test func `typing and presence expire by themselves`() {
        var table = PresenceTable()
        #expect(table.info(of: "bob", at: start) == nil)
        table.take(status(typing: true), at: start)
        let typingEnd = start.advanced(by: PresenceTable.typingLifetime)
        let onlineEnd = start.advanced(by: PresenceTable.presenceLifetime)
        #expect(table.info(of: "bob", at: start) == ContactInfo(onlineStatus: true, typing: true))
        #expect(table.nextExpiry(after: start) == typingEnd)
        #expect(table.info(of: "bob", at: typingEnd) == ContactInfo(onlineStatus: true, typing: false))
        #expect(table.nextExpiry(after: typingEnd) == onlineEnd)
        #expect(table.info(of: "bob", at: onlineEnd) == ContactInfo())
        #expect(table.nextExpiry(after: onlineEnd) == nil)
    }

    @Test func `a message or a leave ends the typing`() {
        var table = PresenceTable()
        table.take(status(typing: true), at: start)
        table.stopTyping("bob")
        #expect(table.info(of: "bob", at: start) == ContactInfo(onlineStatus: true, typing: false))
        table.take(status(online: false, typing: true), at: start)
        #expect(table.info(of: "bob", at: start) == ContactInfo())
    }

    @Test func `a notice about the presence ends no typing and begins none`() {
        var table = PresenceTable()
        func takePresence(online: Bool, typing: Bool = false) {
            table.take(
                ContactStatus(userId: "bob", online: online, typing: typing, lastConnectedAt: 1), at: start)
        }
        takePresence(online: true, typing: true)
        #expect(table.info(of: "bob", at: start) == ContactInfo(onlineStatus: true, typing: false))
        table.take(status(typing: true), at: start)
        takePresence(online: true)
        #expect(table.info(of: "bob", at: start) == ContactInfo(onlineStatus: true, typing: true))
        table.take(status(typing: false), at: start)
        #expect(table.info(of: "bob", at: start) == ContactInfo(onlineStatus: true, typing: false))
        table.take(status(typing: true), at: start)
        takePresence(online: false)
        #expect(table.info(of: "bob", at: start) == ContactInfo())
    }

    @Test func `who types in a group does not type in the chat of two`() {
        var table = PresenceTable()
        func take(_ user: String, typing: Bool = true) {
            table.take(
                ContactStatus(userId: user, online: true, typing: typing, lastConnectedAt: nil, groupId: "9"), at: start
            )
        }
        take("bob")
        take("ann")
        let end = start.advanced(by: PresenceTable.typingLifetime)
        #expect(table.info(of: "9", at: start) == ContactInfo(typing: true, typists: ["ann", "bob"]))
        #expect(table.info(of: "bob", at: start) == nil)
        #expect(table.nextExpiry(after: start) == end)
        table.stopTyping("bob")
        #expect(table.info(of: "9", at: start)?.typists == ["ann"])
        #expect(table.info(of: "9", at: end) == ContactInfo())
        take("cleo")
        take("ann", typing: false)
        #expect(table.info(of: "9", at: start)?.typists == ["cleo"])
        table.take(ContactStatus(userId: "cleo", online: false, typing: false, lastConnectedAt: nil), at: start)
        #expect(table.info(of: "9", at: start) == ContactInfo())
    }

    @Test func `typing is told at once then seldom and when it ends`() {
        var throttle = TypingThrottle()
        #expect(throttle.type(true, to: "bob", at: start) == true)
        #expect(throttle.type(true, to: "bob", at: start.advanced(by: .seconds(2))) == nil)
        #expect(throttle.type(true, to: "cleo", at: start.advanced(by: .seconds(2))) == true)
        #expect(throttle.type(true, to: "bob", at: start.advanced(by: .seconds(3))) == true)
        #expect(throttle.type(false, to: "bob", at: start.advanced(by: .seconds(4))) == false)
        #expect(throttle.type(false, to: "bob", at: start.advanced(by: .seconds(5))) == nil)
        // It is told again before it expires there.
        #expect(TypingThrottle.interval < PresenceTable.typingLifetime)
    }
}
