/// The plain beginning of a post's HTML, as previews show it.
enum PostSummary {
    /// How many characters a summary has at most.
    static let limit = 280

    static func make(from html: String) -> String {
        var text = ""
        var isInTag = false
        for character in html {
            switch character {
            case "<": isInTag = true
            case ">" where isInTag:
                isInTag = false
                if text.last.map({ !$0.isWhitespace }) ?? false { text.append(" ") }
            case " " where text.last?.isWhitespace ?? true: break
            default: if !isInTag { text.append(character) }
            }
        }
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
            text = text.replacing(entity, with: character)
        }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return text.count <= limit ? text : String(text.prefix(limit - 1)) + "…"
    }
}
