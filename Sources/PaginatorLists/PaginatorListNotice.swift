import PaginatorCore

/// An event of a list that its rows do not show. The list has handled it; an app may show or count it.
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
    /// A new page shares this many rows with its neighbor, because the source's rows moved between both loads: rows
    /// were inserted above, or, after a refresh, rows were removed. The list shows each row once, and corrects the
    /// following keys if they are offsets. No action is needed; an app may offer a refresh.
    case shifted(items: Int)

    /// A page named a neighbor that the list already has. This is a fault of the source. It is reported when that
    /// neighbor would be loaded, and the direction ends there.
    case repeatedKey(String)

    /// A key had expired, or there were no rows near the place of a bookmark or of a jump into an empty list, and the
    /// list began again at the source's first key. The old rows stay until that page arrives. An app may tell its user
    /// why the list moved to its start. If a key expires again before the list has more pages than it had then, the
    /// load fails with ``/PaginatorCore/PaginatorError/Code/expiredKey`` instead.
    case restarted

    /// A reloaded page no longer joins its neighbor, so rows may be missing between them. Load them with
    /// ``PaginatorList/fillGap(at:fromEnd:)``, at once or when the user scrolls there.
    case gapOpened
}

extension PaginatorListNotice: Hashable {
    /// Whether both are the same notice. Keys are compared by their bytes.
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
