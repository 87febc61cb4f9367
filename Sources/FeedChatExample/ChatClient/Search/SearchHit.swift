/// A message that was found.
package struct SearchHit: Sendable, Hashable, Identifiable {
    /// A piece of the message's text.
    package struct Piece: Sendable, Hashable {
        package var text: String
        /// Whether it is what was searched for.
        package var isMatch: Bool

        package init(_ text: String, isMatch: Bool = false) {
            self.text = text
            self.isMatch = isMatch
        }
    }

    package var message: Message
    /// The other side of the conversation.
    package var contact: User
    /// The words around what was found.
    package var excerpt: [Piece]

    package var id: Int64 { message.messageId }

    /// Where a tap on it leads.
    package var route: ChatRoute { .conversation(contact.id, at: message.messageId) }

    // Characters that no keyboard has stand around what was found.
    static let (opening, closing): (Character, Character) = ("\u{2}", "\u{3}")

    /// Takes an excerpt apart that has ``opening`` and ``closing`` around each match.
    static func pieces(_ text: String) -> [Piece] {
        var pieces: [Piece] = []
        var isMatch = false
        for character in text {
            switch character {
            case opening: isMatch = true
            case closing: isMatch = false
            case let character:
                if pieces.last?.isMatch == isMatch {
                    pieces[pieces.count - 1].text.append(character)
                } else {
                    pieces.append(Piece(String(character), isMatch: isMatch))
                }
            }
        }
        return pieces
    }
}
