extension RichText {
    /// The text without styles, one paragraph per block; list items and quotes keep their marks.
    package var plainText: String {
        blocks.map { $0.kind.mark + $0.text }.joined(separator: "\n")
    }

    /// Returns the beginning of the text on one line, for previews, with an ellipsis if it was cut.
    ///
    /// - Parameter limit: the maximum number of characters, the ellipsis included, at least 1.
    package func summary(limit: Int = 280) -> String {
        var summary = ""
        var wasSpace = true
        for block in blocks {
            for character in block.text {
                let isSpace = character.isWhitespace
                if !(isSpace && wasSpace) { summary.append(isSpace ? " " : character) }
                wasSpace = isSpace
            }
            if !wasSpace { summary.append(" ") }
            wasSpace = true
            if summary.count > limit + 1 { break }
        }
        if summary.last == " " { summary.removeLast() }
        guard summary.count > max(1, limit) else { return summary }
        return String(summary.prefix(max(1, limit) - 1)) + "…"
    }

    /// Returns the text as lines of a text screen: words wrapped, headings in capitals, marks of lists and quotes
    /// hanging, and links followed by their address.
    ///
    /// - Parameter width: the maximum number of characters of a line, at least 8.
    package func lines(width: Int) -> [String] {
        let width = max(8, width)
        return blocks.flatMap { block -> [String] in
            let mark = block.kind.mark
            let indent = block.kind == .quote ? mark : String(repeating: " ", count: mark.count)
            let room = max(4, width - mark.count)
            let text = block.frameText
            let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
            let lines = parts.flatMap { part in
                block.kind == .preformatted ? Self.chunks(part, room) : Self.wrapped(part, room)
            }
            return lines.enumerated().map { ($0.offset == 0 ? mark : indent) + $0.element }
        }
    }

    private static func wrapped(_ text: Substring, _ room: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count <= room {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            let pieces = chunks(word, room)
            lines += pieces.dropLast()
            line = pieces.last ?? ""
        }
        return lines + [line]
    }

    /// Returns the text in pieces of at most `room` characters; one empty piece for an empty text.
    private static func chunks(_ text: Substring, _ room: Int) -> [String] {
        var pieces: [String] = []
        var rest = text
        while rest.count > room {
            pieces.append(String(rest.prefix(room)))
            rest = rest.dropFirst(room)
        }
        return pieces + [String(rest)]
    }
}

extension RichText.Kind {
    /// The mark before the block in plain text.
    fileprivate var mark: String {
        switch self {
        case .item: "• "
        case .numberedItem(let number): "\(number). "
        case .quote: "> "
        case .paragraph, .heading, .preformatted: ""
        }
    }
}

extension RichText.Block {
    /// The text with marks for its styles, for a text screen.
    fileprivate var frameText: String {
        if case .heading = kind { return text.uppercased() }
        return runs.map { run in
            guard case .address(let link)? = run.link, link.address != run.text else { return run.text }
            return "\(run.text) (\(link.address))"
        }.joined().replacing("\t", with: "    ")
    }
}
