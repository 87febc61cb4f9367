import PaginatorCore

/// The pages that a list loads again.
public enum PaginatorListRefresh: Sendable {
    /// The first page, which replaces everything once it arrives.
    case all
    /// The page at the head of the list, in place. A gap opens after it if it no longer joins the next page. If the
    /// window has dropped it, it is renewed when it is loaded again, and the visible rows stay. For the newest page of
    /// a list that grows upwards there is ``page(_:)``.
    case firstPage
    /// Every loaded page that has expired or was invalidated, in place. If an empty list is loading its first page,
    /// that load goes on, and may be answered by a cache.
    case stalePages
    /// Every loaded page, in place, the visible one first. Earlier live rows stay only if one of these pages has them.
    /// If there were more than a page has, there is a gap in their place, even if they are visible.
    case keepingPlace
    /// The loaded page of a key, in place. Nothing happens if the list has no such page.
    case page(String)
}

extension PaginatorListRefresh: Hashable {
    /// Whether both name the same pages. Keys are compared by their bytes.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.all, .all), (.firstPage, .firstPage), (.stalePages, .stalePages), (.keepingPlace, .keepingPlace): true
        case (.page(let one), .page(let other)): one.hasSameBytes(as: other)
        default: false
        }
    }

    /// Hashes the kind, or the key's bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .all: hasher.combine(0)
        case .firstPage: hasher.combine(1)
        case .stalePages: hasher.combine(2)
        case .keepingPlace: hasher.combine(3)
        case .page(let key): hasher.combine(ExactText(key))
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
