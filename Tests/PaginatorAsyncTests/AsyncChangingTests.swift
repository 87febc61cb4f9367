import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

@Suite struct AsyncChangingTests {
    @Test func `a clear returns when memory and disk are done`() async throws {
        let store = ScriptedStore<SampleItem>()
        let world = AsyncWorld(store: store)
        for key in ["0", "10", "20"] {
            _ = try await world.paginator.fetch(key: key, pageSize: 10, scope: key == "20" ? "user" : "")
        }
        try await world.paginator.flush()
        #expect(store.pages.keys.count == 3)
        try await world.paginator.clearAndWait(key: "0")
        #expect(Set(store.pages.keys.map(\.key)) == ["10", "20"])
        #expect(world.paginator.peek(key: "0", pageSize: 10) == nil)
        try await world.paginator.clearAndWait(scope: "user")
        #expect(store.pages.keys.map(\.key) == ["10"])
        try await world.paginator.clearAllAndWait()
        #expect(store.pages.keys.isEmpty)
        #expect(store.calls.count(where: { $0 == .flush }) == 4)
    }

    @Test func `a store that did not take the change makes the clear fail, and memory is cleared all the same`()
        async throws
    {
        let store = ScriptedStore<SampleItem>()
        let world = AsyncWorld(store: store)
        _ = try await world.paginator.fetch(key: "0", pageSize: 10)
        try await world.paginator.flush()
        store.failChanges(with: PaginatorError(.storeFailed, "broken"))
        let error = await caught { () async throws(PaginatorError) in try await world.paginator.clearAndWait(key: "0") }
        #expect(error?.code == .storeFailed)
        #expect(world.paginator.peek(key: "0", pageSize: 10) == nil)
        store.failChanges(with: nil)
        try await world.paginator.clearAndWait(key: "0")
        #expect(store.pages.keys.isEmpty)
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `without a store a clear does not suspend`() async throws {
        let paginator = AsyncWorld().paginator
        let actor = CountingActor()
        _ = try await paginator.fetch(key: "0", pageSize: 10)
        let (_, jobs) = try await actor.jobs { _ in
            try await paginator.clearAndWait(key: "0")
            try await paginator.clearAllAndWait()
            try await paginator.flush()
        }
        #expect(jobs == 0)
        #expect(paginator.peek(key: "0", pageSize: 10) == nil)
    }

    @Test func `a change in a cancelled task runs to its end`() async throws {
        let store = ScriptedStore<SampleItem>()
        let world = AsyncWorld(store: store)
        let paginator = world.paginator
        _ = try await paginator.fetch(key: "0", pageSize: 10)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await paginator.clearAllAndWait()
        }
        task.cancel()
        try await task.value
        #expect(store.pages.keys.isEmpty)
    }

    @Test func `a shutdown flushes the store`() async throws {
        let store = ScriptedStore<SampleItem>()
        let world = AsyncWorld(store: store)
        _ = try await world.paginator.fetch(key: "0", pageSize: 10)
        try await world.paginator.shutdownAndWait()
        #expect(store.calls.count(where: { $0 == .flush }) == 1)
        #expect(store.pages.keys.count == 1)
    }
}
