/// Identifies a page by its scope, key and page size.
///
/// Scopes and keys are compared and hashed by their UTF-8 bytes. Swift's string equality treats canonically equivalent
/// cursors as equal; servers and SQLite do not.
public struct PageIdentity: Hashable, Sendable, CustomStringConvertible {
    /// Distinguishes equal keys of different filters, sort orders, searches or users; empty if there is only one.
    public let scope: String

    /// The page's key, as the data source understands it: an offset, a page number or a cursor.
    public let key: String

    /// The requested number of items.
    public let pageSize: Int

    /// A hash of scope, key and size, the same on every machine and in every run.
    ///
    /// It is not seeded, so a hostile server can choose colliding keys; the tables that use it are bounded.
    package let stableHash: UInt64

    /// Creates an identity. Complexity: O(bytes of scope and key).
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the requested number of items.
    ///   - scope: distinguishes pages with the same key, such as those of two users; empty by default.
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

    /// Whether both identify the same page, compared by bytes.
    public static func == (left: PageIdentity, right: PageIdentity) -> Bool {
        left.stableHash == right.stableHash && left.pageSize == right.pageSize
            && left.key.hasSameBytes(as: right.key) && left.scope.hasSameBytes(as: right.scope)
    }

    /// Hashes the stored hash. Complexity: O(1).
    public func hash(into hasher: inout Hasher) {
        hasher.combine(stableHash)
    }

    /// A name of the page for logs without user data, the same in every run.
    package var nameWithoutKey: String { "\(String(stableHash, radix: 16))#\(pageSize)" }

    /// Scope, key and size for display; long texts are shortened.
    public var description: String {
        let shown = key.count > 40 ? key.prefix(40) + "…" : key[...]
        return (scope.isEmpty ? "" : "\(scope.prefix(40))/") + "\(shown)#\(pageSize)"
    }
}
