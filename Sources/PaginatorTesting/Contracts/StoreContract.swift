import Dispatch
public import PaginatorCore

extension Contract {
    /// The contract of ``/PaginatorCore/PaginatorStore``, to run on your own store.
    ///
    /// ```swift
    /// @Test(arguments: contract.cases)
    /// func myStoreKeepsTheContract(_ name: String) {
    ///     Self.contract.check(name) { message, file, line in Issue.record("\(message) (\(file):\(line))") }
    /// }
    ///
    /// static let contract = Contract.store { try MyStore<SampleItem>(folder: temporaryFolder()) }
    /// ```
    ///
    /// - Parameters:
    ///   - reopen: returns another store over the same pages, after a flush; `nil`, the default, for a store that does
    ///     not persist pages.
    ///   - limit: the longest real time of one call; 1 minute by default.
    ///   - make: returns a new, empty store.
    public static func store(
        reopen: (@Sendable (any PaginatorStore<SampleItem>) throws -> any PaginatorStore<SampleItem>)? = nil,
        limit: Duration = .seconds(60), make: @escaping @Sendable () throws -> any PaginatorStore<SampleItem>
    ) -> Contract {
        let contract = StoreContract(make: make, reopen: reopen, limit: limit)
        return Contract(cases: StoreContract.cases) { try contract.run($0, seed: $1, fail: $2) }
    }
}

struct StoreContract: Sendable {
    static let cases = [
        "save and load", "absent", "replace", "remove", "order", "invalidate", "invalidate by tag", "edit",
        "keys by bytes", "every column",
        "answers once", "limits", "lifetime", "threads", "against a model", "reopen",
    ]

    let make: @Sendable () throws -> any PaginatorStore<SampleItem>
    let reopen: (@Sendable (any PaginatorStore<SampleItem>) throws -> any PaginatorStore<SampleItem>)?
    let limit: Duration

    func run(_ name: String, seed: UInt64, fail: @escaping @Sendable (String) -> Void) throws {
        let run = ContractRun(store: try make(), limit: limit, fail: fail)
        // The other cases attach it themselves.
        if !["limits", "lifetime", "reopen"].contains(name) { run.store.attach(to: StoreEnvironment()) }
        switch name {
        case "save and load": saveAndLoad(run)
        case "absent": run.expect(run.load("none") == nil, "a page that was never saved was found")
        case "replace": replace(run)
        case "remove": remove(run)
        case "order": order(run)
        case "invalidate": invalidate(run)
        case "invalidate by tag": invalidateTags(run)
        case "edit": edit(run)
        case "keys by bytes": keysByBytes(run)
        case "every column": everyColumn(run)
        case "answers once": answersOnce(run)
        case "limits": try limits(run)
        case "lifetime": lifetime(run)
        case "threads": threads(run)
        case "against a model": againstModel(run, seed)
        default: try reopened(run)
        }
    }

    private func saveAndLoad(_ run: ContractRun) {
        run.apply([.save(run.id("1"), run.page("1", 3))])
        run.expect(run.load("1")?.page.content == run.page("1", 3).page.content, "a pending page was not found")
        run.flush()
        run.expect(run.load("1")?.page.content == run.page("1", 3).page.content, "a flushed page was not found")
        run.apply([.save(run.id("empty"), run.page("empty", 0))])
        run.flush()
        run.expect(run.load("empty")?.page.content.isEmpty == true, "an empty page was not found")
    }

    private func replace(_ run: ContractRun) {
        for count in [1, 5, 2] {
            run.apply([.save(run.id("1"), run.page("1", count))])
            run.expect(run.load("1")?.page.content.count == count, "the newest page was not found")
            if count == 5 { run.flush() }
        }
        run.flush()
        run.expect(run.load("1")?.page.content.count == 2, "the newest page was not found after a flush")
    }

