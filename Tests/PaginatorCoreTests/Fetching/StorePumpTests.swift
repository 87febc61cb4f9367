import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct StorePumpTests {
    /// A store whose item type nobody needs to know.
    private final class Operations: PageOperations {
        let log = Guarded<[String]>([])
        let unaccepted = Guarded<[@Sendable (Result<Void, PaginatorError>) -> Void]>([])

        var firstKey: String { "0" }
        var hasStore: Bool { true }
        var judgesPages: Bool { false }

        func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? { nil }
        func neighbors(of object: any AnyObject & Sendable) -> NeighborKeys {
            NeighborKeys(previous: nil, next: nil)
        }
        func callSource(
            _ request: SourceRequest, completion: @escaping @Sendable (Result<LoadedPage, SourceError>) -> Void
        ) -> SourceCancellation { .none }
        func judge(_ object: any AnyObject & Sendable, in context: ValidationContext) -> PageVerdict { .accept }
        func judgeFetched(
            _ object: any AnyObject & Sendable, in context: ValidationContext,
            completion: @escaping @Sendable (PageVerdict) -> Void
        ) {}
        func attachStore(to environment: StoreEnvironment) {}

        func readStore(
            _ identity: PageIdentity, completion: @escaping @Sendable (Result<LoadedPage?, PaginatorError>) -> Void
        ) {
            log.withLock { $0.append("read \(identity.key)") }
            completion(.success(nil))
        }

        func changeStore(
            _ changes: [StoreOperation], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
        ) {
            let texts = changes.map { change in
                switch change {
                case .save(let identity, _): "save \(identity.key)"
                case .remove(.identity(let identity)): "remove \(identity.key)"
                default: "other"
                }
            }
            log.withLock { $0.append(texts.joined(separator: ", ")) }
            unaccepted.withLock { $0.append(accepted) }
        }

        func flushStore(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
            log.withLock { $0.append("flush") }
            completion(.success(()))
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

    private let operations = Operations()
    private let executor = StepExecutor()
    private let reported = Guarded<[String]>([])

    private func pump() -> StorePump {
        StorePump(operations: operations, executor: executor) { [reported] error in
            reported.withLock { $0.append(error.message) }
        }
    }

    private func identity(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10) }

    private func save(_ key: String) -> StorePump.Letter {
        .change(
            .save(
                identity(key),
                LoadedPage(
                    object: Object(), facts: PageFacts(bytes: 0, items: 0, keyHash: 0), origin: .source,
                    fetchedAt: .zero)))
    }

    @Test func theOrderIsKeptAndChangesInARowGoTogether() {
        let pump = pump()
        pump.post(save("a"))
        pump.post(.change(.remove(.identity(identity("b")))))
        pump.post(.read(identity("c")) { _ in })
        pump.post(save("d"))
        pump.post(.flush { _ in })
        pump.post(save("e"))
        #expect(operations.log.withLock { $0 } == [], "never inside the call")
        #expect(executor.waiting == 1)
        executor.drain()
        #expect(operations.log.withLock { $0 } == ["save a, remove b", "read c", "save d", "flush", "save e"])
    }

    @Test func whatIsPostedByACompletionFollows() {
        let pump = pump()
        let save = save("later")
        pump.post(.read(identity("a")) { _ in pump.post(save) })
        executor.drain()
        #expect(operations.log.withLock { $0 } == ["read a", "save later"])
        #expect(executor.waiting == 0)
    }

    @Test func tooManyUnacceptedSavesBecomeRemovalsUntilSomeAreAccepted() {
        let pump = pump()
        for number in 0..<StorePump.saveLimit {
            pump.post(save("\(number)"))
            executor.drain()
        }
        #expect(reported.withLock { $0 } == [])
        pump.post(save("over"))
        executor.drain()
        #expect(operations.log.withLock { $0.last } == "remove over")
        #expect(reported.withLock { $0.count } == 1)
        operations.acceptAll()
        pump.post(save("again"))
        executor.drain()
        #expect(operations.log.withLock { $0.last } == "save again")
    }

    @Test func failuresOfChangesAreReportedAndGiveTheirPlaceBack() {
        let pump = pump()
        for number in 0..<StorePump.saveLimit { pump.post(save("\(number)")) }
        executor.drain()
        operations.acceptAll(.failure(PaginatorError(.storeFailed, "full")))
        #expect(reported.withLock { $0 } == ["full"])
        pump.post(save("next"))
        executor.drain()
        #expect(operations.log.withLock { $0.last } == "save next")
    }
}
