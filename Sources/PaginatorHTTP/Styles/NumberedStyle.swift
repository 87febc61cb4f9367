import PaginatorCore

/// Pages addressed by numbers that can be computed: a page number, or the offset of the first item.
///
/// The numbers are the keys. Neighbors load in parallel. No page before the first or, if the API tells the total, after
/// the last is requested.
struct NumberedStyle: BuiltInStyle {
    enum Unit: Sendable, Hashable {
        case pages
        case items
    }

    let unit: Unit
    let position: HTTPParameter
    let size: HTTPParameter?
    let first: Int
    let total: HTTPTotal
    let maxSize: Int?
    let sizeField: HTTPField?

    /// The number of the first page, or of the first item.
    var firstKey: String { String(first) }

    /// Whole numbers from the first.
    var keyRule: KeyRule? {
        KeyRule { number(of: $0) == nil ? "the key must be a whole number from \(first)" : nil }
    }

    func headerTellsKeys(in response: HTTPPageResponse) -> Bool { response.hasHeader(total.headerName) }

    /// Many servers answer 404, some 416, for a page past the last one.
    var endStatuses: Set<Int> { [404, 416] }

    /// Sets the number and the size.
    func prepare(_ request: inout HTTPPageRequest) throws(HTTPSourceError) {
        let number = try number(in: request)
        if let maxSize, request.pageSize > maxSize {
            throw HTTPSourceError(
                .pageSizeTooLarge, "\(request.pageSize) items were asked for; this API gives \(maxSize) at the most.",
                field: size?.name)
        }
        request.set(position, to: number)
        request.setPageSize(size)
    }

    /// Computes the keys beside the page, and whether anything follows it.
    func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys {
        let number = try number(in: response.request)
        let asked = response.request.pageSize
        if let sizeField, let told = try response.count(of: sizeField), told != asked, size != nil {
            throw Self.sizeDiffers(asked, told, sizeField.description)
        }
        let reading = try total.read(response)
        var keys = HTTPPageKeys(total: reading.items)
        keys.previous = neighbors(of: number, pageSize: asked).previous
        keys.next = try next(number, in: response, reading)
        return keys
    }

    private func next(
        _ number: Int, in response: HTTPPageResponse, _ reading: HTTPTotal.Reading
    ) throws(HTTPSourceError) -> String? {
        let (asked, count, before) = (response.request.pageSize, response.itemCount, response.request.itemsBefore)
        let computed = neighbors(of: number, pageSize: asked).next
        if total == .untilEmpty {
            guard count > 0 else { return nil }
            return unit == .items ? Self.sum(number, count).map(String.init) : computed
        }
        let hasNext: Bool
        var isShort = false
        if let items = reading.items {
            let left = max(0, items - start(of: number, pageSize: asked))
            hasNext = max(asked, count) < left
            isShort = count < min(asked, left)
        } else if let pages = reading.pages {
            hasNext = (number - first) / step(asked) < pages - 1
        } else if let told = reading.hasNext {
            hasNext = told
        } else {
            hasNext = count >= asked
        }
        if hasNext, count < asked, unit == .items { isShort = true }
        // If the server gives no more than a certain number of items, computed numbers skip some, so it must be an
        // error. The first page shows that, or the rest of a page whose part before was no larger than this answer.
        // Other servers cut a page and then leave out items, such as hidden ones; there the computed number is right.
        if isShort, number == first || (before > 0 && count >= before) {
            throw Self.sizeDiffers(asked, count, "items")
        }
        if hasNext, count == 0, number > first, before == 0 {
            // Many servers count more items than they give at any offset.
            if reading.items != nil { return nil }
            if unit == .items {
                throw HTTPSourceError(
                    .missingField, "The page is empty though it says that there is more.", field: "items")
            }
        }
        return hasNext ? computed : nil
    }

