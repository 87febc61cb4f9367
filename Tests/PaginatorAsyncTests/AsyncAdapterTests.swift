import Dispatch
import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct AsyncDataSourceTests {
    @Test func `a closure's page is the page`() async throws {
        let pages = SamplePages(count: 100)
        let source = AsyncDataSource(firstKey: "0") { request in try pages.answer(to: request).get() }
        let paginator = CallbackPaginator(dataSource: source)
        var items = 0
        for try await _ in paginator.items(from: source.firstKey, pageSize: 30) { items += 1 }
        #expect(items == 100)
    }

    @Test func `neighbors with computed keys load while the page itself is still loading`() async throws {
        let started = Handshake<Set<String>>([])
        let source = AsyncDataSource<Int>(
            firstKey: "0",
            neighborKeys: { key, pageSize in
                Int(key).map { NeighborKeys(previous: "\($0 - pageSize)", next: "\($0 + pageSize)") }
            },
            load: { request in
                started.update { _ = $0.insert(request.key) }
                try await started.wait { $0.count == 3 }
                let number = Int(request.key) ?? 0
                return PaginatorPage(
                    content: [number], key: request.key, prevKey: "\(number - 10)", nextKey: "\(number + 10)")
            })
        // With any other keys the page would wait for ever.
        try #require(source.neighborKeys(of: "50", pageSize: 10) == NeighborKeys(previous: "40", next: "60"))
        let paginator = CallbackPaginator(dataSource: source)
        var keys: [Int: String] = [:]
        for try await around in paginator.fetchAround(key: "50", pageSize: 10, depthLevel: 1) {
            keys[around.distance] = around.page.key
        }
        #expect(keys == [0: "50", 1: "60", -1: "40"])
        let plain = AsyncDataSource<Int>(firstKey: "0") { PaginatorPage(content: [1], key: $0.key) }
        #expect(plain.neighborKeys(of: "50", pageSize: 10) == nil)
    }

    @Test func `cancelling the fetch cancels the closure's task`() async throws {
        let running = Handshake(0)
        let source = AsyncDataSource<SampleItem>(firstKey: "0") { _ in
            running.update { $0 = 1 }
            do {
                try await running.wait { $0 == 9 }
            } catch {
                running.update { $0 = 2 }
                throw error
            }
            return PaginatorPage(content: [], key: "0")
        }
        let paginator = CallbackPaginator(dataSource: source)
        let task = Task {
            await caught { () throws(PaginatorError) in try await paginator.fetch(key: "0", pageSize: 10) }
        }
        try await running.wait { $0 == 1 }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        try await running.wait { $0 == 2 }
        #expect(paginator.counters[.lateAnswer] == 0)
    }

    /// Tells when the closure that retains it is released.
    private final class Retained: Sendable {
        let isReleased: Handshake<Bool>

        init(_ isReleased: Handshake<Bool>) { self.isReleased = isReleased }

        deinit { isReleased.update { $0 = true } }
    }

    @Test func `whatever a closure throws once its call was stopped is no answer`() async throws {
        // As `URLSession` does, whose error is not a `CancellationError`.
        struct Closed: Error {}
        let (isRunning, isOver, answers) = (Handshake(false), Handshake(false), Handshake(0))
        let source = AsyncDataSource<SampleItem>(firstKey: "0") { _ in
            isRunning.update { $0 = true }
            // Ends with the cancel.
            do { try await isOver.wait { $0 } } catch {}
            throw Closed()
        }
        func start() -> SourceCancellation {
            let retained = Retained(isOver)
            return source.fetch(SourceRequest(identity: PageIdentity(key: "0", pageSize: 10))) { _ in
                withExtendedLifetime(retained) { answers.update { $0 += 1 } }
            }
        }
        let call = start()
        try await isRunning.wait { $0 }
        call.cancel()
        try await isOver.wait { $0 }
        #expect(answers.read { $0 } == 0)
    }

    @Test func `errors are told by the rule, a source error as it is`() async throws {
        struct Odd: Error {}
        func code(
            of error: any Error, rule: (@Sendable (any Error) -> SourceError)? = nil
        ) async -> (PaginatorError.Code?, Int) {
            let calls = Handshake(0)
            let source = AsyncDataSource<SampleItem>(
                firstKey: "0", errorRule: rule
            ) { _ in
                calls.update { $0 += 1 }
                throw error
            }
            var config = PaginatorConfig()
            config.maxAttempts = 2
            config.scheduling.backoffBase = .nanoseconds(1)
            let paginator = CallbackPaginator(dataSource: source, config: config)
            let error = await caught { () throws(PaginatorError) in try await paginator.fetch(key: "0", pageSize: 10) }
            return (error?.code, calls.read { $0 })
        }
        #expect(await code(of: SourceError.fatal(Odd())) == (.sourceFailed, 1))
        #expect(await code(of: SourceError.keyExpired(Odd())) == (.expiredKey, 1))
        #expect(await code(of: Odd()) == (.sourceFailed, 2))
        #expect(await code(of: CancellationError()) == (.sourceFailed, 2))
        #expect(await code(of: PaginatorError(.expiredKey, "")) == (.expiredKey, 1))
        #expect(await code(of: PaginatorError(.invalidKey, "")) == (.sourceFailed, 1))
        #expect(await code(of: PaginatorError(.offline, "")) == (.sourceFailed, 2))
        #expect(await code(of: Odd(), rule: { .fatal($0) }) == (.sourceFailed, 1))
    }

    @Test func `a call takes no thread that may block, and none of its caller's`() async {
        /// Counts what it runs.
        final class CountingThreads: WorkExecutor {
            let count = Guarded(0)

            func run(_ work: @escaping @Sendable () -> Void) {
                count.withLock { $0 += 1 }
                QueueExecutor.work.run(work)
            }
        }
        let (threads, queue, key) = (CountingThreads(), DispatchQueue(label: "caller"), DispatchSpecificKey<Bool>())
        queue.setSpecific(key: key, value: true)
        let isInside = Guarded<Bool?>(nil)
        let source = AsyncDataSource<SampleItem>(firstKey: "0") { request in
            isInside.withLock { $0 = DispatchQueue.getSpecific(key: key) != nil }
            return PaginatorPage(content: [], key: request.key)
        }
        var config = PaginatorConfig()
        config.executor = threads
        let paginator = CallbackPaginator(dataSource: source, config: config)
        await withCheckedContinuation { continuation in
            queue.async { paginator.fetch(key: "0", pageSize: 10) { _ in continuation.resume() } }
        }
        #expect(isInside.withLock { $0 } == false)
        #expect(threads.count.withLock { $0 } == 0)
    }
}

