/// The meaning of an HTML element for rich text: the allow list.
enum HTMLElement {
    /// Begins and ends a block.
    case block(RichText.Kind?)
    case style(RichText.Style)
    case anchor
    case list(isNumbered: Bool)
    case item
    case lineBreak
    case cell
    /// Removed with its content: code, or content that is not text.
    case dropped
    /// Removed, but its content is kept; the same applies to unknown elements.
    case transparent

    init(_ name: String) {
        self = Self.known[name.lowercased()] ?? .transparent
    }

    private static let known: [String: HTMLElement] = {
        var known: [String: HTMLElement] = [
            "b": .style(.bold), "strong": .style(.bold),
            "i": .style(.italic), "em": .style(.italic), "cite": .style(.italic), "var": .style(.italic),
            "u": .style(.underlined), "ins": .style(.underlined),
            "s": .style(.struckOut), "del": .style(.struckOut), "strike": .style(.struckOut),
            "code": .style(.code), "kbd": .style(.code), "samp": .style(.code), "tt": .style(.code),
            "a": .anchor, "ul": .list(isNumbered: false), "menu": .list(isNumbered: false),
            "ol": .list(isNumbered: true), "li": .item, "br": .lineBreak, "td": .cell, "th": .cell,
            "blockquote": .block(.quote), "pre": .block(.preformatted), "p": .block(nil),
        ]
        for level in 1...6 { known["h\(level)"] = .block(.heading(level)) }
        for name in [
            "address", "article", "aside", "body", "caption", "center", "dd", "details", "div", "dl", "dt", "fieldset",
            "figcaption", "figure", "footer", "form", "header", "hr", "html", "legend", "main", "nav", "section",
            "summary", "table", "tbody", "tfoot", "thead", "tr",
        ] { known[name] = .block(nil) }
        for name in [
            "applet", "audio", "button", "canvas", "datalist", "frameset", "head", "iframe", "map", "math", "noembed",
            "noframes", "noscript", "object", "optgroup", "option", "plaintext", "portal", "script", "select", "style",
            "svg", "template", "textarea", "title", "video", "xmp",
        ] { known[name] = .dropped }
        // Elements without content, such as `img` and `embed`, are transparent: content that the parser puts into them
        // belongs after them.
        return known
    }()
}
