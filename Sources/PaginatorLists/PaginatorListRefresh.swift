import PaginatorCore

/// Which pages a list reloads.
public enum PaginatorListRefresh: Sendable {
    /// Begins again where the list began: the first page takes the place of everything, once it has come.
    case all
    /// The first page anew, in its place; a gap opens behind it where it no longer joins what is loaded. Where the window
    /// has dropped it, it is new when it comes back, and what is visible stays.
    case firstPage
    /// Every loaded page that is stale by now, also because somebody invalidated it, in its place.
    case stalePages
    /// Every loaded page, in its place; what is visible first.
    case keepingPlace
    /// The loaded page of a key, in its place; nothing happens when the list has no such page.
    case page(String)
}

extension PaginatorListRefresh: Hashable {
    /// Whether both name the same pages, byte by byte.
    public static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }

    /// Hashes the kind and the key's bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

    /// The same, with a key that is compared by its bytes.
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

/// Where a page that is jumped to goes in a list that has other pages.
public enum PaginatorListPlacement: Sendable, Hashable {
    /// By number where keys are numbers that grow from page to page, such as offsets; else at the end.
    case automatic
    /// Before everything that is loaded.
    case start
    /// Behind everything that is loaded.
    case end
}
