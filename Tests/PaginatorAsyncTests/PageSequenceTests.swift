import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

@Suite struct PageSequenceTests {
    @Test func `delivers every page in order, both ways, and ends`() async throws {
        let world = AsyncWorld(pages: SamplePages(count: 45))
        var keys: [String] = []
        for try await page in world.paginator.pages(from: "0", pageSize: 10) { keys.append(page.key) }
        #expect(keys == ["0", "10", "20", "30", "40"])
        #expect(world.source.keys == keys)
        keys = []
        for try await page in world.paginator.pages(from: "40", pageSize: 10, goesBackward: true) {
            keys.append(page.key)
        }
        #expect(keys == ["40", "30", "20", "10", "0"])
        #expect(world.source.calls.count == 5)
    }

    @Test func `as many calls as pages pulled`() async throws {
        let world = AsyncWorld()
        var iterator = world.paginator.pages(from: "0", pageSize: 10).makeAsyncIterator()
        #expect(world.source.calls.isEmpty)
        for pulled in 1...5 {
            #expect(try await iterator.next() != nil)
            // Loads are counted when they are decided, calls when they are made.
            #expect(world.paginator.counters[.loadStarted] == pulled)
            #expect(world.source.calls.count == pulled)
        }
    }

    @Test func `one page ahead, if wanted, and not more`() async throws {
        let world = AsyncWorld()
        var iterator = world.paginator.pages(from: "0", pageSize: 10, loadsAhead: true).makeAsyncIterator()
        for pulled in 1...5 {
            #expect(try await iterator.next()?.key == String((pulled - 1) * 10))
            #expect(try await world.source.waitForCalls(pulled + 1).count == pulled + 1)
        }
    }

    @Test func `dropping the iterator stops the page ahead`() async throws {
        let world = AsyncWorld(pages: nil)
        world.source.script([.page(PaginatorPage(content: [], key: "0", nextKey: "1"))], forKey: "0")
        for try await _ in world.paginator.pages(from: "0", pageSize: 10, loadsAhead: true) {
            _ = try await world.source.waitForCalls(2)
            break
        }
        try await world.source.waitForCancelledCalls(1)
        #expect(world.source.calls.map(\.isCancelled) == [false, true])
    }

    @Test func `cancelling the task stops the load, and nothing is delivered after it`() async throws {
        let world = AsyncWorld(pages: nil)
        world.source.script([.page(PaginatorPage(content: [], key: "0", nextKey: "1"))], forKey: "0")
        let paginator = world.paginator
        for loadsAhead in [false, true] {
            try await paginator.clearAllAndWait()
            let calls = world.source.calls.count
            world.source.script([.page(PaginatorPage(content: [], key: "0", nextKey: "1"))], forKey: "0")
            let task = Task { () -> ([String], PaginatorError?) in
                var keys: [String] = []
                do throws(PaginatorError) {
                    for try await page in paginator.pages(from: "0", pageSize: 10, loadsAhead: loadsAhead) {
                        keys.append(page.key)
                    }
                    return (keys, nil)
                } catch {
                    return (keys, error)
                }
            }
            _ = try await world.source.waitForCalls(calls + 2)
            task.cancel()
            let (keys, error) = await task.value
            #expect(keys == ["0"])
            #expect(error?.code == .cancelled)
            try await world.source.waitForCancelledCalls(loadsAhead ? 2 : 1)
        }
    }

    @Test func `a failure is thrown once, and then it is over`() async throws {
        struct Broken: Error {}
        let world = AsyncWorld { $0.maxAttempts = 1 }
        world.source.script([.fail(.fatal(Broken()))], forKey: "10")
        var iterator = world.paginator.pages(from: "0", pageSize: 10).makeAsyncIterator()
        #expect(try await iterator.next()?.key == "0")
        do {
            _ = try await iterator.next()
            Issue.record("no error")
        } catch {
            let typed: PaginatorError = error
            #expect(typed.code == .sourceFailed)
        }
        #expect(try await iterator.next() == nil)
        #expect(world.source.calls.count == 2)
    }

