import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct StoreCallsTests {
    /// A store whose item type nobody needs to know.
    private final class Store: Sendable {
        let log = Guarded<[String]>([])
        let unaccepted = Guarded<[@Sendable (Result<Void, PaginatorError>) -> Void]>([])
        let holdsFlushes = Guarded(false)
        let flushes = Guarded<[@Sendable (Result<Void, PaginatorError>) -> Void]>([])

        var operations: StoreOperations {
            StoreOperations(
                attach: { _ in },
                read: { [log] identity, completion in
                    log.withLock { $0.append("read \(identity.key)") }
                    completion(.success(nil))
                },
                change: { [log, unaccepted] change, accepted in
                    let text =
                        switch change {
                        case .save(let identity, _): "save \(identity.key)"
                        case .remove(.identity(let identity)): "remove \(identity.key)"
                        case .remove(.all): "remove all"
                        default: "other"
                        }
                    log.withLock { $0.append(text) }
                    unaccepted.withLock { $0.append(accepted) }
                },
                flush: { [log, holdsFlushes, flushes] completion in
                    log.withLock { $0.append("flush") }
                    if holdsFlushes.withLock({ $0 }) {
                        flushes.withLock { $0.append(completion) }
                    } else {
                        completion(.success(()))
                    }
                })
        }

        func acceptFirst(_ result: Result<Void, PaginatorError>) {
            unaccepted.withLock { $0.removeFirst() }(result)
        }

        func acceptAll(_ result: Result<Void, PaginatorError> = .success(())) {
            let waiting = unaccepted.withLock { unaccepted in
                defer { unaccepted = [] }
                return unaccepted
            }
            for accept in waiting { accept(result) }
        }
    }

    private final class Object: Sendable {}

    private let store = Store()
    private let executor = SimulatedExecutor()
    private let reported = Guarded<[String]>([])

    private func makeCalls() -> StoreCalls {
        StoreCalls(
            store: store.operations, clock: ManualPaginatorClock(), timeout: .seconds(5), executor: executor
        ) { [reported] error in
            reported.withLock { $0.append(error.message) }
        }
    }

    private func identity(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10) }

    private func save(_ key: String) -> StoreOperation {
        let details = LoadedPage.Details(facts: PageFacts(bytes: 0, items: 0, keyHash: 0))
        return .save(identity(key), LoadedPage(object: Object(), details: details, origin: .source, fetchedAt: .zero))
    }

    private func remove(_ key: String) -> StoreOperation { .remove(.identity(identity(key))) }

    @Test func `the order is kept`() {
        let calls = makeCalls()
        calls.change(save("a"))
        calls.change(remove("b"))
        calls.read(identity("c")) { _ in }
        calls.change(save("d"))
        calls.flush { _ in }
        calls.change(save("e"))
        #expect(store.log.withLock { $0 } == [], "never inside the call")
        executor.runAll()
        #expect(store.log.withLock { $0 } == ["save a", "remove b", "read c", "save d", "flush", "save e"])
    }

    @Test func `a flush has a deadline until it is answered`() {
        let calls = makeCalls()
        calls.flush { _ in }
        #expect(calls.flushDeadlines == [PaginatorInstant.zero.advanced(by: .seconds(5))])
        executor.runAll()
        #expect(calls.flushDeadlines == [])
    }

    @Test func `a flush fails because of a change before it, and not because of one after it`() {
        for failing in ["before", "after"] {
            let calls = makeCalls()
            store.holdsFlushes.withLock { $0 = true }
            calls.change(save("before"))
            let told = flush(calls)
            calls.change(save("after"))
            executor.runAll()
            let full = Result<Void, PaginatorError>.failure(PaginatorError(.storeFailed, "full"))
            store.acceptFirst(failing == "before" ? full : .success(()))
            store.acceptFirst(failing == "after" ? full : .success(()))
            store.flushes.withLock { $0.removeFirst() }(.success(()))
            executor.runAll()
            #expect(told.withLock { $0 } == [failing == "after"])
            store.acceptAll()
        }
    }

    @Test func `a flush does not fail because the store never gets a change after it`() {
        let calls = makeCalls()
        for number in 0..<StoreCalls.changeLimit { calls.change(remove("\(number)")) }
        let told = flush(calls)
        calls.change(remove("one too many"))
        executor.runAll()
        #expect(told.withLock { $0 } == [true])
        #expect(reported.withLock { $0.count } == 1)
    }

    @Test func `what is posted by a completion follows`() {
        let calls = makeCalls()
        let save = save("later")
        calls.read(identity("a")) { _ in calls.change(save) }
        executor.runAll()
        #expect(store.log.withLock { $0 } == ["read a", "save later"])
        #expect(executor.count == 0)
    }

    @Test func `too many unaccepted saves become removals until some are accepted`() {
        let calls = makeCalls()
        for number in 0..<StoreCalls.saveLimit { calls.change(save("\(number)")) }
        executor.runAll()
        #expect(reported.withLock { $0 } == [])
        calls.change(save("over"))
        executor.runAll()
        #expect(store.log.withLock { $0.last } == "remove over")
        #expect(reported.withLock { $0.count } == 1)
        store.acceptAll()
        calls.change(save("again"))
        executor.runAll()
        #expect(store.log.withLock { $0.last } == "save again")
    }

    @Test func `failures of changes are reported and give their place back`() {
        let calls = makeCalls()
        for number in 0..<StoreCalls.saveLimit { calls.change(save("\(number)")) }
        executor.runAll()
        store.acceptAll(.failure(PaginatorError(.storeFailed, "full")))
        #expect(reported.withLock { $0 } == Array(repeating: "full", count: StoreCalls.saveLimit))
        calls.change(save("next"))
        executor.runAll()
        #expect(store.log.withLock { $0.last } == "save next")
    }

    @Test func `a lost change has one successor, and is reported once`() {
        let calls = makeCalls()
        calls.change(save("a"))
        calls.change(remove("b"))
        executor.runAll()
        store.acceptAll(.failure(PaginatorError(.storeFailed, "full")))
        executor.runAll()
        #expect(store.log.withLock { $0 } == ["save a", "remove b", "remove a", "remove b"])
        store.acceptAll(.failure(PaginatorError(.storeFailed, "full")))
        executor.runAll()
        #expect(store.log.withLock { $0.count } == 4)
        #expect(reported.withLock { $0 } == ["full", "full"])
    }

    @Test func `a save that is lost after a newer one was sent removes nothing`() {
        let calls = makeCalls()
        calls.change(save("a"))
        executor.runAll()
        calls.change(save("a"))
        executor.runAll()
        store.acceptFirst(.failure(PaginatorError(.storeFailed, "full")))
        executor.runAll()
        store.acceptAll(.success(()))
        executor.runAll()
        #expect(store.log.withLock { $0 } == ["save a", "save a"])
        calls.change(save("a"))
        executor.runAll()
        store.acceptAll(.failure(PaginatorError(.storeFailed, "full")))
        executor.runAll()
        #expect(store.log.withLock { $0.last } == "remove a")
    }

    @Test func `a store that accepts nothing counts as empty, and is emptied when it is back`() {
        let calls = makeCalls()
        for number in 0..<StoreCalls.changeLimit { calls.change(remove("\(number)")) }
        executor.runAll()
        #expect(reported.withLock { $0 } == [])
        for number in 0..<10 { calls.change(remove("lost \(number)")) }
        let found = Guarded<[Bool]>([])
        calls.read(identity("lost 1")) { result in
            let isAbsent = if case .success(nil) = result { true } else { false }
            found.withLock { $0.append(isAbsent) }
        }
        executor.runAll()
        #expect(found.withLock { $0 } == [true])
        #expect(store.log.withLock { $0.count } == StoreCalls.changeLimit)
        #expect(reported.withLock { $0.count } == 1)
        store.acceptFirst(.success(()))
        calls.read(identity("lost 2")) { _ in }
        executor.runAll()
        #expect(store.log.withLock { $0.count } == StoreCalls.changeLimit, "it is back when it has accepted all")
        store.acceptAll()
        calls.change(save("next"))
        executor.runAll()
        #expect(store.log.withLock { $0.suffix(2) } == ["remove all", "save next"])
    }

    /// What is told to somebody who waits until the store has made all changes durable.
    private func flush(_ calls: StoreCalls, after change: (() -> Void)? = nil) -> Guarded<[Bool]> {
        let told = Guarded<[Bool]>([])
        calls.flush(after: change) { result in
            let isDone = if case .success = result { true } else { false }
            told.withLock { $0.append(isDone) }
        }
        return told
    }

    /// What is told to somebody who clears a page and waits until the store has done so.
    private func clear(_ key: String, in calls: StoreCalls) -> Guarded<[Bool]> {
        let told = flush(calls) { calls.change(remove(key)) }
        executor.runAll()
        return told
    }

    @Test func `who logs out is not told that pages are gone which the store was never told to remove`() {
        let calls = makeCalls()
        #expect(clear("first", in: calls).withLock { $0 } == [true])
        for number in 1..<StoreCalls.changeLimit { calls.change(remove("\(number)")) }
        #expect(clear("one too many", in: calls).withLock { $0 } == [false])
        #expect(clear("after it", in: calls).withLock { $0 } == [false])
        let flushed = flush(calls)
        executor.runAll()
        #expect(flushed.withLock { $0 } == [false], "what was changed before is not durable")
        store.acceptAll()
        executor.runAll()
        store.acceptAll()
        #expect(clear("when it is back", in: calls).withLock { $0 } == [true])
    }
}
