/// A message found by a search.
package struct SearchHit: Sendable, Hashable, Identifiable {
    /// A piece of the message's text.
    package struct Piece: Sendable, Hashable {
        package var text: String
        /// Whether it matches the search.
        package var isMatch: Bool

        package init(_ text: String, isMatch: Bool = false) {
            self.text = text
            self.isMatch = isMatch
        }
    }

    package var message: Message
    /// The other side of the conversation.
    package var contact: User
    /// The words around the match.
    package var excerpt: [Piece]

    package var id: Int64 { message.messageId }

    /// The destination of a tap.
    package var route: ChatRoute { .conversation(contact.id, at: message.messageId) }

    // Control characters, which no keyboard has, mark the match.
    static let (opening, closing): (Character, Character) = ("\u{2}", "\u{3}")

    /// Splits an excerpt that has ``opening`` and ``closing`` around each match.
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
