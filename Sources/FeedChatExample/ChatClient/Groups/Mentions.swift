package import ChatWire

/// The mentions of a group message, as `@Name`.
package enum Mentions {
    /// Returns the members that a text mentions, each once. If one name is a prefix of another, the longer one counts.
    package static func ids(in text: String, of members: [GroupMember]) -> [String] {
        var ids: [String] = []
        var rest = text[...]
        while let at = rest.firstIndex(of: "@") {
            let isWord = at == text.startIndex || !isPartOfWord(text[text.index(before: at)])
            rest = rest[rest.index(after: at)...]
            guard isWord, let member = longest(named: rest, members) else { continue }
            if !ids.contains(member.userId) { ids.append(member.userId) }
        }
        return ids
    }

    /// Returns the members that match the name being typed after the last `@`; none if no name is being typed.
    package static func suggestions(for draft: String, of members: [GroupMember]) -> [GroupMember] {
        typed(in: draft).map { typed in
            members.filter { $0.name.lowercased().hasPrefix(typed.lowercased()) && $0.name != typed }
        } ?? []
    }

    /// Returns a draft with the name being typed completed.
    package static func complete(_ draft: String, with member: GroupMember) -> String {
        guard let typed = typed(in: draft) else { return draft }
        return draft.dropLast(typed.count) + member.name + " "
    }

    private static func typed(in draft: String) -> Substring? {
        guard let at = draft.lastIndex(of: "@"), at == draft.startIndex || !isPartOfWord(draft[draft.index(before: at)])
        else { return nil }
        let typed = draft[draft.index(after: at)...]
        return typed.count <= 40 && !typed.contains(where: \.isNewline) ? typed : nil
    }

    private static func longest(named rest: Substring, _ members: [GroupMember]) -> GroupMember? {
        members.filter { member in
            guard !member.name.isEmpty, rest.hasPrefix(member.name) else { return false }
            let end = rest.dropFirst(member.name.count).first
            return end.map { !isPartOfWord($0) } ?? true
        }.max { $0.name.count < $1.name.count }
    }

    private static func isPartOfWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