@Suite struct AsyncPageValidatorTests {
    @Test func `judges fetched pages in a task, and a thrown error refuses`() async throws {
        struct BadSignature: Error {}
        let world = SamplePages(count: 100)
        let source = AsyncDataSource(firstKey: "0") { request in try world.answer(to: request).get() }
        let validator = AsyncPageValidator<SampleItem> { page, context in
            await Task.yield()
            if page.key == "10" { throw BadSignature() }
            if page.key == "20" { return .fail(reason: "no") }
            return context.origin == .source ? .accept : .dropAndReload
        }
        let paginator = CallbackPaginator(dataSource: source, validator: validator)
        #expect(try await paginator.fetch(key: "0", pageSize: 10).content.count == 10)
        #expect(try await paginator.fetch(key: "0", pageSize: 10).origin == .memory)
        for key in ["10", "20"] {
            let error = await caught { () throws(PaginatorError) in try await paginator.fetch(key: key, pageSize: 10) }
            #expect(error?.code == .rejectedByValidation)
        }
    }
}

@Suite struct AsyncStoreTests {
    /// A dictionary that answers when it is let.
    actor Shelf: AsyncPageStore {
        struct Broken: Error {}

        private var pages: [PageIdentity: StoredPage<SampleItem>] = [:]
        private(set) var log: [String] = []
        private let gate: Handshake<Bool>
        private let entered: Handshake<Int>
        private var isBroken = false

        init(gate: Handshake<Bool> = Handshake(true), entered: Handshake<Int> = Handshake(0)) {
            self.gate = gate
            self.entered = entered
        }

        func breakDown() { isBroken = true }

        func load(_ identity: PageIdentity) async throws -> StoredPage<SampleItem>? {
            if isBroken { throw Broken() }
            log.append("load \(identity.key)")
            return pages[identity]
        }

        func apply(_ changes: [StoreChange<SampleItem>]) async throws {
            if isBroken { throw Broken() }
            entered.update { $0 += 1 }
            try await gate.wait { $0 }
            for change in changes {
                switch change {
                case .save(let identity, let page):
                    log.append("save \(identity.key)")
                    pages[identity] = page
                case .remove(let selection):
                    log.append("remove")
                    pages = pages.filter { !selection.contains($0.key) }
                case .invalidate, .invalidateTags, .edit:
                    log.append("other")
                }
            }
        }

        func flush() async throws {
            if isBroken { throw PaginatorError(.storeFailed, "broken for good") }
            log.append("flush")
        }
    }

