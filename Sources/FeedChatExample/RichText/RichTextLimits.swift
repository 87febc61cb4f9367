/// How much of a stranger's HTML is looked at; what lies beyond is left out.
package struct RichTextLimits: Sendable, Hashable {
    /// Bytes of HTML.
    package var bytes = 262_144
    /// Characters of text.
    package var characters = 100_000
    /// Blocks.
    package var blocks = 2_000
    /// Elements within elements; what lies deeper keeps its text and loses its style. The parser itself gives up at
    /// 256, with all that came before.
    package var depth = 64

    package init() {}
}
