import PaginatorCore
package import PaginatorStorage
package import PaginatorTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Contract {
    /// What every `PageFile` must do, as cases to run on a file of your own; run `Contract.store` on a `PageFileStore` over
    /// it too.
    ///
    /// - Parameters:
    ///   - reopen: returns another object over the same records, after a durable commit; `nil`, the default, for files
    ///     that forget.
    ///   - make: returns a new, empty file.
    package static func pageFile(
        reopen: (@Sendable (any PageFile) throws -> any PageFile)? = nil,
        make: @escaping @Sendable () throws -> any PageFile
    ) -> Contract {
        let contract = PageFileContract(make: make, reopen: reopen)
        return Contract(cases: PageFileContract.cases) { try contract.run($0, fail: $2) }
    }
}

/// The cases of ``PaginatorTesting/Contract`` for files.
public struct PageFileContract: Sendable {
    /// The names of all cases.
    public static let cases = [
        "read and save", "rewrite", "remove", "invalidate", "facts", "nothing to do", "reopen",
    ]

    let make: @Sendable () throws -> any PageFile
    let reopen: (@Sendable (any PageFile) throws -> any PageFile)?

    func run(_ name: String, fail: @escaping @Sendable (String) -> Void) throws {
        let file = try make()
        _ = try file.recover()
        switch name {
        case "read and save": try readAndSave(file, fail)
        case "rewrite": try rewrite(file, fail)
        case "remove": try remove(file, fail)
        case "invalidate": try invalidate(file, fail)
        case "facts": try facts(file, fail)
        case "nothing to do":
            try file.commit([], durably: false)
            try file.commit([.remove(.all), .use(id("x"), times: 1), .invalidate(.all)], durably: true)
            expect(try file.recover().isEmpty, "an empty file has facts", fail)
        default: try reopened(file, fail)
        }
    }

    private func expect(_ isTrue: Bool, _ message: String, _ fail: (String) -> Void) {
        if !isTrue { fail(message) }
    }

    private func id(_ key: String, scope: String = "") -> PageIdentity {
        PageIdentity(key: key, pageSize: 10, scope: scope)
    }

    private func record(_ identity: PageIdentity, _ text: String = "content", items: Int = 1) -> PageRecord {
        PageRecord(
            identity: identity, prevKey: nil, nextKey: "next", expirationTime: Date(timeIntervalSince1970: 7),
            fetchedAt: Date(timeIntervalSince1970: 1.25), itemCount: items, memoryBytes: 100,
            codec: PageCodecTag(name: "test", version: 3), content: Array(text.utf8),
            revision: text == "content" ? nil : "revision of \(text)",
            tags: text == "content" ? [] : ["tag of \(text)", identity.key], total: text == "content" ? nil : text.count
        )
    }

    private let savedAt = Date(timeIntervalSince1970: 1_767_225_600)

    private func readAndSave(_ file: any PageFile, _ fail: (String) -> Void) throws {
        let records = ["é", "e\u{301}", "'", ""].map { record(id("k", scope: $0), $0) }
        expect(try file.read(records[0].identity) == nil, "an empty file has a record", fail)
        try file.commit(records.map { .save($0, savedAt: savedAt) }, durably: false)
        for record in records {
            let found = try file.read(record.identity)
            expect(found == record && found?.isIntact == true, "the record \(record.identity) differs", fail)
        }
        let longer = record(id("k"), String(repeating: "x", count: 100_000))
        try file.commit([.save(longer, savedAt: savedAt)], durably: true)
        expect(try file.read(id("k")) == longer, "a record that was replaced differs", fail)
    }

    private func rewrite(_ file: any PageFile, _ fail: (String) -> Void) throws {
        let old = record(id("1"), "old")
        let new = record(id("1"), "new")
        try file.commit([.rewrite(new, replacing: old.checksum)], durably: false)
        expect(try file.read(id("1")) == nil, "a rewrite made a record", fail)
        try file.commit([.save(old, savedAt: savedAt), .rewrite(new, replacing: 1)], durably: false)
        expect(
            try file.read(id("1")) == old.invalidated(), "a rewrite of another record took place, or left it fresh",
            fail)
        try file.commit([.save(old, savedAt: savedAt)], durably: false)
        try file.commit([.rewrite(new, replacing: ~old.checksum)], durably: false)
        expect(try file.read(id("1")) == new, "a rewrite did not take place", fail)
        // As another process marks it between the reading of a record and the writing of its edited form.
        for mark in [
            RecordChange.invalidate(.all), .invalidate(.key("1")), .invalidate(.scope("")), .invalidateTags(["1"]),
        ] {
            for replaced in [old.checksum, ~old.checksum] {
                try file.commit([.save(old, savedAt: savedAt), mark], durably: false)
                try file.commit([.rewrite(new, replacing: replaced)], durably: false)
                expect(try file.read(id("1")) == new.invalidated(), "a rewrite took the mark of \(mark) away", fail)
            }
            try file.commit([.rewrite(new.invalidated(), replacing: new.checksum)], durably: false)
            expect(try file.read(id("1")) == new.invalidated(), "a stale record was not rewritten", fail)
        }
    }

