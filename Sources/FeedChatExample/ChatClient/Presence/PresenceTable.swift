package import ChatWire
package import PaginatorCore

/// The current activity of contacts: typing and presence expire by themselves.
package struct PresenceTable: Sendable {
    /// The lifetime of a typing notice.
    package static let typingLifetime: Duration = .seconds(6)
    /// The lifetime of a presence notice; the server repeats it more often.
    package static let presenceLifetime: Duration = .seconds(75)

    private struct Entry: Sendable {
        var onlineUntil: PaginatorInstant?
        var typingUntil: PaginatorInstant?
    }

    private var entries: [String: Entry] = [:]
    /// The expirations of the typing notices of members, by the group's id.
    private var typists: [String: [String: PaginatorInstant]] = [:]

    package init() {}

    /// Returns the activity of a contact or in a group; `nil` if it is unknown.
    package func info(of userId: String, at now: PaginatorInstant) -> ContactInfo? {
        if let members = typists[userId] {
            let typing = members.filter { $0.value > now }.keys.sorted()
            return ContactInfo(typing: !typing.isEmpty, typists: typing)
        }
        guard let entry = entries[userId] else { return nil }
        return ContactInfo(
            onlineStatus: entry.onlineUntil.map { $0 > now } ?? false,
            typing: entry.typingUntil.map { $0 > now } ?? false)
    }

    /// Applies a status of the server.
    package mutating func take(_ status: ContactStatus, at now: PaginatorInstant) {
        if let group = status.groupId {
            typists[group, default: [:]][status.userId] =
                status.typing ? now.advanced(by: Self.typingLifetime) : nil
            return
        }
        if !status.online { stopTyping(status.userId) }
        entries[status.userId, default: Entry()].onlineUntil =
            status.online ? now.advanced(by: Self.presenceLifetime) : nil
        // A status with a time tells nothing about typing.
        guard status.lastConnectedAt == nil else { return }
        entries[status.userId]?.typingUntil =
            status.online && status.typing ? now.advanced(by: Self.typingLifetime) : nil
    }

    /// A user who has sent a message is no longer typing.
    package mutating func stopTyping(_ userId: String) {
        entries[userId]?.typingUntil = nil
        for group in typists.keys { typists[group]?[userId] = nil }
    }

    /// Removes everything, because without a connection nothing is known.
    package mutating func clear() { (entries, typists) = ([:], [:]) }

    /// The next expiration; `nil` if there is none.
    package func nextExpiry(after now: PaginatorInstant) -> PaginatorInstant? {
        let ends = entries.values.flatMap { [$0.onlineUntil, $0.typingUntil] }.compactMap(\.self)
        return (ends + typists.values.flatMap(\.values)).filter { $0 > now }.min()
    }
}
