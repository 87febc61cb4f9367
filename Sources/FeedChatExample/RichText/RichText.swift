/// Styled text as a post or a comment holds it: blocks of runs, and nothing that could act.
///
/// It comes from HTML (``init(html:limits:)``), which is parsed by libxml2 and kept by an allow list, or from what a user
/// composes (``RichTextDraft``). It leaves as HTML (``html``), as plain text (``plainText``) or as lines for a text
/// screen (``lines(width:)``). A view draws the runs; none of it is ever handed to a browser.
package struct RichText: Sendable, Hashable {
    /// A paragraph, a heading, an item of a list and so on; not empty.
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

    /// What a block is.
    package enum Kind: Sendable, Hashable {
        case paragraph
        /// The level is 1 to 6.
        case heading(Int)
        /// An item of a list without numbers.
        case item
        /// An item of a list with numbers.
        case numberedItem(Int)
        case quote
        /// Text whose spaces and line breaks count.
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

    /// How a run is drawn.
    package struct Style: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Style(rawValue: 1)
        package static let italic = Style(rawValue: 2)
        package static let underlined = Style(rawValue: 4)
        package static let struckOut = Style(rawValue: 8)
        package static let code = Style(rawValue: 16)
    }

    /// What a tap on a run opens.
    package enum Link: Sendable, Hashable {
        /// An address of the web or of mail, judged by ``SafeLink``.
        case address(SafeLink)
        /// A user.
        case mention(SafeMention)
    }

    package var blocks: [Block]

    package init(_ blocks: [Block] = []) {
        self.blocks = blocks
    }

    /// Whether there is nothing to show.
    package var isEmpty: Bool { blocks.isEmpty }

    /// The users who are mentioned, in the order of the text, each once.
    package var mentions: [String] {
        var seen: Set<String> = []
        return blocks.lazy.flatMap(\.runs).compactMap { run in
            if case .mention(let mention)? = run.link { mention.user } else { nil }
        }.filter { seen.insert($0).inserted }
    }
}
