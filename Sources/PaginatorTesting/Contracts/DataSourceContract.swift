import Dispatch
public import PaginatorCore

extension Contract {
    /// The contract of ``/PaginatorCore/PaginatorDataSource``, to run on your own source.
    ///
    /// The cases fetch pages from the first key on, so the source's data must not change meanwhile: use a local
    /// database or a stubbed server. `Identifiable` items are compared by their `id`, and no `id` may come twice.
    ///
    /// ```swift
    /// Contract.dataSource(itemCount: 100) { MyPosts(server: stub) }.checkAll { XCTFail($0, file: $1, line: $2) }
    /// ```
    ///
    /// - Parameters:
    ///   - pageSize: the number of items to request per page, at most `maxPageSize`; 10 by default.
    ///   - itemCount: the number of items from the first key on; `nil`, the default, if unknown.
    ///   - maxPages: the greatest number of pages to fetch; 50 by default. If the source has more, its number of items
    ///     is not checked to the end.
    ///   - maxPageSize: the greatest number of items to request, as in the app's
    ///     ``/PaginatorCore/PaginatorConfig/maxPageSize``; 1,000 by default.
    ///   - limit: the longest real time of one call; 10 seconds by default.
    ///   - make: returns a source.
    public static func dataSource<T: Sendable>(
        pageSize: Int = 10, itemCount: Int? = nil, maxPages: Int = 50, maxPageSize: Int = 1_000,
        limit: Duration = .seconds(10), make: @escaping @Sendable () throws -> any PaginatorDataSource<T>
    ) -> Contract {
        // The way back may be twice as long.
        let (maxPages, maxPageSize) = (max(0, min(maxPages, .max / 2)), max(1, maxPageSize))
        let contract = DataSourceContract(
            pageSize: min(pageSize, maxPageSize), itemCount: itemCount, maxPages: maxPages, maxPageSize: maxPageSize,
            limit: limit, make: make)
        return Contract(cases: DataSourceContract<T>.cases) { try contract.run($0, seed: $1, fail: $2) }
    }
}

struct DataSourceContract<T: Sendable>: Sendable {
    static var cases: [String] {
        [
            "first key", "answers once", "same key", "forward", "backward", "same again", "neighbor keys", "parallel",
            "cancel", "unknown keys", "page sizes",
        ]
    }

    let pageSize: Int
    let itemCount: Int?
    let maxPages: Int
    let maxPageSize: Int
    let limit: Duration
    let make: @Sendable () throws -> any PaginatorDataSource<T>

    func run(_ name: String, seed: UInt64, fail: @escaping @Sendable (String) -> Void) throws {
        let walk = SourceWalk(source: try make(), pageSize: pageSize, limit: limit, fail: fail)
        switch name {
        case "first key": firstKey(walk, try make())
        case "answers once": answersOnce(walk)
        case "same key": sameKey(walk)
        case "forward": forward(walk)
        case "backward": backward(walk)
        case "same again": sameAgain(walk)
        case "neighbor keys": neighborKeys(walk)
        case "parallel": parallel(walk)
        case "cancel": cancel(walk)
        case "unknown keys": unknownKeys(walk)
        default: pageSizes(walk)
        }
    }

    private func firstKey(_ walk: SourceWalk<T>, _ other: any PaginatorDataSource<T>) {
        let key = walk.source.firstKey
        walk.check(key: key, "the first key")
        walk.expect(key.hasSameBytes(as: walk.source.firstKey), "the first key changes")
        walk.expect(key.hasSameBytes(as: other.firstKey), "two sources over the same data have different first keys")
    }

    private func answersOnce(_ walk: SourceWalk<T>) {
        let answers = walk.pages(maxPages).map { walk.call($0.key) }
        for answer in answers { _ = walk.wait(for: answer, to: "a call") }
        // A second answer has arrived by the time further calls are answered.
        _ = walk.fetch(walk.source.firstKey)
        let surplus = answers.count { $0.count > 1 }
        walk.expect(surplus == 0, "\(surplus) of \(answers.count) calls were answered more than once")
    }

    private func sameKey(_ walk: SourceWalk<T>) {
        var asked = walk.source.firstKey
        for _ in 0..<maxPages {
            guard let page = walk.fetch(asked) else { return }
            walk.expect(page.key.hasSameBytes(as: asked), "the page of \(asked) says that it is that of \(page.key)")
            guard let next = page.nextKey else { return }
            asked = next
        }
    }