    @Test func `a page ahead that failed before anybody asked for it is asked for once more`() async throws {
        struct Broken: Error {}
        let observer = RecordingObserver()
        let world = AsyncWorld { ($0.maxAttempts, $0.observer) = (1, observer) }
        world.source.script([.fail(.fatal(Broken()))], forKey: "10")
        var iterator = world.paginator.pages(from: "0", pageSize: 10, loadsAhead: true).makeAsyncIterator()
        #expect(try await iterator.next()?.key == "0")
        try await observer.waitForEvents(2, of: .fetchEnded)
        #expect(try await iterator.next()?.key == "10")
        world.source.otherwise { _ in .fail(.fatal(Broken())) }
        world.source.script([.fail(.fatal(Broken()))], forKey: "20")
        var error: PaginatorError?
        do throws(PaginatorError) {
            while try await iterator.next() != nil {}
        } catch let thrown {
            error = thrown
        }
        #expect(error?.code == .sourceFailed)
    }

    @Test func `a page loaded ahead comes with what was edited before it was asked for`() async throws {
        let world = AsyncWorld()
        // So that it is loaded ahead at once.
        _ = try await world.paginator.fetch(key: "10", pageSize: 10)
        var iterator = world.paginator.pages(from: "0", pageSize: 10, loadsAhead: true).makeAsyncIterator()
        _ = try await iterator.next()
        world.paginator.edits(id: \SampleItem.id).update(13) { SampleItem(id: $0.id, text: "edited") }
        #expect(try await iterator.next()?.content[3].text == "edited")
        #expect(world.source.keys.count { $0 == "10" } == 1)
    }

    @Test func `a page loaded ahead is loaded again if it was invalidated before it was asked for`() async throws {
        let world = AsyncWorld()
        _ = try await world.paginator.fetch(key: "10", pageSize: 10)
        var iterator = world.paginator.pages(from: "0", pageSize: 10, loadsAhead: true).makeAsyncIterator()
        _ = try await iterator.next()
        world.paginator.invalidate(.all)
        let page = try await iterator.next()
        #expect(page?.key == "10" && page?.isStale == false)
        #expect(world.source.keys.count { $0 == "10" } == 2)
    }

    enum Change: CaseIterable {
        case clear
        case invalidation
        case invalidationOfTags

        func apply(to paginator: CallbackPaginator<SampleItem>) {
            switch self {
            case .clear: paginator.clearAll()
            case .invalidation: paginator.invalidate(.all)
            case .invalidationOfTags: paginator.invalidate(tags: ["post"])
            }
        }
    }

    private func page(_ key: String, _ text: String, next: String? = nil) -> PaginatorPage<SampleItem> {
        PaginatorPage(content: [SampleItem(id: 1, text: text)], key: key, nextKey: next, tags: ["post"])
    }

    @Test(arguments: Change.allCases, [FetchPolicy.cacheFirst, .networkOnly])
    func `a page that was on its way ahead during a change is loaded again`(
        change: Change, policy: FetchPolicy
    ) async throws {
        let observer = RecordingObserver()
        let world = AsyncWorld(pages: nil) { $0.observer = observer }
        world.source.script([.page(page("0", "first", next: "1"))], forKey: "0")
        var iterator = world.paginator.pages(from: "0", pageSize: 10, policy: policy, loadsAhead: true)
            .makeAsyncIterator()
        #expect(try await iterator.next()?.content.first?.text == "first")
        let call = try await world.source.waitForCalls(2)[1]
        change.apply(to: world.paginator)
        world.source.answer(call, with: .success(page("1", "old")))
        try await observer.waitForEvents(2, of: .fetchEnded)
        let new = page("1", "new")
        world.source.otherwise { _ in .page(new) }
        let answer = try await iterator.next()
        #expect(answer?.content.first?.text == "new" && answer?.isStale == false)
        #expect(world.source.keys == ["0", "1", "1"])
    }

    @Test(arguments: [false, true]) func `the age of a page loaded ahead is that when it is asked for`(
        isInMemory: Bool
    ) async throws {
        let (observer, clock) = (RecordingObserver(), ManualPaginatorClock())
        let world = AsyncWorld { ($0.observer, $0.clock) = (observer, clock) }
        if isInMemory { _ = try await world.paginator.fetch(key: "10", pageSize: 10) }
        var iterator = world.paginator.pages(from: "0", pageSize: 10, loadsAhead: true).makeAsyncIterator()
        _ = try await iterator.next()
        try await observer.waitForEvents(isInMemory ? 3 : 2, of: .fetchEnded)
        clock.advance(by: .seconds(5))
        let page = try await iterator.next()
        // Of two requests in one instant, the second counts as later.
        #expect(page?.key == "10" && page?.age ?? .zero > .seconds(4))
    }

