import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension StoreContract {
    func everyColumn(_ run: ContractRun) {
        let pages = everyPage(run)
        run.apply(pages.map { .save($0.id, $0.stored) })
        for _ in 0..<2 {
            for (id, stored) in pages { expect(stored, as: id, in: run) }
            run.flush()
        }
    }

    /// A store reads, edits, removes and counts the pages of an earlier launch like its own.
    func reopened(_ run: ContractRun) throws {
        guard let reopen else { return }
        let environment = StoreEnvironment(evictionStrategy: .lru(maxPages: 40))
        run.store.attach(to: environment)
        let (pages, ids) = (everyPage(run), (0..<20).map { run.id("\($0)") })
        let shout = PageEdit<SampleItem>.items(
            where: { _ in true }, change: { SampleItem(id: $0.id, text: $0.text + "!") })
        let drop = PageEdit<SampleItem>.items(where: { $0.id == 0 }, change: { _ in nil })
        run.apply(pages.map { .save($0.id, $0.stored) })
        run.apply((0..<20).map { .save(ids[$0], run.page(ids[$0].key, $0, tags: ["\($0 % 10)"])) })
        run.apply([.remove(.key("3")), .invalidate(.key("4")), .invalidateTags(["5"])])
        run.apply([.edit(.key("7"), shout), .edit(.key("8"), drop)])
        run.flush()
        var again = run
        again.store = try reopen(run.store)
        again.store.attach(to: environment)
        again.apply([.invalidateTags(["6"])])
        for index in 0..<20 where index != 3 {
            let found = again.load(ids[index])
            let count = found?.page.content.count
            again.expect(
                count == (index == 8 ? 7 : index), "after reopening the page \(index) has \(count ?? -1) items")
            let isInvalidated = [4, 8].contains(index) || [5, 6].contains(index % 10)
            again.expect(
                found?.isInvalidated == isInvalidated, "after reopening the page \(index) is marked wrong")
        }
        again.expect(again.load(ids[3]) == nil, "after reopening a removed page is there")
        again.expect(again.load(ids[7])?.page.content.first?.text == "7/0!", "after reopening an edit is lost")
        for (id, stored) in pages { expect(stored, as: id, in: again, "after reopening ") }
        again.apply([.edit(.all, shout), .remove(.scope("s"))])
        again.flush()
        for (id, stored) in pages {
            let (text, saved) = (again.load(id)?.page.content.first?.text, stored.page.content[0].text)
            again.expect(
                text == (id.scope == "s" ? nil : saved + "!"), "after reopening an edit or a removal misses \(id)")
        }
        let new = (0..<40).map { again.id("new \($0)") }
        again.apply(new.map { .save($0, again.page($0.key, 1)) })
        again.flush()
        let left = (new + ids + pages.map { $0.id }).count { again.load($0) != nil }
        again.expect(left <= 40, "after reopening \(left) pages are left of 40")
        again.expect(again.load(new[39]) != nil, "after reopening the page that was saved last is gone")
    }

    /// Pages that differ in every column, each under three identities with the same key.
    private func everyPage(_ run: ContractRun) -> [(id: PageIdentity, stored: StoredPage<SampleItem>)] {
        let dates: [Date?] = [nil, Date(timeIntervalSince1970: 1.5), .distantFuture, .distantPast]
        var pages: [(id: PageIdentity, stored: StoredPage<SampleItem>)] = []
        for (place, (scope, size)) in [("", 10), ("s", 10), ("", 20)].enumerated() {
            for (index, date) in dates.enumerated() {
                let page = PaginatorPage(
                    content: [SampleItem(id: place * 10 + index, text: "a\u{0}b")], key: "k\(index)",
                    expirationTime: date, prevKey: index % 2 == 0 ? nil : "", nextKey: index % 2 == 0 ? "é" : nil,
                    byteCount: index * 1_000, revision: index % 2 == 0 ? "\"é\"\n\(index)" : nil,
                    total: [7, 0, nil, 1 << 30][index], tags: (0..<index).map { ["é", "e\u{301}", " \n"][$0] })
                let stored = StoredPage(
                    page: page, fetchedAt: Date(timeIntervalSince1970: Double(index) / 3), isInvalidated: index == 2)
                pages.append((run.id(page.key, size, scope: scope), stored))
            }
        }
        return pages
    }

    private func expect(
        _ saved: StoredPage<SampleItem>, as id: PageIdentity, in run: ContractRun, _ when: String = ""
    ) {
        let (page, found) = (saved.page, run.load(id))
        run.expect(found?.page.content == page.content, "\(when)the items differ")
        run.expect(found?.page.key == page.key, "\(when)the key differs")
        run.expect(found?.page.expirationTime == page.expirationTime, "\(when)the expiration time differs")
        run.expect(found?.page.prevKey == page.prevKey, "\(when)the previous key differs")
        run.expect(found?.page.nextKey == page.nextKey, "\(when)the next key differs")
        run.expect(found?.page.byteCount == page.byteCount, "\(when)the weight differs")
        run.expect(found?.page.revision == page.revision, "\(when)the revision differs")
        run.expect(found?.page.total == page.total, "\(when)the total differs")
        let (tags, foundTags) = (page.tags.map(ExactText.init), found?.page.tags.map(ExactText.init) ?? [])
        run.expect(foundTags.count == tags.count && Set(foundTags) == Set(tags), "\(when)the tags differ")
        if let found, abs(found.fetchedAt.timeIntervalSince(saved.fetchedAt)) > 0.001 {
            let (time, savedTime) = (found.fetchedAt.timeIntervalSince1970, saved.fetchedAt.timeIntervalSince1970)
            run.fail("\(when)the time of fetching is \(time) seconds after 1970, saved: \(savedTime)")
        }
        run.expect(found?.isInvalidated == saved.isInvalidated, "\(when)the mark differs")
    }
}
