import PaginatorCore

/// Something that happened to a list and that its rows alone do not tell. The list has dealt with it; an app may tell its
/// user, or count it.
///
/// ```swift
/// for notice in update.notices {
///     switch notice {
///     case .restarted: show("The list begins again.")
///     case .gapOpened: show("Newer posts have come.")
///     default: break
///     }
/// }
/// ```
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PaginatorListNotice: Sendable {
    /// A page that has come shares so many rows with the one beside it: the source's table has moved between both loads.
    /// Either rows came above, and moved some down into the next page; or, where a page was reloaded, rows went, and some
    /// of the next page moved up. The list shows each row once, and where keys are offsets it asks for further pages where
    /// they lie now. An app need not do anything, and may offer a refresh.
    case shifted(items: Int)

    /// A page named a neighbor that the list has already. It comes when that would have been loaded; the direction ends
    /// there. It is a mistake of the source, worth a report.
    case repeatedKey(String)

    /// A key had expired, and the list began again from the source's first key; what it showed stays until that page has
    /// come. An app may tell its user why the list moved to its start.
    case restarted

    /// A page came anew and no longer joins its neighbor, so that rows may be missing between them. It comes with the
    /// page. ``PaginatorList/fillGap(at:fromEnd:)`` loads them, at once or when somebody scrolls there.
    case gapOpened
}

extension PaginatorListNotice: Hashable {
    /// Whether both tell the same, with keys compared by their bytes.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.shifted(let one), .shifted(let other)): one == other
        case (.repeatedKey(let one), .repeatedKey(let other)): one.hasSameBytes(as: other)
        case (.restarted, .restarted), (.gapOpened, .gapOpened): true
        default: false
        }
    }

    /// Hashes the kind, and the key by its bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .shifted(let items): hasher.combine(items)
        case .repeatedKey(let key): hasher.combine(ExactText(key))
        case .restarted, .gapOpened: break
        }
    }
}