    private func remove(_ file: any PageFile, _ fail: (String) -> Void) throws {
        let ids = [id("a"), id("b"), id("a", scope: "s"), id("b", scope: "s")]
        for selection in [PageSelection.identity(ids[0]), .key("a"), .scope("s"), .scope(""), .all] {
            try file.commit(ids.map { .save(record($0), savedAt: savedAt) } + [.remove(selection)], durably: false)
            for id in ids {
                let isThere = try file.read(id) != nil
                expect(isThere != selection.contains(id), "\(id) after the removal of \(selection): \(isThere)", fail)
            }
        }
    }

    private func invalidate(_ file: any PageFile, _ fail: (String) -> Void) throws {
        let ids = [id("a"), id("b", scope: "s")]
        try file.commit(ids.map { .save(record($0), savedAt: savedAt) }, durably: false)
        for _ in 0..<2 {
            try file.commit(
                [.invalidate(.scope("s")), .invalidate(.identity(ids[1])), .invalidate(.key("b"))], durably: false)
            expect(try file.read(ids[1]) == record(ids[1]).invalidated(), "a record was not marked right", fail)
            expect(try file.read(ids[0]) == record(ids[0]), "another record was marked", fail)
        }
        let tagged = [record(ids[0], "é"), record(ids[1], "e\u{301}")]
        try file.commit(
            tagged.map { .save($0, savedAt: savedAt) } + [.invalidateTags(["b", "of é", "tag of e\u{301}"])],
            durably: false)
        expect(try file.read(ids[1]) == tagged[1].invalidated(), "a record was not marked by its tag", fail)
        expect(try file.read(ids[0]) == tagged[0], "another record was marked by a tag", fail)
        expect(try file.read(ids[1])?.isIntact == true, "a marked record has a wrong checksum", fail)
    }

    private func facts(_ file: any PageFile, _ fail: (String) -> Void) throws {
        var records = (0..<5).map { record(id("\($0)"), String(repeating: "x", count: $0 * 100), items: $0) }
        try file.commit(records.map { .save($0, savedAt: savedAt) }, durably: false)
        try file.commit([.save(records[0], savedAt: savedAt)], durably: false)
        try file.commit([.use(id("3"), times: 2), .use(id("1"), times: 5), .use(id("none"), times: 1)], durably: false)
        // An edit changes what a record weighs, and none of the orders.
        for index in [1, 2] {
            let edited = record(id("\(index)"), "edited \(index)", items: index)
            try file.commit([.rewrite(edited, replacing: records[index].checksum)], durably: false)
            records[index] = edited
        }
        let facts = try file.recover().sorted { $0.saveOrder < $1.saveOrder }
        expect(facts.map(\.identity.key) == ["1", "2", "3", "4", "0"], "the order of saving differs", fail)
        for fact in facts {
            guard let index = Int(fact.identity.key) else { continue }
            expect(fact.bytes == records[index].diskBytes, "the bytes of \(index) differ", fail)
            expect(fact.items == index, "the items of \(index) differ", fail)
            expect(fact.savedAt == savedAt, "the time of saving \(index) differs", fail)
            expect(fact.uses == [0: 0, 1: 5, 3: 2][index, default: 0], "the uses of \(index) differ", fail)
        }
        let used = facts.filter { $0.useOrder > 0 }.sorted { $0.useOrder < $1.useOrder }
        expect(used.map(\.identity.key) == ["3", "1"], "the order of use differs", fail)
        let lastSave = facts.last?.saveOrder ?? 0
        expect(used.allSatisfy { $0.useOrder > lastSave }, "orders of use and of saving do not compare", fail)
    }

    private func reopened(_ file: any PageFile, _ fail: (String) -> Void) throws {
        guard let reopen else { return }
        try file.commit([.save(record(id("1")), savedAt: savedAt), .use(id("1"), times: 2)], durably: true)
        let again = try reopen(file)
        let facts = try again.recover()
        expect(facts.map(\.uses) == [2], "the facts were lost by reopening", fail)
        expect(try again.read(id("1")) == record(id("1")), "a record was lost by reopening", fail)
    }
}
