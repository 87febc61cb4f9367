/// Styled text of a post or a comment: blocks of runs, without active content.
///
/// It is created from HTML (``init(html:limits:)``), which is parsed by libxml2 and filtered by an allow list, or from
/// a user's draft (``RichTextDraft``). It is converted to HTML (``html``), to plain text (``plainText``) or to lines
/// for a text screen (``lines(width:)``). A view draws the runs; they are never passed to a browser.
package struct RichText: Sendable, Hashable {
    /// A paragraph, a heading, a list item and so on; not empty.
    package struct Block: Sendable, Hashable {
        package var kind: Kind
        package var runs: [Run]

        package init(_ kind: Kind = .paragraph, _ runs: [Run]) {
            self.kind = kind
            self.runs = runs
        }

        /// The text of all runs.
        package var text: String { runs.map(\.text).joined() }
    }

    /// The kind of a block.
    package enum Kind: Sendable, Hashable {
        case paragraph
        /// The level is 1 to 6.
        case heading(Int)
        /// An item of an unordered list.
        case item
        /// An item of an ordered list.
        case numberedItem(Int)
        case quote
        /// Text whose spaces and line breaks are kept.
        case preformatted
    }

    /// Text in one style; not empty. Line breaks within a block are `\n`.
    package struct Run: Sendable, Hashable {
        package var text: String
        package var style: Style
        package var link: Link?

        package init(_ text: String, _ style: Style = [], link: Link? = nil) {
            self.text = text
            self.style = style
            self.link = link
        }
    }

    /// The style of a run.
    package struct Style: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Style(rawValue: 1)
        package static let italic = Style(rawValue: 2)
        package static let underlined = Style(rawValue: 4)
        package static let struckOut = Style(rawValue: 8)
        package static let code = Style(rawValue: 16)
    }

    /// The target of a tap on a run.
    package enum Link: Sendable, Hashable {
        /// A web or mail address, checked by ``SafeLink``.
        case address(SafeLink)
        /// A user.
        case mention(SafeMention)
    }

    package var blocks: [Block]

    package init(_ blocks: [Block] = []) {
        self.blocks = blocks
    }

    /// Whether there is no content.
    package var isEmpty: Bool { blocks.isEmpty }

    /// The mentioned users, in text order, each once.
    package var mentions: [String] {
        var seen: Set<String> = []
        return blocks.lazy.flatMap(\.runs).compactMap { run in
            if case .mention(let mention)? = run.link { mention.user } else { nil }
        }.filter { seen.insert($0).inserted }
    }
}
