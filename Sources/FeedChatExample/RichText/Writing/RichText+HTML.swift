extension RichText {
    /// The text as HTML with elements of the allow list; parsing it gives the same text again.
    package var html: String {
        var html = ""
        /// The open list, and the number of its next item.
        var list: (tag: String, next: Int)?
        func close() {
            if let list { html += "</\(list.tag)>" }
            list = nil
        }
        for block in blocks {
            switch block.kind {
            case .item:
                if list?.tag != "ul" {
                    close()
                    html += "<ul>"
                    list = ("ul", 0)
                }
            case .numberedItem(let number):
                if list?.tag != "ol" || list?.next != number {
                    close()
                    html += number == 1 ? "<ol>" : "<ol start=\"\(number)\">"
                    list = ("ol", number)
                }
                list?.next += 1
            default: close()
            }
            let tag = block.kind.tag
            html += "<\(tag)>" + block.runs.map { $0.html(isPreformatted: block.kind == .preformatted) }.joined()
            html += "</\(tag)>"
        }
        close()
        return html
    }
}

extension RichText.Kind {
    fileprivate var tag: String {
        switch self {
        case .paragraph: "p"
        case .heading(let level): "h\(min(max(level, 1), 6))"
        case .item, .numberedItem: "li"
        case .quote: "blockquote"
        case .preformatted: "pre"
        }
    }
}

extension RichText.Run {
    private static let tags: [(style: RichText.Style, tag: String)] = [
        (.bold, "strong"), (.italic, "em"), (.underlined, "u"), (.struckOut, "s"), (.code, "code"),
    ]

    fileprivate func html(isPreformatted: Bool) -> String {
        let tags = Self.tags.filter { style.contains($0.style) }.map(\.tag)
        var html = tags.map { "<\($0)>" }.joined()
        var end = tags.reversed().map { "</\($0)>" }.joined()
        switch link {
        case .address(let link)?:
            html += "<a href=\"\(link.address.escaped(isPreformatted: true))\">"
            end = "</a>" + end
        case .mention(let mention)?:
            html += "<a data-mention=\"\(mention.user)\">"
            end = "</a>" + end
        case nil: break
        }
        return html + text.escaped(isPreformatted: isPreformatted) + end
    }
}

extension String {
    /// Returns the text with HTML markup escaped; of consecutive spaces, all but the first become no-break spaces.
    fileprivate func escaped(isPreformatted: Bool) -> String {
        var escaped = ""
        var wasSpace = false
        for scalar in unicodeScalars {
            let isSpace = scalar == " "
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n": escaped += "<br>"
            case " " where wasSpace && !isPreformatted: escaped += "&#160;"
            default: escaped.unicodeScalars.append(scalar)
            }
            wasSpace = isSpace
        }
        return escaped
    }
}
