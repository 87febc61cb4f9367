/// A text that is compared and hashed by its UTF-8 bytes, as keys, cursors, scopes and file names must be.
package struct ExactText: Hashable, Sendable, CustomDebugStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(StableHash.value(of: text))
    }

    package var debugDescription: String { text.debugDescription }
}