    private func stored(_ key: String) -> StoredPage<SampleItem> {
        StoredPage(page: PaginatorPage(content: [], key: key), fetchedAt: Date(timeIntervalSince1970: 0))
    }

    @Test func `keeps the order of changes, and a read sees those before it`() async throws {
        let gate = Handshake(false)
        let entered = Handshake(0)
        let shelf = Shelf(gate: gate, entered: entered)
        let store = AsyncStore(shelf)
        let answers = Handshake<[String]>([])
        for key in ["0", "1", "2"] {
            let identity = PageIdentity(key: key, pageSize: 1)
            store.apply([.save(identity, stored(key))]) { _ in answers.update { $0.append("saved \(key)") } }
        }
        store.apply([.remove(.key("1"))]) { _ in answers.update { $0.append("removed") } }
        store.load(PageIdentity(key: "1", pageSize: 1)) { result in
            let isGone = if case .success(nil) = result { true } else { false }
            answers.update { $0.append("gone \(isGone)") }
        }
        store.flush { _ in answers.update { $0.append("flushed") } }
        try await entered.wait { $0 == 1 }
        #expect(answers.read(\.count) == 0)
        gate.update { $0 = true }
        try await answers.wait { $0.count == 6 }
        #expect(answers.read { Array($0.prefix(4)) } == ["saved 0", "saved 1", "saved 2", "removed"])
        #expect(answers.read { Set($0.suffix(2)) } == ["gone true", "flushed"])
        #expect(await shelf.log.prefix(4) == ["save 0", "save 1", "save 2", "remove"])
    }

    @Test func `a paginator reads what it stored, and clears it`() async throws {
        let shelf = Shelf()
        let pages = SamplePages(count: 100)
        let first = AsyncWorld(pages: pages, store: AsyncStore(shelf))
        _ = try await first.paginator.fetch(key: "0", pageSize: 10)
        try await first.paginator.shutdownAndWait()
        let second = AsyncWorld(pages: pages, store: AsyncStore(shelf))
        #expect(try await second.paginator.fetch(key: "0", pageSize: 10).origin == .store)
        #expect(second.source.calls.isEmpty)
        try await second.paginator.clearAllAndWait()
        let third = AsyncWorld(pages: pages, store: AsyncStore(shelf))
        #expect(try await third.paginator.fetch(key: "0", pageSize: 10).origin == .source)
    }

    @Test func `a failing store fails no fetch, and its errors are typed`() async throws {
        let shelf = Shelf()
        await shelf.breakDown()
        let world = AsyncWorld(store: AsyncStore(shelf))
        #expect(try await world.paginator.fetch(key: "0", pageSize: 10).content.count == 10)
        let flush = await caught { () async throws(PaginatorError) in try await world.paginator.flush() }
        #expect(flush?.message == "broken for good")
        let clear = await caught { () async throws(PaginatorError) in try await world.paginator.clearAllAndWait() }
        #expect(clear?.code == .storeFailed)
        #expect(clear?.underlying is Shelf.Broken)
    }

