import Dispatch
import PaginatorTesting
import Testing

import class Foundation.ProcessInfo
import class Foundation.Thread

@testable import PaginatorCore

/// Counts the terminal callbacks of one fetch.
///
/// `@unchecked Sendable`: `count` is atomic; the rest never changes.
private final class EndCounter<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    let count = AtomicWord()
    private let ended: DispatchGroup
    private let mark: DeinitMark?

    init(_ ended: DispatchGroup, mark: DeinitMark? = nil) {
        self.ended = ended
        self.mark = mark
        ended.enter()
    }

    override func fetchDidEnd(_ result: Result<FetchedPage<T>, PaginatorError>) {
        if count.add(1) == 1 { ended.leave() }
    }
}

/// Leaves its group when whoever holds it is gone.
private final class DeinitMark: Sendable {
    private let gone: DispatchGroup

    init(_ gone: DispatchGroup) {
        self.gone = gone
        gone.enter()
    }

    deinit { gone.leave() }
}

@Suite struct FetchStressTests {
    /// Operations of each thread; some seconds of them when `PAGINATOR_LONG_TESTS` is 1.
    private static let operations =
        ProcessInfo.processInfo.environment["PAGINATOR_LONG_TESTS"] == "1" ? 200_000 : 4_000

    private static func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let done = DispatchGroup()
        for number in 0..<count {
            done.enter()
            Thread {
                body(number)
                done.leave()
            }.start()
        }
        done.wait()
    }

    @Test func `ten thousand callers of one key are one call and each is answered once`() throws {
        let source = ScriptedDataSource<SampleItem>(otherwise: { _ in .hang })
        let paginator = CallbackPaginator(dataSource: source)
        let group = DispatchGroup()
        let listeners = (0..<10_000).map { _ in EndCounter<SampleItem>(group) }
        Self.onThreads(16) { number in
            for index in stride(from: number, to: listeners.count, by: 16) {
                paginator.fetch(key: "0", pageSize: 10, listener: listeners[index])
            }
        }
        source.blockUntilCalls(1)
        source.answer(source.calls[0], with: .success(PaginatorPage(content: [], key: "0")))
        group.wait()
        paginator.fetch(key: "0", pageSize: 10, listener: EndCounter<SampleItem>(group))
        group.wait()
        #expect(source.calls.count == 1)
        #expect(listeners.allSatisfy { $0.count.value == 1 })
        #expect(paginator.counters[.joined] == 9_999)
    }

    @Test func `sixteen threads hammering lose no callback`() {
        let source = ScriptedDataSource<SampleItem>(serving: SamplePages(count: 400))
        var config = PaginatorConfig()
        config.inMemoryEvictionStrategy = .lru(maxPages: 20)
        let paginator = CallbackPaginator(dataSource: source, config: config)
        let group = DispatchGroup()
        let listeners = Guarded<[EndCounter<SampleItem>]>([])
        Self.onThreads(16) { number in
            var random = SeededRandom(seed: UInt64(number))
            var mine: [EndCounter<SampleItem>] = []
            var running: [PaginatorExecution] = []
            for _ in 0..<Self.operations {
                let key = "\(random.number(in: 0..<40) * 10)"
                switch random.number(in: 0..<16) {
                case 0..<7:
                    let listener = EndCounter<SampleItem>(group)
                    mine.append(listener)
                    let priority = FetchPriority.allCases[random.number(in: 0..<3)]
                    running.append(
                        paginator.fetch(key: key, pageSize: 10, listener: listener, priority: priority))
                case 7..<10: _ = paginator.peek(key: key, pageSize: 10)
                case 10: paginator.clear(key: key)
                case 11..<14: if !running.isEmpty { running.removeLast().cancel() }
                case 14: paginator.prefetch(keys: [key], pageSize: 10)
                default:
                    let listener = EndCounter<SampleItem>(group)
                    mine.append(listener)
                    paginator.refresh(PageRequest(key: key, pageSize: 10, priority: .high), listener: listener)
                }
                if running.count > 100 { running.removeFirst(50) }
            }
            let made = mine
            listeners.withLock { $0 += made }
        }
        group.wait()
        let all = listeners.withLock { $0 }
        #expect(all.count > 16 * Self.operations / 3)
        #expect(all.allSatisfy { $0.count.value == 1 })
        let usage = paginator.engine.memory.usage
        #expect(usage.pages <= 20)
    }

    @Test func `who finds a page in memory is answered after those who waited for it`() {
        let rig = FetchRig(isObserved: false)
        rig.hangSource()
        for key in (0..<100).map(String.init) {
            let answered = Guarded<[Int]>([])
            for number in 0..<200 {
                rig.paginator.fetch(key: key, pageSize: 10) { _ in answered.withLock { $0.append(number) } }
            }
            rig.work.runAll()
            let isLooking = DispatchSemaphore(value: 0)
            let hasAsked = DispatchSemaphore(value: 0)
            let paginator = rig.paginator
            Thread {
                isLooking.signal()
                while paginator.peek(key: key, pageSize: 10) == nil {}
                paginator.fetch(key: key, pageSize: 10) { _ in answered.withLock { $0.append(200) } }
                hasAsked.signal()
            }.start()
            isLooking.wait()
            rig.source.answer(rig.source.pendingCalls[0], with: .success(rig.page(key, version: 1)))
            hasAsked.wait()
            rig.run()
            #expect(answered.withLock { $0 } == Array(0...200))
        }
    }

    @Test func `releasing in the middle of work leaks nothing and answers everybody`() {
        for seed in 0..<20 {
            weak var weakPaginator: CallbackPaginator<DeinitMark>?
            weak var weakEngine: FetchEngine?
            let ended = DispatchGroup()
            let gone = DispatchGroup()
            let source = ScriptedDataSource<DeinitMark>(otherwise: { request in
                request.key.hasSuffix("1") ? .hang : .page(PaginatorPage(content: [], key: request.key))
            })
            do {
                let paginator = CallbackPaginator(dataSource: source)
                weakPaginator = paginator
                weakEngine = paginator.engine
                let page = PaginatorPage(content: [DeinitMark(gone)], key: "put")
                #expect(throws: Never.self) { try paginator.prime(page, pageSize: 10) }
                for number in 0..<(50 + seed * 5) {
                    let listener = EndCounter<DeinitMark>(ended, mark: DeinitMark(gone))
                    paginator.fetch(key: "\(number)", pageSize: 10, listener: listener)
                    let mark = DeinitMark(gone)
                    paginator.observe(key: "\(number)", pageSize: 10) { _ in withExtendedLifetime(mark) {} }
                }
                paginator.fetchAround(
                    key: "1", pageSize: 10, depthLevel: 3, listener: PaginatorFetchAroundListener<DeinitMark>())
                paginator.prefetch(keys: ["71", "72"], pageSize: 10)
                // Some are answered, some are being answered, some never would be.
                if seed % 2 == 0 { source.blockUntilCalls(3) }
            }
            ended.wait()
            for call in source.calls { source.answer(call, with: .success(PaginatorPage(content: [], key: "late"))) }
            // Only a leak reaches the limit: what still runs on a queue holds the engine for a moment.
            #expect(gone.wait(timeout: .now() + 60) == .success, "pages, listeners and observers have gone")
            #expect(weakPaginator == nil)
            #expect(weakEngine == nil)
        }
    }

    @Test func `a release leaves nothing behind on its own thread`() {
        let rig = FetchRig(hasStore: true, computesNeighbors: true)
        rig.hangSource()
        weak let paginator = rig.paginator
        weak let engine = rig.paginator.engine
        let page = Guarded<PaginatorPage<SampleItem>?>(rig.page("5", version: 5))
        weak let weakPage = page.withLock { $0 }
        rig.paginator.engine.feed(.suspend)
        rig.paginator.resume()
        if let page = page.withLock({ $0 }) { try? rig.paginator.prime(page, pageSize: 10) }
        let callers = [rig.fetch("1"), rig.fetch("1", policy: .networkOnly), rig.refresh("5")]
        let around = rig.fetchAround("50", depth: 2)
        rig.paginator.prefetch(keys: ["7"], pageSize: 10)
        rig.paginator.observe(key: "1", pageSize: 10) { _ in }
        rig.run()
        page.withLock { $0 = nil }
        rig.release()
        #expect(paginator == nil)
        rig.run()
        #expect(engine == nil)
        #expect(callers.allSatisfy { $0.endedOnce })
        #expect(around.endedOnce)
        #expect(rig.store?.pages.count == 1)
        #expect(weakPage != nil, "the store has it")
    }

    @Test func `a low priority fetch starts within the promised number of starts`() {
        let rig = FetchRig { $0.maxParallelCalls = 1 }
        rig.hangSource()
        rig.fetch("first", priority: .high)
        let low = rig.fetch("low", priority: .low)
        var number = 0
        for _ in 0..<4 {
            rig.fetch("high \(number)", priority: .high)
            number += 1
        }
        // High ones keep coming, one for each that ends. The low one ages after two seconds.
        rig.advance(.milliseconds(2_001))
        let startsBefore = rig.source.calls.count
        while rig.source.keys.last != "low", number < 100 {
            rig.fetch("high \(number)", priority: .high)
            number += 1
            if let call = rig.source.pendingCalls.first { rig.answer(call.request.key) }
            rig.advance(.milliseconds(1))
        }
        #expect(rig.source.keys.last == "low")
        #expect(rig.source.calls.count - startsBefore <= StartFairness.period)
        rig.answer("low")
        #expect(low.origin == .source)
    }

    @Test func `low priority work takes an eighth of the starts at most`() {
        let rig = FetchRig { $0.maxParallelCalls = 1 }
        rig.hangSource()
        for number in 0..<40 { rig.fetch("low \(number)", priority: .low) }
        rig.advance(.seconds(10))
        for number in 0..<80 { rig.fetch("high \(number)", priority: .high, timeout: .hours(1)) }
        for _ in 0..<64 { if let call = rig.source.pendingCalls.first { rig.answer(call.request.key) } }
        let started = rig.source.keys.dropFirst(2).prefix(56)
        #expect(started.count { $0.hasPrefix("low") } == 7)
    }
}