    /// Computes the keys. A number does not tell the last page.
    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        guard total != .untilEmpty, let number = number(of: key) else { return nil }
        return neighbors(of: number, pageSize: pageSize)
    }

    /// Computes the key, also if only the page itself tells whether a next one exists.
    func previousKey(of key: String, pageSize: Int) -> String? {
        number(of: key).flatMap { neighbors(of: $0, pageSize: pageSize).previous }
    }

    /// Offsets lead to any item.
    func givesParts(of key: String) -> Bool { unit == .items && size != nil && number(of: key) != nil }

    /// Computes the offset.
    func key(behind items: Int, of key: String) -> String? {
        guard givesParts(of: key), let number = number(of: key) else { return nil }
        return Self.sum(number, items).map(String.init)
    }

    /// Elsewhere the server may leave out items, such as hidden ones, which have their offsets, too.
    var givesAllItems: Bool { total == .untilEmpty }

    /// Whether the total is reached.
    func tellsNothingIsLeft(in response: HTTPPageResponse) throws(HTTPSourceError) -> Bool {
        let number = try number(in: response.request)
        let (reading, asked) = (try total.read(response), response.request.pageSize)
        if let pages = reading.pages { return (number - first) / step(asked) >= pages }
        return reading.items.map { $0 <= start(of: number, pageSize: asked) } ?? false
    }

    private func number(in request: HTTPPageRequest) throws(HTTPSourceError) -> Int {
        guard let number = number(of: request.key) else {
            throw HTTPSourceError(.badKey, "The key is not a whole number from \(first).", field: position.name)
        }
        return number
    }

    private func number(of key: String) -> Int? {
        guard let number = Int(key), number >= first, String(number).hasSameBytes(as: key) else { return nil }
        return number
    }

    private func neighbors(of number: Int, pageSize: Int) -> NeighborKeys {
        let step = step(pageSize)
        let previous = number > first ? max(first, number - step) : nil
        return NeighborKeys(previous: previous.map(String.init), next: Self.sum(number, step).map(String.init))
    }

    /// The difference between the numbers of two consecutive pages.
    private func step(_ pageSize: Int) -> Int { unit == .pages ? 1 : max(1, pageSize) }

    /// The number of items before a page, if all pages before it are full.
    private func start(of number: Int, pageSize: Int) -> Int {
        let index = number - first
        guard unit == .pages else { return index }
        let (product, overflow) = index.multipliedReportingOverflow(by: pageSize)
        return overflow ? .max : product
    }

    private static func sum(_ left: Int, _ right: Int) -> Int? {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? nil : sum
    }

    private static func sizeDiffers(_ asked: Int, _ came: Int, _ field: String) -> HTTPSourceError {
        HTTPSourceError(
            .pageSizeDiffers,
            "\(asked) items were asked for, and the server pages by \(came), so that some would be skipped; "
                + "ask for fewer.",
            field: field)
    }
}

extension HTTPPagingStyle where Self == HTTPStyle {
    /// Requests a page by its number: `?page=2&per_page=30`.
    ///
    /// - Parameters:
    ///   - page: the request's parameter for the number.
    ///   - size: the request's parameter for the page size; `nil` if the API has a fixed page size, which fetches must
    ///     then use.
    ///   - first: the number of the first page; 1 by default. Many APIs start at 0.
    ///   - total: how the API tells the last page; ``HTTPTotal/unknown`` by default.
    ///   - maxSize: the API's largest page size; a fetch with a larger one ends with
    ///     ``HTTPSourceError/Code/pageSizeTooLarge``. `nil`, the default, is no limit.
    ///   - sizeField: the response's field for the page size, to detect another one than requested; `nil`, the default,
    ///     for none.
    public static func pageNumber(
        page: HTTPParameter = "page", size: HTTPParameter? = "per_page", first: Int = 1, total: HTTPTotal = .unknown,
        maxSize: Int? = nil, sizeField: HTTPField? = nil
    ) -> HTTPStyle {
        HTTPStyle(
            base: NumberedStyle(
                unit: .pages, position: page, size: size, first: first, total: total, maxSize: maxSize,
                sizeField: sizeField))
    }

    /// Requests a page by the offset of its first item: `?offset=60&limit=30`.
    ///
    /// - Parameters:
    ///   - offset: the request's parameter for the offset.
    ///   - limit: the request's parameter for the page size; `nil` if the API has a fixed page size, which fetches must
    ///     then use.
    ///   - first: the offset of the first item; 0 by default. Some APIs start at 1.
    ///   - total: how the API tells the last page; ``HTTPTotal/unknown`` by default.
    ///   - maxSize: the API's largest page size; a fetch with a larger one ends with
    ///     ``HTTPSourceError/Code/pageSizeTooLarge``. `nil`, the default, is no limit.
    ///   - sizeField: the response's field for the page size, to detect another one than requested; `nil`, the default,
    ///     for none.
    public static func offset(
        _ offset: HTTPParameter = "offset", limit: HTTPParameter? = "limit", first: Int = 0,
        total: HTTPTotal = .unknown, maxSize: Int? = nil, sizeField: HTTPField? = nil
    ) -> HTTPStyle {
        HTTPStyle(
            base: NumberedStyle(
                unit: .items, position: offset, size: limit, first: first, total: total, maxSize: maxSize,
                sizeField: sizeField))
    }
}
