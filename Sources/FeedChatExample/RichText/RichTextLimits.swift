/// The limits for parsing untrusted HTML; content beyond them is omitted.
package struct RichTextLimits: Sendable, Hashable {
    /// Bytes of HTML.
    package var bytes = 262_144
    /// Characters of text.
    package var characters = 100_000
    /// Blocks.
    package var blocks = 2_000
    /// The nesting depth of elements; deeper content keeps its text and loses its style. The parser itself stops at
    /// 256, and keeps the content before.
    package var depth = 64

    package init() {}
}
