/// A page of a conversation's history, addressed by a message next to it, so that all pages cost the same.
package enum HistoryKey: Sendable, Hashable {
    /// The newest messages.
    case newest
    /// Messages up to and including one, by which the page joins the page that begins with it.
    case upTo(Int64)
    /// Messages newer than one.
    case after(Int64)
    /// Messages around one: at most half a page of older ones, then it and newer ones.
    case around(Int64)

    /// Parses a key; `nil` for a text of another form.
    package init?(_ text: String) {
        if text == "newest" {
            self = .newest
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = Int64(parts[1]) else { return nil }
        switch parts[0] {
        case "up-to": self = .upTo(id)
        case "after": self = .after(id)
        case "around": self = .around(id)
        default: return nil
        }
    }

    /// The key as text for a paginator.
    package var text: String {
        switch self {
        case .newest: "newest"
        case .upTo(let id): "up-to:\(id)"
        case .after(let id): "after:\(id)"
        case .around(let id): "around:\(id)"
        }
    }
}
