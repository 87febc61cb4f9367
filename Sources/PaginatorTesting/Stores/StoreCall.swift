public import PaginatorCore

/// One call of a ``ScriptedStore``.
public enum StoreCall: Sendable, Hashable {
    /// A page was read.
    case load(PageIdentity)
    /// A page was saved.
    case save(PageIdentity)
    /// Pages were removed.
    case remove(PageSelection)
    /// Pages were invalidated.
    case invalidate(PageSelection)
    /// Pages with tags were invalidated.
    case invalidateTags([String])
    /// Pages were edited.
    case edit(PageSelection)
    /// The store was flushed.
    case flush

    init<T>(_ change: StoreChange<T>) {
        switch change {
        case .save(let identity, _): self = .save(identity)
        case .remove(let selection): self = .remove(selection)
        case .invalidate(let selection): self = .invalidate(selection)
        case .invalidateTags(let tags): self = .invalidateTags(tags)
        case .edit(let selection, _): self = .edit(selection)
        }
    }
}
