import PaginatorCore
import PaginatorTesting
import Testing

/// A store that keeps the contract but for one flaw, which is named after the case that must find it.
private final class BrokenStore: PaginatorStore {
    private let real = ScriptedStore<SampleItem>(answersInside: true)
    private let flaw: String
    /// The call that waits for the next one.
    private let late = Guarded<(@Sendable () -> Void)?>(nil)

    init(_ flaw: String) { self.flaw = flaw }

    func attach(to environment: StoreEnvironment) {
        if flaw != "limits", flaw != "lifetime" { real.attach(to: environment) }
    }

    func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<SampleItem>?, PaginatorError>) -> Void
    ) {
        switch flaw {
        case "save and load" where identity.key == "1": completion(.success(nil))
        case "absent" where identity.key == "none":
            let page = PaginatorPage(content: [SampleItem(id: 1, text: "")], key: "none")
            completion(.success(StoredPage(page: page, fetchedAt: .distantPast)))
        case "whole seconds", "milliseconds":
            let step = flaw == "milliseconds" ? 0.001 : 1
            real.load(identity) { result in
                completion(
                    result.map { stored in
                        stored.map { stored in
                            let steps = (stored.fetchedAt.timeIntervalSince1970 / step).rounded()
                            return StoredPage(
                                page: stored.page, fetchedAt: Date(timeIntervalSince1970: steps * step),
                                isInvalidated: stored.isInvalidated)
                        }
                    })
            }
        case "every column", "total", "tags":
            real.load(identity) { [flaw] result in
                completion(
                    result.map { stored in
                        stored.map { stored in
                            let page = stored.page
                            let broken =
                                flaw == "every column"
                                ? PaginatorPage(content: page.content, key: page.key)
                                : PaginatorPage(
                                    content: page.content, key: page.key, expirationTime: page.expirationTime,
                                    prevKey: page.prevKey, nextKey: page.nextKey, byteCount: page.byteCount,
                                    revision: page.revision, total: flaw == "total" ? nil : page.total,
                                    tags: flaw == "tags" ? [] : page.tags)
                            return StoredPage(
                                page: broken, fetchedAt: stored.fetchedAt, isInvalidated: stored.isInvalidated)
                        }
                    })
            }
        case "answers once":
            real.load(identity) { result in
                completion(result)
                completion(result)
            }
        case "late reads":
            late.replace(with: { [real] in real.load(identity, completion: completion) })
        case "reads first":
            real.load(identity, completion: completion)
            late.replace(with: nil)?()
        case "saves reversed":
            late.replace(with: nil)?()
            real.load(identity, completion: completion)
        case "failing": completion(.failure(PaginatorError(.storeFailed, "no")))
        default: real.load(aliased(identity), completion: completion)
        }
    }

    func apply(
        _ changes: [StoreChange<SampleItem>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        var kept = changes.filter { change in
            switch (flaw, change) {
            case ("replace", .save(let identity, _)): real.pages[identity] == nil
            case ("remove", .remove(.scope)), ("against a model", .remove(.key)): false
            case ("invalidate", .invalidate), ("invalidate by tag", .invalidateTags), ("edit", .edit): false
            case ("threads", .save(let identity, _)): !identity.key.hasPrefix("3-")
            case ("light pages only", .save(_, let stored)): stored.page.byteCount < 10_000
            default: true
            }
        }
        if flaw == "order" { kept.reverse() }
        if flaw == "keys by bytes" {
            kept = kept.map { change in
                if case .save(let identity, let page) = change { .save(aliased(identity), page) } else { change }
            }
        }
        if flaw == "bytes" {
            kept = kept.map { change -> StoreChange<SampleItem> in
                guard case .save(let identity, let stored) = change else { return change }
                let page = PaginatorPage(content: stored.page.content, key: stored.page.key, byteCount: 0)
                return .save(identity, StoredPage(page: page, fetchedAt: stored.fetchedAt))
            }
        }
        let apply: @Sendable () -> Void = { [real, kept] in real.apply(kept, accepted: accepted) }
        switch flaw {
        case "reads first" where changes.count == 1:
            late.replace(with: apply)?()
        case "saves reversed" where changes.count == 1:
            guard let earlier = late.replace(with: nil) else {
                late.replace(with: apply)
                return
            }
            apply()
            earlier()
        default:
            apply()
            late.replace(with: nil)?()
        }
    }

    func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        if flaw != "hanging" { real.flush(completion: completion) }
    }

    /// Compares keys as Swift compares strings.
    private func aliased(_ identity: PageIdentity) -> PageIdentity {
        guard flaw == "keys by bytes", identity.key == "\u{e9}" else { return identity }
        return PageIdentity(key: "\u{e9}", pageSize: identity.pageSize, scope: identity.scope)
    }
}

/// A store that opens its table when it is attached.
private final class LazyStore: PaginatorStore {
    private let former: LazyStore?
    private let opened = Guarded<ScriptedStore<SampleItem>?>(nil)

    init(reopening former: LazyStore? = nil) { self.former = former }

    private var table: ScriptedStore<SampleItem>? { opened.withLock { $0 } }

    func attach(to environment: StoreEnvironment) {
        let table = ScriptedStore<SampleItem>()
        for (id, stored) in former?.table?.pages ?? [:] {
            table.seed(stored.page, for: id, fetchedAt: stored.fetchedAt, isInvalidated: stored.isInvalidated)
        }
        table.attach(to: environment)
        opened.replace(with: table)
    }

