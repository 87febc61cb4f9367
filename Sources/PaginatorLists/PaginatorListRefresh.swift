import PaginatorCore

/// The pages that a list loads again.
public enum PaginatorListRefresh: Sendable {
    /// The first page, which replaces everything once it arrives.
    case all
    /// The page at the head of the list, in place. A gap opens after it if it no longer joins the next page. If the
    /// window has dropped it, it is renewed when it is loaded again, and the visible rows stay. For the newest page of
    /// a list that grows upwards there is ``page(_:)``.
    case firstPage
    /// Every loaded page that has expired or was invalidated, in place.
    case stalePages
    /// Every loaded page, in place, the visible one first. Earlier live rows stay only if one of these pages has them.
    /// If there were more than a page has, there is a gap in their place, even if they are visible.
    case keepingPlace
    /// The loaded page of a key, in place. Nothing happens if the list has no such page.
    case page(String)
}

extension PaginatorListRefresh: Hashable {
    /// Whether both name the same pages. Keys are compared by their bytes.
    public static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }

    /// Hashes the kind and the key's bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

    /// A copy whose key is compared by its bytes.
    enum Kind: Sendable, Hashable {
        case all, firstPage, stalePages, keepingPlace
        case page(ExactText)
    }

    var kind: Kind {
        switch self {
        case .all: .all
        case .firstPage: .firstPage
        case .stalePages: .stalePages
        case .keepingPlace: .keepingPlace
        case .page(let key): .page(ExactText(key))
        }
    }
}

/// The place at which ``PaginatorList/jump(to:placement:)`` puts a page.
public enum PaginatorListPlacement: Sendable, Hashable {
    /// By number if keys are numbers that increase from page to page, such as offsets. Otherwise at the end, or at the
    /// start if the last loaded page is the source's first one, as in a chat.
    case automatic
    /// Before all loaded pages; after them if it is the source's first page and leads only backward, as in a chat.
    case start
    /// After all loaded pages.
    case end
}
