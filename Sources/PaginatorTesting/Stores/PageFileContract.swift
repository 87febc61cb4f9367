public import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What every `PageFile` must do, as cases to run on a file of your own; run ``StoreContract`` on a `PageFileStore` over it
/// too.
public struct PageFileContract: Sendable {
    /// The names of all cases.
    public static let cases = [
        "read and save", "rewrite", "remove", "invalidate", "facts", "nothing to do", "reopen",
    ]

    private let make: @Sendable () throws -> any PageFile
    private let reopen: (@Sendable (any PageFile) throws -> any PageFile)?

    /// Makes a contract.
    ///
    /// - Parameters:
    ///   - reopen: returns another object over the same records, after a durable commit; `nil`, the default, for files
    ///     that forget.
    ///   - make: returns a new, empty file.
    public init(
        reopen: (@Sendable (any PageFile) throws -> any PageFile)? = nil,
        make: @escaping @Sendable () throws -> any PageFile
    ) {
        self.make = make
        self.reopen = reopen
    }

    /// Runs one case.
    ///
    /// - Parameters:
    ///   - name: one of ``cases``.
    ///   - report: takes each failure; called on the calling thread.
    public func check(_ name: String, report: StoreContract.Report) {
        do {
            let file = try make()
            _ = try file.recover()
            switch name {
            case "read and save": try readAndSave(file, report)
            case "rewrite": try rewrite(file, report)
            case "remove": try remove(file, report)
            case "invalidate": try invalidate(file, report)
            case "facts": try facts(file, report)
            case "nothing to do":
                try file.commit([], durably: false)
                try file.commit([.remove(.all), .use(id("x"), times: 1), .invalidate(.all)], durably: true)
                expect(try file.recover().isEmpty, "an empty file has facts", report)
            case "reopen": try reopened(file, report)
            default: report("There is no case called \(name).", #file, #line)
            }
        } catch {
            report("The file failed: \(error)", #file, #line)
        }
    }

    private func expect(
        _ isTrue: Bool,
        _ message: String,
        _ report: StoreContract.Report,
        file: StaticString = #file,
        line: UInt = #line
    ) {
        if !isTrue { report(message, file, line) }
    }

    private func id(_ key: String, scope: String = "") -> PageIdentity {
        PageIdentity(key: key, pageSize: 10, scope: scope)
    }

    private func record(_ identity: PageIdentity, _ text: String = "content", items: Int = 1) -> PageRecord {
        PageRecord(
            identity: identity, prevKey: nil, nextKey: "next", expirationTime: Date(timeIntervalSince1970: 7),
            fetchedAt: Date(timeIntervalSince1970: 1.25), itemCount: items, memoryBytes: 100,
            codec: PageCodecTag(name: "test", version: 3), content: Array(text.utf8),
            revision: text == "content" ? nil : "revision of \(text)")
    }

    private let savedAt = Date(timeIntervalSince1970: 1_767_225_600)

    private func readAndSave(_ file: any PageFile, _ report: StoreContract.Report) throws {
        let records = ["é", "e\u{301}", "'", ""].map { record(id("k", scope: $0), $0) }
        expect(try file.read(records[0].identity) == nil, "an empty file has a record", report)
        try file.commit(records.map { .save($0, savedAt: savedAt) }, durably: false)
        for record in records {
            let found = try file.read(record.identity)
            expect(found == record && found?.isIntact == true, "the record \(record.identity) differs", report)
        }
        let longer = record(id("k"), String(repeating: "x", count: 100_000))
        try file.commit([.save(longer, savedAt: savedAt)], durably: true)
        expect(try file.read(id("k")) == longer, "a record that was replaced differs", report)
    }

    private func rewrite(_ file: any PageFile, _ report: StoreContract.Report) throws {
        let old = record(id("1"), "old")
        let new = record(id("1"), "new")
        try file.commit([.rewrite(new, replacing: old.checksum)], durably: false)
        expect(try file.read(id("1")) == nil, "a rewrite made a record", report)
        try file.commit([.save(old, savedAt: savedAt), .rewrite(new, replacing: 1)], durably: false)
        expect(try file.read(id("1")) == old, "a rewrite of another record took place", report)
        try file.commit([.invalidate(.all), .rewrite(new, replacing: old.checksum)], durably: false)
        expect(try file.read(id("1")) == new, "a rewrite did not take place", report)
    }

    private func remove(_ file: any PageFile, _ report: StoreContract.Report) throws {
        let ids = [id("a"), id("b"), id("a", scope: "s"), id("b", scope: "s")]
        for selection in [PageSelection.identity(ids[0]), .key("a"), .scope("s"), .scope(""), .all] {
            try file.commit(ids.map { .save(record($0), savedAt: savedAt) } + [.remove(selection)], durably: false)
            for id in ids {
                let isThere = try file.read(id) != nil
                expect(isThere != selection.contains(id), "\(id) after the removal of \(selection): \(isThere)", report)
            }
        }
    }

    private func invalidate(_ file: any PageFile, _ report: StoreContract.Report) throws {
        let ids = [id("a"), id("b", scope: "s")]
        try file.commit(ids.map { .save(record($0), savedAt: savedAt) }, durably: false)
        for _ in 0..<2 {
            try file.commit(
                [.invalidate(.scope("s")), .invalidate(.identity(ids[1])), .invalidate(.key("b"))], durably: false)
            expect(try file.read(ids[1]) == record(ids[1]).invalidated(), "a record was not marked right", report)
            expect(try file.read(ids[0]) == record(ids[0]), "another record was marked", report)
        }
        expect(try file.read(ids[1])?.isIntact == true, "a marked record has a wrong checksum", report)
    }

    private func facts(_ file: any PageFile, _ report: StoreContract.Report) throws {
        let records = (0..<5).map { record(id("\($0)"), String(repeating: "x", count: $0 * 100), items: $0) }
        try file.commit(records.map { .save($0, savedAt: savedAt) }, durably: false)
        try file.commit([.save(records[0], savedAt: savedAt)], durably: false)
        try file.commit([.use(id("3"), times: 2), .use(id("1"), times: 5), .use(id("none"), times: 1)], durably: false)
        let facts = try file.recover().sorted { $0.saveOrder < $1.saveOrder }
        expect(facts.map(\.identity.key) == ["1", "2", "3", "4", "0"], "the order of saving differs", report)
        for fact in facts {
            guard let index = Int(fact.identity.key) else { continue }
            expect(fact.bytes == records[index].diskBytes, "the bytes of \(index) differ", report)
            expect(fact.items == index, "the items of \(index) differ", report)
            expect(fact.savedAt == savedAt, "the time of saving \(index) differs", report)
            expect(fact.uses == [0: 0, 1: 5, 3: 2][index, default: 0], "the uses of \(index) differ", report)
        }
        let used = facts.filter { $0.useOrder > 0 }.sorted { $0.useOrder < $1.useOrder }
        expect(used.map(\.identity.key) == ["3", "1"], "the order of use differs", report)
        let lastSave = facts.last?.saveOrder ?? 0
        expect(used.allSatisfy { $0.useOrder > lastSave }, "orders of use and of saving do not compare", report)
    }

    private func reopened(_ file: any PageFile, _ report: StoreContract.Report) throws {
        guard let reopen else { return }
        try file.commit([.save(record(id("1")), savedAt: savedAt), .use(id("1"), times: 2)], durably: true)
        let again = try reopen(file)
        let facts = try again.recover()
        expect(facts.map(\.uses) == [2], "the facts were lost by reopening", report)
        expect(try again.read(id("1")) == record(id("1")), "a record was lost by reopening", report)
    }
}
