/// The part of a page that is enough for a fetch.
///
/// ```swift
/// var request = PageRequest(key: posts.firstKey, pageSize: 50)
/// request.part = .items(10)  // the first screen, on a weak link
/// ```
///
/// The source may return more than that, or all. Values below 1 count as 1.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PagePart: Sendable, Hashable {
    /// This many first items.
    case items(Int)
    /// First items of about this many bytes by ``PaginatorPage/byteCount``; half of the bytes are enough.
    case bytes(Int)

    // Returns the larger of both; `nil` is the whole page.
    static func larger(_ left: PagePart?, _ right: PagePart?) -> PagePart? {
        switch (left, right) {
        case (.items(let left), .items(let right)): .items(max(left, right))
        case (.bytes(let left), .bytes(let right)): .bytes(max(left, right))
        default: nil
        }
    }
}

extension LoadedPage {
    package var isPartial: Bool { details.continuation != nil }

    /// Returns whether the page is enough for a fetch that requests this part.
    func isEnough(for part: PagePart?) -> Bool {
        guard isPartial else { return true }
        return switch part {
        case nil: false
        case .items(let items): details.facts.items >= max(1, items)
        case .bytes(let bytes): details.facts.bytes >= max(1, bytes / 2)
        }
    }
}

extension PaginatorPage {
    /// Joins this part with what follows it; `nil` if their total or revision differ, because the page has changed in
    /// between. The part's revision is passed in, since an edit removes it from the part.
    func followed(by rest: PaginatorPage, revision known: String?) -> PaginatorPage? {
        func differ<V: Equatable>(_ left: V?, _ right: V?) -> Bool { left != nil && right != nil && left != right }
        guard !differ(total, rest.total), !differ(known.map(ExactText.init), rest.revision.map(ExactText.init))
        else {
            return nil
        }
        let (bytes, isTooMany) = byteCount.addingReportingOverflow(rest.byteCount)
        return PaginatorPage(
            content: content + rest.content, key: key,
            expirationTime: [expirationTime, rest.expirationTime].compactMap(\.self).min(), prevKey: prevKey,
            nextKey: rest.nextKey, byteCount: isTooMany ? .max : bytes, revision: rest.revision == nil ? nil : revision,
            isStorable: isStorable && rest.isStorable, total: rest.total ?? total, tags: tags + rest.tags,
            continuation: rest.continuation)
    }
}