    @Test func `a page is not loaded ahead while conditions hold it back, and comes fresh when it is asked for`()
        async throws
    {
        let connectivity = ScriptedConnectivity()
        let world = AsyncWorld { $0.connectivity = connectivity }
        _ = try await world.paginator.fetch(key: "10", pageSize: 10)
        world.paginator.invalidate(.all)
        connectivity.set(.lowPower)
        var iterator = world.paginator.pages(from: "0", pageSize: 10, loadsAhead: true).makeAsyncIterator()
        _ = try await iterator.next()
        guard case .success = world.paginator.state(of: PageIdentity(key: "10", pageSize: 10)) else {
            Issue.record("The page that nobody has asked for yet counts as failed.")
            return
        }
        let second = try await iterator.next()
        #expect(second?.key == "10" && second?.isStale == false)
        #expect(world.source.keys == ["10", "0", "10"])
        #expect(world.source.calls.allSatisfy { !$0.request.isPrefetch })
    }

    @Test func `pages that are stale when they come are loaded ahead once`() async throws {
        let world = AsyncWorld(pages: nil)
        world.source.otherwise { request in
            let next = (Int(request.key) ?? 0) + 1
            let page = PaginatorPage<SampleItem>(
                content: [], key: request.key, expirationTime: .distantPast, nextKey: next < 4 ? String(next) : nil)
            return .page(page)
        }
        var keys: [String] = []
        for try await page in world.paginator.pages(from: "0", pageSize: 10, loadsAhead: true) { keys.append(page.key) }
        #expect(keys == ["0", "1", "2", "3"])
        #expect(world.source.keys == keys)
    }

    @Test(arguments: ["0", "10", "20"])
    func `a cycle ends with a clear error after each page came once`(back: String) async throws {
        var pages = SamplePages(count: 100)
        pages.nextKeys["20"] = back
        let world = AsyncWorld(pages: pages)
        var keys: [String] = []
        let error = await caught { () throws(PaginatorError) in
            for try await page in world.paginator.pages(from: "0", pageSize: 10) { keys.append(page.key) }
        }
        #expect(keys == ["0", "10", "20"])
        #expect(error?.code == .repeatedKey)
        #expect(world.source.calls.count == 3)
    }

    @Test func `an empty page with a next key is not the end`() async throws {
        var pages = SamplePages(count: 30)
        pages.shortPages["10"] = 0
        let world = AsyncWorld(pages: pages)
        var sizes: [Int] = []
        for try await page in world.paginator.pages(from: "0", pageSize: 10) { sizes.append(page.content.count) }
        #expect(sizes == [10, 0, 10])
        var items = 0
        for try await _ in world.paginator.items(from: "0", pageSize: 10) { items += 1 }
        #expect(items == 20)
    }

    @Test func `items come in order and only their pages are fetched`() async throws {
        let world = AsyncWorld()
        var ids: [Int] = []
        for try await item in world.paginator.items(from: "0", pageSize: 10).prefix(11) { ids.append(item.id) }
        #expect(ids == Array(0..<11))
        #expect(world.source.keys == ["0", "10"])
    }

    @Test(arguments: [100, 10])
    func `items stop in a cancelled task, in the middle of a page, be it the last`(count: Int) async throws {
        let world = AsyncWorld(pages: SamplePages(count: count))
        let paginator = world.paginator
        let seen = Handshake(0)
        let go = Handshake(false)
        let task = Task { () -> PaginatorError? in
            await caught { () throws(PaginatorError) in
                for try await _ in paginator.items(from: "0", pageSize: 10) {
                    seen.update { $0 += 1 }
                    // Ends with the cancel as well.
                    do { try await go.wait { $0 } } catch {}
                }
            }
        }
        try await seen.wait { $0 == 1 }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        #expect(seen.read { $0 } == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func `nothing holds the paginator when the iterators are gone`() async throws {
        let source = ScriptedDataSource<SampleItem>()
        let pages = SamplePages(count: 100)
        source.otherwise { .result(pages.answer(to: $0)) }
        weak var engine: FetchEngine?
        do {
            let paginator = CallbackPaginator(dataSource: source)
            engine = paginator.engine
            var count = 0
            for try await _ in paginator.pages(from: "0", pageSize: 10, loadsAhead: true) {
                count += 1
                if count == 3 { break }
            }
            for try await _ in paginator.items(from: "0", pageSize: 10).prefix(3) {}
            for try await _ in paginator.fetchAround(key: "50", pageSize: 10, depthLevel: 2).prefix(2) {}
            for await state in paginator.states(key: "0", pageSize: 10) where state?.page != nil { break }
        }
        // What was posted may still run on other threads; it lets go of the engine soon.
        while engine != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
