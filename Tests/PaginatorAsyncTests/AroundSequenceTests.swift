import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

@Suite struct AroundSequenceTests {
    @Test func `the asked page, then the nearest neighbors`() async throws {
        let world = AsyncWorld()
        var seen: [Int: String] = [:]
        var distances: [Int] = []
        for try await around in world.paginator.fetchAround(key: "50", pageSize: 10, depthLevel: 2) {
            distances.append(around.distance)
            seen[around.distance] = around.page.key
        }
        #expect(distances == [0, 1, -1, 2, -2])
        #expect(seen == [0: "50", 1: "60", -1: "40", 2: "70", -2: "30"])
        #expect(world.source.calls.dropFirst().allSatisfy { $0.request.priority == .low })
    }

    @Test func `both neighbors load while nobody pulls, and come in order of distance whichever answers first`()
        async throws
    {
        let world = AsyncWorld(pages: nil)
        world.source.script([.page(PaginatorPage(content: [], key: "5", prevKey: "4", nextKey: "6"))], forKey: "5")
        var iterator = world.paginator.fetchAround(key: "5", pageSize: 10, depthLevel: 1).makeAsyncIterator()
        #expect(world.source.calls.isEmpty)
        #expect(try await iterator.next()?.page.key == "5")
        let calls = try await world.source.waitForCalls(3)
        #expect(Set(calls.map(\.request.key)) == ["4", "5", "6"])
        for key in ["4", "6"] {
            let call = try #require(calls.first { $0.request.key == key })
            world.source.answer(call, with: .success(PaginatorPage(content: [], key: key)))
        }
        #expect(try await iterator.next()?.distance == 1)
        #expect(try await iterator.next()?.distance == -1)
        #expect(try await iterator.next() == nil)
    }

    @Test func `dropping the iterator stops the neighbors`() async throws {
        let world = AsyncWorld(pages: nil)
        world.source.script([.page(PaginatorPage(content: [], key: "5", prevKey: "4", nextKey: "6"))], forKey: "5")
        for try await _ in world.paginator.fetchAround(key: "5", pageSize: 10, depthLevel: 1) {
            _ = try await world.source.waitForCalls(3)
            break
        }
        try await world.source.waitForCancelledCalls(2)
    }

    @Test func `sides end on their own`() async throws {
        let world = AsyncWorld()
        func distances(_ key: String, _ depth: Int, _ direction: PageFetchDirection) async throws -> [Int] {
            let sequence = world.paginator.fetchAround(
                key: key, pageSize: 10, depthLevel: depth, direction: direction)
            return try await sequence.reduce(into: []) { $0.append($1.distance) }
        }
        #expect(try await distances("0", 2, .all) == [0, 1, 2])
        #expect(try await distances("90", 2, .all) == [0, -1, -2])
        #expect(try await distances("50", 0, .all) == [0])
        #expect(try await distances("50", 2, .forward) == [0, 1, 2])
        #expect(try await distances("50", 2, .backward) == [0, -1, -2])
        #expect(try await distances("10", 3, .all) == [0, 1, -1, 2, 3])
    }

    @Test func `a failed neighbor ends its side and is told, a failed middle is thrown`() async throws {
        struct Broken: Error {}
        let world = AsyncWorld { $0.maxAttempts = 1 }
        world.source.script([.fail(.fatal(Broken()))], forKey: "60")
        let failures = Handshake<[Int: PaginatorError.Code]>([:])
        var distances: [Int] = []
        let sequence = world.paginator.fetchAround(key: "50", pageSize: 10, depthLevel: 2) { error, distance in
            failures.update { $0[distance] = error.code }
        }
        for try await around in sequence { distances.append(around.distance) }
        #expect(distances == [0, -1, -2])
        #expect(failures.read { $0 } == [1: .sourceFailed])

        world.source.script([.fail(.fatal(Broken()))], forKey: "0")
        let error = await caught { () throws(PaginatorError) in
            for try await _ in world.paginator.fetchAround(key: "0", pageSize: 10, depthLevel: 2) {}
        }
        #expect(error?.code == .sourceFailed)
    }

    @Test func `a repeated key ends its side, keeps the page and is told`() async throws {
        var pages = SamplePages(count: 100)
        pages.nextKeys["60"] = "40"
        let world = AsyncWorld(pages: pages)
        let told = Handshake<[Int: PaginatorError.Code]>([:])
        let sequence = world.paginator.fetchAround(key: "50", pageSize: 10, depthLevel: 3) { error, distance in
            told.update { $0[distance] = error.code }
        }
        let distances = try await sequence.reduce(into: []) { $0.append($1.distance) }
        #expect(distances == [0, 1, -1, -2, -3])
        #expect(told.read { $0 } == [1: .repeatedKey])
    }

    @Test func `bad requests throw before anything is fetched`() async {
        let world = AsyncWorld()
        for depth in [-1, 17] {
            let error = await caught { () throws(PaginatorError) in
                for try await _ in world.paginator.fetchAround(key: "50", pageSize: 10, depthLevel: depth) {}
            }
            #expect(error?.code == .invalidDepth)
        }
        let error = await caught { () throws(PaginatorError) in
            for try await _ in world.paginator.fetchAround(key: "", pageSize: 10, depthLevel: 1) {}
        }
        #expect(error?.code == .invalidKey)
        #expect(world.source.calls.isEmpty)
    }

    @Test func `cancelling stops the loads of both neighbors and throws`() async throws {
        let world = AsyncWorld(pages: nil)
        world.source.script([.page(PaginatorPage(content: [], key: "1", prevKey: "0", nextKey: "2"))], forKey: "1")
        let paginator = world.paginator
        let task = Task {
            await caught { () throws(PaginatorError) in
                for try await _ in paginator.fetchAround(key: "1", pageSize: 10, depthLevel: 1) {}
            }
        }
        _ = try await world.source.waitForCalls(3)
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        try await world.source.waitForCancelledCalls(2)
        #expect(world.source.calls.count == 3)
    }

    @Test(arguments: UInt64(1)...4)
    func `goes as the form with a listener does, on random chains`(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<30 {
            var pages = SamplePages(count: Int.random(in: 1...60, using: &random))
            let first = Int.random(in: 0...pages.items.count / 10, using: &random)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let from = Int.random(in: 0..<6, using: &random) * 10
                // Never before the asked page: of two sides that meet the quicker one gets the page, and they load at once.
                pages.nextKeys[String(from)] = String(Int.random(in: first...max(first, 5), using: &random) * 10)
            }
            let key = String(first * 10)
            let depth = Int.random(in: 0...4, using: &random)
            let world = AsyncWorld(pages: pages) { $0.maxAttempts = 1 }
            let (expected, listed) = await withCheckedContinuation { continuation in
                let came = Handshake<[String]>([])
                _ = world.paginator.fetchAround(
                    key: key, pageSize: 10, depthLevel: depth,
                    onPage: { page, distance in came.update { $0.append("\(distance) \(page.page.key)") } },
                    completion: { result in continuation.resume(returning: (came.read { $0 }, result)) })
            }
            try await world.paginator.clearAllAndWait()
            var pulled: [String] = []
            let error = await caught { () throws(PaginatorError) in
                for try await around in world.paginator.fetchAround(key: key, pageSize: 10, depthLevel: depth) {
                    pulled.append("\(around.distance) \(around.page.key)")
                }
            }
            #expect(pulled == expected, "seed \(seed)")
            switch listed {
            case .success: #expect(error == nil, "seed \(seed)")
            case .failure(let told): #expect(error?.code == told.code, "seed \(seed)")
            }
        }
    }
}