    private let identity = PageIdentity(key: "0", pageSize: 1)

    private var shout: StoreChange<SampleItem> {
        let edit = PageEdit<SampleItem>.items(
            where: { _ in true }, change: { SampleItem(id: $0.id, text: $0.text + "!") })
        return .edit(.all, edit)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a read does not show an edit made after it, which the paginator applies itself`() async throws {
        let (clock, mayRead) = (ManualPaginatorClock(), Handshake(false))
        let page = PaginatorPage(content: [SampleItem(id: 7, text: "likes")], key: "0")
        let kept = Handshake(StoredPage(page: page, fetchedAt: clock.wallTime))
        let store = AsyncStore<SampleItem>(
            load: { _ in
                try await mayRead.wait { $0 }
                return kept.read { $0 }
            },
            apply: { changes in
                for case .edit(_, let edit) in changes {
                    kept.update { $0 = StoredPage(page: edit($0.page) ?? $0.page, fetchedAt: $0.fetchedAt) }
                }
                mayRead.update { $0 = true }
            })
        store.attach(to: StoreEnvironment(clock: clock))
        let found = Handshake<[String]?>(nil)
        store.load(identity) { result in
            let texts = (try? result.get())?.page.content.map(\.text) ?? []
            found.update { $0 = texts }
        }
        store.apply([shout]) { _ in }
        // The edit waits, as its timer shows, or has been applied.
        while clock.armedDeadlines.isEmpty, !mayRead.read({ $0 }) {
            try Task.checkCancellation()
            await Task.yield()
        }
        mayRead.update { $0 = true }
        try await found.wait { $0 != nil }
        #expect(found.read { $0 } == ["likes"])
        try await kept.wait { $0.page.content.first?.text == "likes!" }
        #expect(clock.armedDeadlines.isEmpty)
    }

    @Test func `a read that hangs holds up an edit for five seconds and then fails`() async throws {
        let (clock, isOver, applied) = (ManualPaginatorClock(), Handshake(false), Handshake(0))
        let store = AsyncStore<SampleItem>(
            load: { _ in
                try await isOver.wait { $0 }
                return nil
            },
            apply: { _ in applied.update { $0 += 1 } })
        store.attach(to: StoreEnvironment(clock: clock))
        let answers = Handshake<[PaginatorError.Code?]>([])
        let note: @Sendable (Result<StoredPage<SampleItem>?, PaginatorError>) -> Void = { result in
            let code: PaginatorError.Code? = if case .failure(let error) = result { error.code } else { nil }
            answers.update { $0.append(code) }
        }
        store.load(identity, completion: note)
        store.apply([.save(identity, stored("0"))]) { _ in }
        try await applied.wait { $0 == 1 }
        clock.advance(by: .seconds(2))
        store.apply([shout]) { _ in }
        try await clock.waitForTimer()
        #expect(applied.read { $0 } == 1, "only a save waits for no read")
        clock.advance(by: .milliseconds(2_999))
        #expect(answers.read(\.count) == 0)
        clock.advance(by: .milliseconds(1))
        try await applied.wait { $0 == 2 }
        #expect(answers.read { $0 } == [.storeFailed])
        // Its late answer is dropped.
        isOver.update { $0 = true }
        store.load(identity, completion: note)
        try await answers.wait { $0.count > 1 }
        #expect(answers.read { $0 } == [.storeFailed, nil])
    }

    @Test func `closures make a store`() async throws {
        let kept = Handshake<[String]>([])
        let store = AsyncStore<SampleItem>(
            load: { _ in nil },
            apply: { changes in kept.update { $0.append("\(changes.count)") } })
        let world = AsyncWorld(store: store)
        _ = try await world.paginator.fetch(key: "0", pageSize: 10)
        try await world.paginator.flush()
        #expect(kept.read { $0 } == ["1"])
    }
}