    private func remove(_ run: ContractRun) {
        func ids() -> [PageIdentity] {
            [run.id("a"), run.id("a", 20), run.id("a", scope: "s"), run.id("b", scope: "s"), run.id("c")]
        }
        let selections: [PageSelection] = [.identity(run.id("a")), .key("a"), .scope("s"), .scope(""), .all]
        for isFlushed in [false, true] {
            for selection in selections {
                run.apply(ids().map { .save($0, run.page($0.key, 2)) })
                if isFlushed { run.flush() }
                run.apply([.remove(selection)])
                for step in ["at once", "after a flush"] {
                    for id in ids() {
                        let isThere = run.load(id) != nil
                        run.expect(
                            isThere != selection.contains(id),
                            "\(id) after the removal of \(selection), \(step): \(isThere)")
                    }
                    run.flush()
                }
            }
        }
    }

    private func order(_ run: ContractRun) {
        run.apply([
            .save(run.id("1"), run.page("1", 1)), .remove(.all), .save(run.id("2"), run.page("2", 1)),
            .save(run.id("3"), run.page("3", 1)), .remove(.key("3")), .save(run.id("3"), run.page("3", 4)),
        ])
        for _ in 0..<2 {
            run.expect(run.load("1") == nil, "a page saved before a removal came back")
            run.expect(run.load("2") != nil, "a page saved after a removal is gone")
            run.expect(run.load("3")?.page.content.count == 4, "a page saved last is not the newest")
            run.flush()
        }
        orderOfCalls(run)
    }

    /// The paginator does not wait for the answer of a call before the next one.
    private func orderOfCalls(_ run: ContractRun) {
        typealias Round = (
            id: PageIdentity, changes: [ContractAnswer<ContractRun.Done>], loads: [ContractAnswer<ContractRun.Loaded>]
        )
        let rounds = (0..<30).map { round -> Round in
            let id = run.id("\(round)", scope: "calls")
            func save(_ count: Int) -> ContractAnswer<ContractRun.Done> {
                run.beginApply([.save(id, run.page(id.key, count))])
            }
            var (changes, loads) = ([save(1), save(2)], [run.beginLoad(id)])
            changes.append(run.beginApply([.remove(.key(id.key))]))
            loads.append(run.beginLoad(id))
            changes.append(save(3))
            loads.append(run.beginLoad(id))
            return (id, changes, loads)
        }
        for (id, changes, loads) in rounds {
            for change in changes { run.waitForChanges(change) }
            let found = loads.map { run.page(of: $0, id)?.page.content.count }
            // A load may show changes that come after it, except edits.
            run.expect(found[0] != 1, "a load shows a page that was saved anew before it")
            run.expect(found[1] == nil || found[1] == 3, "a load shows a page that was removed before it")
            run.expect(found[2] == 3, "a load does not show the page that was saved before it")
            run.expect(run.load(id)?.page.content.count == 3, "calls were carried out in another order")
        }
    }

    private func invalidate(_ run: ContractRun) {
        for isFlushed in [false, true] {
            run.apply([.save(run.id("1"), run.page("1", 1)), .save(run.id("2"), run.page("2", 1))])
            if isFlushed { run.flush() }
            run.apply([.invalidate(.key("1"))])
            for _ in 0..<2 {
                run.expect(run.load("1")?.isInvalidated == true, "an invalidated page is not stale")
                run.expect(run.load("2")?.isInvalidated == false, "another page is stale")
                run.flush()
            }
            run.apply([.save(run.id("1"), run.page("1", 1))])
            run.flush()
            run.expect(run.load("1")?.isInvalidated == false, "a page saved anew is stale")
        }
    }

    private func invalidateTags(_ run: ContractRun) {
        let tags = ["a": ["x", "post-1"], "b": ["post-11"], "c": ["é", "x"], "d": ["e\u{301}", "1"], "e": []]
        func expect(_ stale: Set<String>, _ when: String) {
            for key in tags.keys.sorted() {
                let isStale = run.load(key)?.isInvalidated
                run.expect(
                    isStale == stale.contains(key), "\(when) \(key) is stale: \(isStale.map { "\($0)" } ?? "gone")")
            }
        }
        for isFlushed in [false, true] {
            run.apply(tags.map { .save(run.id($0), run.page($0, 1, tags: $1)) })
            if isFlushed { run.flush() }
            run.apply([.invalidateTags(["", "post", "ost-1", "X", "é\u{301}"])])
            expect([], "though no page has such a tag,")
            run.apply([.invalidateTags(["post-1", "e\u{301}"])])
            for step in ["at once", "after a flush"] {
                expect(["a", "d"], step)
                run.flush()
            }
            // An edit keeps the invalidation and the tags.
            let shout = PageEdit<SampleItem>.items(where: { _ in true }, change: { SampleItem(id: $0.id, text: "!") })
            run.apply([.edit(.all, shout), .invalidateTags(["x"]), .edit(.all, shout)])
            for step in ["with edits", "with edits, after a flush,"] {
                expect(["a", "c", "d"], step)
                run.expect(run.load("c")?.page.tags.hasTag(in: ["é"]) == true, "\(step) a page has lost its tags")
                run.flush()
            }
            run.apply([.save(run.id("a"), run.page("a", 1, tags: ["y"])), .invalidateTags(["x"])])
            expect(["c", "d"], "after the page was saved with another tag")
            run.flush()
            expect(["c", "d"], "after the page was saved with another tag, and a flush,")
        }
    }

