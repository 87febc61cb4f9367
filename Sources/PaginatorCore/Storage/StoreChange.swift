#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A page as a store keeps it.
public struct StoredPage<T: Sendable>: Sendable {
    /// The page.
    public let page: PaginatorPage<T>
    /// The wall-clock time at which the source gave the page.
    public let fetchedAt: Date
    /// Whether the page was marked stale before its expiration time.
    public let isInvalidated: Bool

    /// Makes a stored page.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - fetchedAt: when the source gave it.
    ///   - isInvalidated: whether it was marked stale.
    public init(page: PaginatorPage<T>, fetchedAt: Date, isInvalidated: Bool = false) {
        self.page = page
        self.fetchedAt = fetchedAt
        self.isInvalidated = isInvalidated
    }
}

/// One change of a store. A new case is a breaking change on purpose: a store that ignored it would keep wrong data.
public enum StoreChange<T: Sendable>: Sendable {
    /// Stores the page, in place of an earlier one of the same identity.
    case save(PageIdentity, StoredPage<T>)
    /// Removes the pages that match.
    case remove(PageSelection)
    /// Marks the pages that match stale; they stay readable.
    case invalidate(PageSelection)
    /// Changes the pages that match; those that the edit does not concern stay as they are.
    case edit(PageSelection, PageEdit<T>)
}

/// Names pages: one, all of a key, all of a scope, or all.
public enum PageSelection: Sendable, Hashable {
    /// The page of exactly this identity.
    case identity(PageIdentity)
    /// The pages of this key, in every size and every scope.
    case key(String)
    /// The pages of this scope.
    case scope(String)
    /// Every page.
    case all

    /// Returns whether the page of `identity` is among those named.
    public func contains(_ identity: PageIdentity) -> Bool {
        switch self {
        case .identity(let named): named == identity
        case .key(let key): key.hasSameBytes(as: identity.key)
        case .scope(let scope): scope.hasSameBytes(as: identity.scope)
        case .all: true
        }
    }

    /// Whether both name the same pages, byte by byte.
    public static func == (left: PageSelection, right: PageSelection) -> Bool {
        switch (left, right) {
        case (.identity(let left), .identity(let right)): left == right
        case (.key(let left), .key(let right)), (.scope(let left), .scope(let right)): left.hasSameBytes(as: right)
        case (.all, .all): true
        default: false
        }
    }

    /// Hashes the name's bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .identity(let identity): hasher.combine(identity)
        case .key(let text), .scope(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .all: hasher.combine(0)
        }
    }
}

/// What a paginator offers the store that is attached to it.
public struct StoreEnvironment: Sendable {
    /// Which pages the store keeps; `nil` leaves the store's own limits.
    public let evictionStrategy: (any PaginatorEvictionStrategy)?
    /// Where the store takes the time from.
    public let clock: any PaginatorClock
    /// Takes failures that belong to no call: a damaged page or file, a write that failed later.
    public let report: @Sendable (PaginatorError) -> Void
    /// Whether the paginator that offers it is still there.
    package var isInUse: @Sendable () -> Bool = { true }

    /// Makes an environment, for tests of stores; paginators make their own.
    public init(
        evictionStrategy: (any PaginatorEvictionStrategy)? = nil,
        clock: any PaginatorClock = SystemPaginatorClock(),
        report: @escaping @Sendable (PaginatorError) -> Void = { _ in }
    ) {
        self.evictionStrategy = evictionStrategy
        self.clock = clock
        self.report = report
    }
}
