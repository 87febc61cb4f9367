/// Builds blocks from pieces of text, with HTML's rules for white space.
struct BlockBuilder {
    private let limits: RichTextLimits
    private(set) var blocks: [RichText.Block] = []
    private var runs: [RichText.Run] = []
    private var kind = RichText.Kind.paragraph
    /// Whether white space is pending, which shows only if text follows.
    private var owesSpace = false
    private var characters = 0

    init(limits: RichTextLimits) {
        self.limits = limits
    }

    /// Whether the limits are reached.
    var isFull: Bool { characters >= limits.characters || blocks.count >= limits.blocks }

    /// Ends the current block, if it has content, and begins one of another kind.
    mutating func begin(_ next: RichText.Kind) {
        let isPreformatted = kind == .preformatted
        while let last = runs.last {
            let text = last.text.trimmingEnd(isPreformatted ? { $0 == "\n" } : { $0 == "\n" || $0 == " " })
            guard text.isEmpty else {
                runs[runs.count - 1].text = text
                break
            }
            runs.removeLast()
        }
        if !runs.isEmpty, blocks.count < limits.blocks { blocks.append(RichText.Block(kind, runs)) }
        runs = []
        kind = next
        owesSpace = false
    }

    mutating func add(_ text: String, _ style: RichText.Style, _ link: RichText.Link?) {
        guard !isFull else { return }
        var made = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where kind == .preformatted, "\r" where kind == .preformatted:
                // Scalars, because a carriage return and a line feed are one character.
                if scalar == "\n", !(runs.isEmpty && made.isEmpty) { made.unicodeScalars.append(scalar) }
            case "\t" where kind == .preformatted, " " where kind == .preformatted: made.unicodeScalars.append(scalar)
            case " ", "\t", "\n", "\r", "\u{c}": owesSpace = true
            default:
                guard scalar.isHarmless else { continue }
                if owesSpace { addSpace(to: &made) }
                made.unicodeScalars.append(scalar)
            }
        }
        if owesSpace, kind != .preformatted, !(made.isEmpty && runs.isEmpty) {
            // The space has the style of its place, but is added only if text follows.
            addSpace(to: &made)
        }
        append(made, style, link)
    }

    mutating func addLineBreak(_ style: RichText.Style, _ link: RichText.Link?) {
        guard !isFull, !runs.isEmpty else { return }
        owesSpace = false
        if kind != .preformatted {
            runs[runs.count - 1].text.removeSpacesAtEnd()
            if runs[runs.count - 1].text.isEmpty { runs.removeLast() }
        }
        guard !runs.isEmpty else { return }
        append("\n", style, link)
    }

    private mutating func addSpace(to made: inout String) {
        owesSpace = false
        if let last = made.unicodeScalars.last ?? runs.last?.text.unicodeScalars.last, last != " ", last != "\n" {
            made.unicodeScalars.append(" ")
        }
    }

    private mutating func append(_ text: String, _ style: RichText.Style, _ link: RichText.Link?) {
        guard !text.isEmpty else { return }
        let room = limits.characters - characters
        let taken = text.count <= room ? text : String(text.prefix(room))
        characters += taken.count
        // The run is not copied, or its text would be with each piece.
        if let last = runs.indices.last, runs[last].style == style, runs[last].link == link {
            runs[last].text += taken
        } else {
            runs.append(RichText.Run(taken, style, link: link))
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character is allowed in text: no control character, such as one that controls a terminal, and none
    /// that reorders the text around it.
    var isHarmless: Bool {
        switch value {
        case 0..<0x20, 0x7f..<0xa0: false
        case 0x202a...0x202e, 0x2066...0x2069, 0x200e...0x200f, 0x61c: false
        case 0xfeff, 0xfff9...0xfffb, 0x2028...0x2029, 0xe0000...0xe007f: false
        default: true
        }
    }
}

extension String {
    /// Removes spaces at the end, in place: the text may be long.
    fileprivate mutating func removeSpacesAtEnd() {
        while unicodeScalars.last == " " { removeSubrange(unicodeScalars.index(before: endIndex)..<endIndex) }
    }

    fileprivate func trimmingEnd(_ isTrimmed: (Unicode.Scalar) -> Bool) -> String {
        var scalars = unicodeScalars[...]
        while let last = scalars.last, isTrimmed(last) { scalars.removeLast() }
        return scalars.count == unicodeScalars.count ? self : String(String.UnicodeScalarView(scalars))
    }
}