    private func forward(_ walk: SourceWalk<T>) {
        let pages = walk.pages(maxPages)
        var seen: Set<PageIdentity> = []
        for page in pages {
            let isNew = seen.insert(PageIdentity(key: page.key, pageSize: 0)).inserted
            walk.expect(isNew, "the key \(page.key) comes twice on the way forward")
            if let next = page.nextKey { walk.check(key: next, "the next key of \(page.key)") }
        }
        let count = pages.reduce(0) { $0 + $1.content.count }
        walk.expect(walk.itemCount(of: pages) == count, "items come twice on the way forward")
        guard let itemCount else { return }
        // A source with more pages than are fetched is not seen to its end.
        let isCut = pages.count >= maxPages && pages.last?.nextKey != nil
        walk.expect(isCut || pages.last?.nextKey == nil, "there are more pages after \(pages.count)")
        let isRight = isCut ? count <= itemCount : count == itemCount
        walk.expect(isRight, "the pages have \(count) items of \(itemCount)")
    }

    private func backward(_ walk: SourceWalk<T>) {
        let pages = walk.pages(maxPages)
        guard var page = pages.last else { return }
        var back = [page]
        var seen: Set<PageIdentity> = [PageIdentity(key: page.key, pageSize: 0)]
        while let previous = page.prevKey, seen.count <= maxPages * 2 {
            walk.check(key: previous, "the previous key of \(page.key)")
            guard seen.insert(PageIdentity(key: previous, pageSize: 0)).inserted else {
                return walk.fail("the key \(previous) comes twice on the way back")
            }
            guard let found = walk.fetch(previous) else { return }
            page = found
            back.append(page)
        }
        walk.expect(seen.count <= maxPages * 2, "the way back has no end")
        let (count, total) = (walk.itemCount(of: back), walk.itemCount(of: pages))
        // A source need not know the way back.
        walk.expect(back.count == 1 || count >= total, "the way back has \(count) items of \(total)")
    }

    private func sameAgain(_ walk: SourceWalk<T>) {
        for page in walk.pages(maxPages) {
            guard let again = walk.fetch(page.key) else { return }
            walk.expect(
                again.content.count == page.content.count, "the page of \(page.key) has another number of items")
            walk.expect(walk.ids(of: [again]) == walk.ids(of: [page]), "the page of \(page.key) has other items")
            walk.expect(
                again.nextKey == page.nextKey && again.prevKey == page.prevKey,
                "the page of \(page.key) has other neighbors")
        }
    }

    private func neighborKeys(_ walk: SourceWalk<T>) {
        for page in walk.pages(maxPages) {
            guard let keys = walk.source.neighborKeys(of: page.key, pageSize: pageSize) else { continue }
            // A source that does not know its end may compute a key where the page says that there is none.
            if let computed = keys.next, let told = page.nextKey {
                walk.expect(computed.hasSameBytes(as: told), "after \(page.key) comes \(told), computed: \(computed)")
            }
            if let computed = keys.previous, let told = page.prevKey {
                walk.expect(computed.hasSameBytes(as: told), "before \(page.key) comes \(told), computed: \(computed)")
            }
        }
    }

    private func parallel(_ walk: SourceWalk<T>) {
        let pages = walk.pages(min(maxPages, 16))
        DispatchQueue.concurrentPerform(iterations: pages.count * 4) { index in
            let page = pages[index % pages.count]
            guard let found = walk.fetch(page.key) else { return }
            let isSame = found.key.hasSameBytes(as: page.key) && found.content.count == page.content.count
            walk.expect(
                isSame && walk.ids(of: [found]) == walk.ids(of: [page]),
                "the page of \(page.key) differs when many are fetched at once")
        }
    }

    private func cancel(_ walk: SourceWalk<T>) {
        let key = walk.source.firstKey
        for _ in 0..<20 {
            let answer = ContractAnswer<Result<PaginatorPage<T>, SourceError>>()
            let cancellation = walk.source.fetch(walk.request(key), completion: answer.take)
            // As a paginator does: once, and hardly ever after the answer.
            if answer.count == 0 { cancellation.cancel() }
            _ = walk.fetch(key)
            walk.expect(answer.count <= 1, "a cancelled call was answered \(answer.count) times")
        }
    }

    private func unknownKeys(_ walk: SourceWalk<T>) {
        for key in [
            "no such key", "-1", "99999999999999999999", "é\u{301}", "%00", "{", String(repeating: "k", count: 4_096),
        ] where walk.source.keyRule?.refusal(of: key) == nil {
            _ = walk.wait(for: walk.call(key), to: "the key \(key.prefix(40))")
        }
    }

    private func pageSizes(_ walk: SourceWalk<T>) {
        for size in [1, 2, 7].filter({ $0 < maxPageSize }) + [maxPageSize] {
            let call = walk.call(walk.source.firstKey, pageSize: size)
            let answer = walk.wait(for: call, to: "the first page with \(size) items a page")
            guard case .success(let page) = answer else {
                walk.fail("the first page was not fetched with \(size) items a page")
                continue
            }
            walk.expect(page.key.hasSameBytes(as: walk.source.firstKey), "the first page has another key")
        }
    }
}
