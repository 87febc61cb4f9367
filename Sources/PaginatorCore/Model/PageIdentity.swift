/// What tells one page from another: its scope, its key and its page size.
///
/// Scopes and keys are compared and hashed by their UTF-8 bytes. Swift's own string equality would take two cursors
/// for the same when they are canonically equivalent; a server, and SQLite, take them for different ones.
public struct PageIdentity: Hashable, Sendable, CustomStringConvertible {
    /// Separates the same keys under another filter, sort order, search or user; empty when there is only one.
    public let scope: String

    /// The page's key: an offset, a page number or a cursor, as the data source understands it.
    public let key: String

    /// The number of items asked for.
    public let pageSize: Int

    /// A hash of all three, the same on every machine and in every run.
    ///
    /// It is not seeded, so a hostile server can make keys that collide; the tables that use it are bounded in size.
    package let stableHash: UInt64

    /// Makes an identity. Complexity: O(bytes of scope and key), once.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the number of items asked for.
    ///   - scope: separates pages with the same key, such as those of two users; empty by default.
    public init(key: String, pageSize: Int, scope: String = "") {
        var (key, scope) = (key, scope)
        key.makeContiguousUTF8()
        scope.makeContiguousUTF8()
        self.key = key
        self.scope = scope
        self.pageSize = pageSize
        var hash = StableHash()
        hash.combine(key)
        hash.combine(scope)
        hash.combine(UInt64(bitPattern: Int64(pageSize)))
        stableHash = hash.value
    }

    /// Whether both are the same page, byte by byte.
    public static func == (left: PageIdentity, right: PageIdentity) -> Bool {
        left.stableHash == right.stableHash && left.pageSize == right.pageSize
            && left.key.hasSameBytes(as: right.key) && left.scope.hasSameBytes(as: right.scope)
    }

    /// Feeds the stored hash to `hasher`. Complexity: O(1).
    public func hash(into hasher: inout Hasher) {
        hasher.combine(stableHash)
    }

    /// For logs: the same for a page in every run.
    package var nameWithoutKey: String { "\(String(stableHash, radix: 16))#\(pageSize)" }

    /// Scope, key and size for people; long texts are cut.
    public var description: String {
        let shown = key.count > 40 ? key.prefix(40) + "…" : key[...]
        return (scope.isEmpty ? "" : "\(scope.prefix(40))/") + "\(shown)#\(pageSize)"
    }
}