    private func edit(_ run: ContractRun) {
        let shout = PageEdit<SampleItem>.items {
            $0.id == 1
        } change: {
            SampleItem(id: $0.id, text: $0.text + "!")
        }
        let drop = PageEdit<SampleItem>.items {
            $0.id == 0
        } change: { _ in
            nil
        }
        for isFlushed in [false, true] {
            run.apply([.save(run.id("1"), run.page("1", 3)), .save(run.id("2"), run.page("2", 1))])
            run.apply([.save(run.id("3"), run.page("3", 3, nextKey: "cursor"))])
            if isFlushed { run.flush() }
            run.apply([.edit(.all, shout), .edit(.key("1"), shout), .edit(.key("1"), drop), .edit(.key("3"), drop)])
            for _ in 0..<2 {
                let texts = run.load("1")?.page.content.map(\.text)
                run.expect(texts == ["1/1!!", "1/2"], "the edited page holds \(texts ?? [])")
                run.expect(run.load("1")?.isInvalidated == true, "a page that lost an item is fresh")
                run.expect(run.load("2")?.isInvalidated == false, "a page that lost no item is stale")
                run.expect(run.load("3")?.isInvalidated == false, "a page before a cursor is stale after an edit")
                run.expect(run.load("2")?.page.content.count == 1, "a page that no edit concerns has changed")
                run.flush()
            }
            run.apply([.edit(.all, shout), .save(run.id("1"), run.page("1", 3)), .remove(.key("2"))])
            run.flush()
            run.expect(run.load("1")?.page.content.first?.text == "1/0", "an edit reached a page saved after it")
            run.expect(run.load("2") == nil, "an edited page came back after its removal")
            run.apply([.save(run.id("1"), run.page("1", 3))])
            if isFlushed { run.flush() }
            // The paginator would apply it a second time.
            let answer = run.beginLoad(run.id("1"))
            run.apply([.edit(.all, shout)])
            guard case .success(let read)? = run.wait(for: answer, to: "a read beside an edit"), let read else {
                run.expect(false, "a read beside an edit found nothing")
                continue
            }
            run.expect(read.page.content.map(\.text).contains("1/1"), "a read shows an edit made after it")
        }
    }

    private func keysByBytes(_ run: ContractRun) {
        let keys = [
            "é", "e\u{301}", "'", "\"", "%", "_", "%_", "a'; DROP TABLE pages;--", "🙂", "🙂\u{fe0f}", " ", "A", "a",
            "\\",
            "0", "00", String(repeating: "k", count: 4_096), "\u{1}",
        ]
        var ids: [PageIdentity] = []
        for scope in ["", "é", "e\u{301}", "s"] { for key in keys { ids.append(run.id(key, scope: scope)) } }
        ids += [run.id("a", 0), run.id("a", -1), run.id("a", .max), run.id("a", .min)]
        for (index, id) in ids.enumerated() { run.apply([.save(id, run.page(id.key, index % 7))]) }
        for _ in 0..<2 {
            for (index, id) in ids.enumerated() {
                run.expect(run.load(id)?.page.content.count == index % 7, "\(id) is not the page saved under it")
            }
            run.flush()
        }
        run.apply([.remove(.key("é"))])
        run.expect(run.load("e\u{301}") != nil, "the removal of a key took another one with it")
        run.apply([.remove(.scope("e\u{301}"))])
        run.expect(run.load(run.id("a", scope: "é")) != nil, "the removal of a scope took another one with it")
    }

