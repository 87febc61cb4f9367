/// A page of a conversation's history, by the message beside it: reaching the far end costs as much as the near one.
package enum HistoryKey: Sendable, Hashable {
    /// The newest messages.
    case newest
    /// Messages up to one, that one included: by it the page joins the one that begins with it.
    case upTo(Int64)
    /// Messages newer than one.
    case after(Int64)
    /// Messages around one: at most half a page of older ones, then it and newer ones.
    case around(Int64)

    /// Reads a key; `nil` for anything that this type did not write.
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

    /// The key as a paginator knows it.
    package var text: String {
        switch self {
        case .newest: "newest"
        case .upTo(let id): "up-to:\(id)"
        case .after(let id): "after:\(id)"
        case .around(let id): "around:\(id)"
        }
    }
}
