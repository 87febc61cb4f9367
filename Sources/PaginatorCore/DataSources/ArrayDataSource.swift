/// A data source over an array, addressed by offset: "0", "30", "60".
///
/// It answers synchronously. If an offset is smaller than the page size, the page before it begins at 0 and overlaps.
///
/// ```swift
/// let paginator = CallbackPaginator(dataSource: ArrayDataSource(cities))
/// ```
public struct ArrayDataSource<T: Sendable>: PaginatorDataSource {
    private let items: [T]

    /// "0", the offset of the first item.
    public let firstKey = "0"

    /// ``KeyRule/offset``.
    public var keyRule: KeyRule? { .offset }

    /// `false`.
    public var needsConnection: Bool { false }

    /// Creates a source.
    ///
    /// - Parameter items: the items, in order.
    public init(_ items: [T]) {
        self.items = items
    }

    /// Answers with a slice of the array before it returns. Complexity: O(page size).
    ///
    /// A key that is not an offset, in decimal digits without sign or leading zeros, is a fatal error with
    /// ``PaginatorError/Code/invalidKey``. An offset past the end is an expired key,
    /// ``PaginatorError/Code/expiredKey``; the offset right at the end, which a growing list may ask for, gives an
    /// empty page.
    public func fetch(
        _ request: SourceRequest, completion: @escaping @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void
    ) -> SourceCancellation {
        completion(page(key: request.key, pageSize: request.pageSize))
        return .none
    }

    /// Returns the offsets before and after; `nil` if the key is not an offset of the array. Complexity: O(1).
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        guard let start = offset(key), start <= items.count else { return nil }
        return neighbors(of: start, pageSize: pageSize)
    }

    private func page(key: String, pageSize: Int) -> Result<PaginatorPage<T>, SourceError> {
        guard let start = offset(key) else {
            return .failure(.fatal(PaginatorError(.invalidKey, "The key is no offset: \(key.prefix(40))")))
        }
        guard start <= items.count else {
            let message = "The offset \(start) lies behind the last of \(items.count) items"
            return .failure(.keyExpired(PaginatorError(.expiredKey, message)))
        }
        let keys = neighbors(of: start, pageSize: pageSize)
        let content = items[start...].prefix(max(1, pageSize))
        return .success(
            PaginatorPage(
                content: Array(content), key: key, prevKey: keys.previous, nextKey: keys.next, total: items.count))
    }

    private func offset(_ key: String) -> Int? {
        // Digits that overflow are not an offset, either.
        KeyRule.offset.refusal(of: key) == nil ? Int(key) : nil
    }

    private func neighbors(of start: Int, pageSize: Int) -> NeighborKeys {
        let size = max(1, pageSize)
        return NeighborKeys(
            previous: start > 0 ? String(max(0, start - size)) : nil,
            // A difference, because the sum could overflow.
            next: items.count - start > size ? String(start + size) : nil)
    }
}
