package import ChatWire
package import PaginatorCore

/// What contacts are doing, as long as it may be believed: typing and presence expire by themselves.
package struct PresenceTable: Sendable {
    /// How long a sign of typing holds.
    package static let typingLifetime: Duration = .seconds(6)
    /// How long a sign of presence holds; the server repeats it more often.
    package static let presenceLifetime: Duration = .seconds(75)

    private struct Entry: Sendable {
        var onlineUntil: PaginatorInstant?
        var typingUntil: PaginatorInstant?
    }

    private var entries: [String: Entry] = [:]
    /// Until when a member of a group may be believed to type there, by the group's id.
    private var typists: [String: [String: PaginatorInstant]] = [:]

    package init() {}

    /// What a contact, or a group, is doing; `nil` where nothing is known of it.
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

    /// Takes what the server says.
    package mutating func take(_ status: ContactStatus, at now: PaginatorInstant) {
        if let group = status.groupId {
            typists[group, default: [:]][status.userId] =
                status.typing ? now.advanced(by: Self.typingLifetime) : nil
            return
        }
        if !status.online { stopTyping(status.userId) }
        entries[status.userId] = Entry(
            onlineUntil: status.online ? now.advanced(by: Self.presenceLifetime) : nil,
            typingUntil: status.online && status.typing ? now.advanced(by: Self.typingLifetime) : nil)
    }

    /// Who writes a message is not typing it any more.
    package mutating func stopTyping(_ userId: String) {
        entries[userId]?.typingUntil = nil
        for group in typists.keys { typists[group]?[userId] = nil }
    }

    /// Forgets everything, as without a connection nothing is known.
    package mutating func clear() { (entries, typists) = ([:], [:]) }

    /// When the next sign expires; `nil` where none is held.
    package func nextExpiry(after now: PaginatorInstant) -> PaginatorInstant? {
        let ends = entries.values.flatMap { [$0.onlineUntil, $0.typingUntil] }.compactMap(\.self)
        return (ends + typists.values.flatMap(\.values)).filter { $0 > now }.min()
    }
}