    func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<SampleItem>?, PaginatorError>) -> Void
    ) {
        guard let table else { return completion(.failure(PaginatorError(.storeFailed, "not open"))) }
        table.load(identity, completion: completion)
    }

    func apply(
        _ changes: [StoreChange<SampleItem>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        guard let table else { return accepted(.failure(PaginatorError(.storeFailed, "not open"))) }
        table.apply(changes, accepted: accepted)
    }

    func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        guard let table else { return completion(.failure(PaginatorError(.storeFailed, "not open"))) }
        table.flush(completion: completion)
    }
}

@Suite struct BrokenStoreTests {
    @Test(arguments: Contract.store { ScriptedStore() }.cases + ["failing"])
    func `each case finds a store that breaks it`(_ flaw: String) {
        let failures = FailureList()
        let contract = Contract.store(reopen: { _ in BrokenStore("") }) { BrokenStore(flaw) }
        contract.check(flaw == "failing" ? "save and load" : flaw, report: failures.report)
        #expect(!failures.all.isEmpty)
    }

    @Test(arguments: Contract.store { ScriptedStore() }.cases)
    func `every case ends with a store that never answers a call, and reports the first one`(_ name: String) {
        let failures = FailureList()
        Contract.store(reopen: { $0 }, limit: .zero) { BrokenStore("hanging") }.check(name, report: failures.report)
        // Later ones were not waited for.
        let unanswered = failures.all.filter { $0.contains("was not answered") }
        #expect(unanswered.count == (name == "absent" ? 0 : 1))
        #expect(unanswered.allSatisfy { $0.contains(name == "answers once" ? "a call was" : "flushing was") })
    }

    @Test(arguments: ["reads first", "saves reversed"])
    func `the case of the order finds a store that carries calls out in another order`(_ flaw: String) {
        let failures = FailureList()
        Contract.store { BrokenStore(flaw) }.check("order", report: failures.report)
        #expect(failures.all.contains { $0.contains("a load shows a page that was saved anew before it") })
    }

    @Test func `the case of the limits finds a store that weighs every page as nothing`() {
        let failures = FailureList()
        Contract.store { BrokenStore("bytes") }.check("limits", report: failures.report)
        #expect(failures.all == ["limits: 30 pages of 10,000 bytes are left of 50,000 bytes"])
    }

    @Test func `the case of the limits finds a store that refuses pages of many bytes`() {
        let failures = FailureList()
        Contract.store { BrokenStore("light pages only") }.check("limits", report: failures.report)
        #expect(failures.all == ["limits: the page of 10,000 bytes that was saved last is gone"])
    }

    @Test func `the case of edits finds a store whose read shows an edit made after it`() {
        let failures = FailureList()
        Contract.store(limit: .zero) { BrokenStore("late reads") }.check("edit", report: failures.report)
        #expect(failures.all.contains { $0.contains("a read shows an edit made after it") })
    }

    @Test(arguments: ["total", "tags"])
    func `every column finds a store that loses the total or the tags alone`(_ flaw: String) {
        let failures = FailureList()
        Contract.store { BrokenStore(flaw) }.check("every column", report: failures.report)
        #expect(!failures.all.isEmpty && failures.all.allSatisfy { $0.contains(flaw) })
    }

    @Test func `every column allows times in milliseconds, and shows a time that differs more`() {
        Contract.store { BrokenStore("milliseconds") }.check("every column", report: toTesting)
        let failures = FailureList()
        Contract.store { BrokenStore("whole seconds") }.check("every column", report: failures.report)
        #expect(failures.all.contains { $0.contains("the time of fetching is 0.0 seconds after 1970, saved: 0.33") })
    }

    @Test(arguments: Contract.store { ScriptedStore() }.cases)
    func `no case finds anything in a store without a flaw`(_ name: String) {
        Contract.store(reopen: { $0 }) { BrokenStore("") }.check(name, report: toTesting)
        Contract.store(reopen: { $0 }) { ScriptedStore() }.check(name, report: toTesting)
        Contract.store(reopen: { $0 }) {
            ScriptedStore<SampleItem>().faulty(FaultPlan(), clock: ManualPaginatorClock())
        }.check(name, report: toTesting)
    }

    @Test(arguments: Contract.store { ScriptedStore() }.cases)
    func `a store is attached before its other calls`(_ name: String) {
        Contract.store(reopen: { LazyStore(reopening: ($0 as! LazyStore)) }) { LazyStore() }
            .check(name, report: toTesting)
    }

    @Test func `an unknown case, and what cannot be made, are failures`() {
        struct NoRoom: Error {}
        let failures = FailureList()
        Contract.store { throw NoRoom() }.check("absent", report: failures.report)
        Contract.store { ScriptedStore() }.check("no such case", report: failures.report)
        #expect(failures.all == ["absent: it failed with NoRoom()", "There is no case called no such case."])
    }

    @Test func `a failure tells where the contract was checked`() {
        let places = Guarded<[String]>([])
        let line: UInt = #line + 1
        Contract.store { BrokenStore("edit") }.checkAll { _, file, line in
            places.withLock { $0.append("\(file):\(line)") }
        }
        #expect(!places.withLock { $0 }.isEmpty)
        #expect(places.withLock { $0 }.allSatisfy { $0.hasSuffix("BrokenStoreTests.swift:\(line)") })
    }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