    private func answersOnce(_ run: ContractRun) {
        let store = run.store
        let answers = (0..<630).map { _ in ContractAnswer<Void>() }
        for (index, answer) in answers.enumerated() {
            switch index % 21 {
            case 20: store.flush { _ in answer.take(()) }
            case let call where call % 2 == 0:
                store.apply([.save(run.id("\(index % 40)"), run.page("x", 1))]) { _ in answer.take(()) }
            default: store.load(run.id("\(index % 50)")) { _ in answer.take(()) }
            }
        }
        for answer in answers { _ = run.wait(for: answer, to: "a call") }
        run.flush()
        let count = answers.reduce(0) { $0 + $1.count }
        run.expect(count == 630, "630 calls had \(count) answers")
    }

    private func limits(_ run: ContractRun) throws {
        run.store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 10)))
        for index in 0..<60 {
            run.apply([.save(run.id("\(index)"), run.page("\(index)", 2))])
            // The first page is read repeatedly, so it stays.
            if index % 3 == 0 {
                run.flush()
                run.expect(run.load("0") != nil, "a page in use was evicted")
            }
        }
        run.flush()
        let left = (0..<60).filter { run.load("\($0)") != nil }
        run.expect(left.count <= 10, "\(left.count) pages are left of 10")
        run.expect(left.contains(0) && left.contains(59), "the pages left are \(left)")
        try byteLimit(run)
    }

    private func byteLimit(_ former: ContractRun) throws {
        var (run, random) = (former, SeededRandom(seed: 1))
        run.store = try make()
        run.store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxBytes: 50_000)))
        let ids = (0..<30).map { run.id("\($0)") }
        for id in ids {
            // Random, because a store may compress pages.
            let text = String(decoding: (0..<10_000).map { _ in UInt8(random.number(in: 32..<127)) }, as: UTF8.self)
            let page = PaginatorPage(content: [SampleItem(id: 1, text: text)], key: id.key, byteCount: 10_000)
            run.apply([.save(id, StoredPage(page: page, fetchedAt: run.page("", 0).fetchedAt))])
        }
        run.flush()
        let left = ids.count { run.load($0) != nil }
        // Whether a store counts its own bytes or those that pages state, these are about five.
        run.expect(left <= 10, "\(left) pages of 10,000 bytes are left of 50,000 bytes")
        run.expect(run.load(ids[29]) != nil, "the page of 10,000 bytes that was saved last is gone")
    }

    private func lifetime(_ run: ContractRun) {
        let clock = ManualPaginatorClock()
        run.store.attach(
            to: StoreEnvironment(evictionStrategy: .lru(maxPages: 10).and(.timeToLive(.seconds(60))), clock: clock))
        func save(_ key: String) {
            let page = StoredPage(page: run.page(key, 1).page, fetchedAt: clock.wallTime)
            run.apply([.save(run.id(key), page)])
            run.flush()
        }
        save("old")
        clock.advance(by: .seconds(59))
        save("new")
        run.expect(run.load("old")?.isInvalidated == false, "a page within its lifetime is gone or stale")
        clock.advance(by: .seconds(1))
        save("newest")
        run.expect(run.load("old")?.isInvalidated != false, "a page after its lifetime is fresh")
        run.expect(run.load("new")?.isInvalidated == false, "another page is gone or stale")
    }

    private func threads(_ run: ContractRun) {
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for index in 0..<50 {
                let id = run.id("\(thread)-\(index)")
                run.apply([.save(id, run.page(id.key, index % 5))])
                run.expect(run.load(id)?.page.content.count == index % 5, "a thread does not see its own page")
                if index % 10 == 9 { run.apply([.remove(.identity(run.id("\(thread)-\(index - 1)")))]) }
            }
        }
        run.flush()
        for thread in 0..<8 {
            for index in 0..<50 {
                let isThere = run.load("\(thread)-\(index)") != nil
                run.expect(isThere == (index % 10 != 8), "the page \(thread)-\(index) is there: \(isThere)")
            }
        }
    }
}
