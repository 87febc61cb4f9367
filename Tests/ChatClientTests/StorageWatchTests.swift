import AppFoundation
import ChatClient
import ChatWire
import ExampleBackend
import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

/// The free space is watched, and what follows from it is told.
@MainActor @Suite(.timeLimit(.minutes(3))) struct StorageWatchTests {
    @Test func `a level is entered below its limit and left a tenth above it`() {
        var machine = StorageMachine(low: 1_000, critical: 100)
        let steps: [(Int64?, StorageLevel)] = [
            (1_000, .enough), (999, .low), (1_050, .low), (nil, .low), (99, .critical), (105, .critical), (110, .low),
            (1_100, .enough), (0, .critical), (5_000, .enough),
        ]
        for (free, level) in steps {
            machine.measured(free)
            #expect(machine.level == level, "\(free ?? -1)")
            #expect(machine.interval == (level == .enough ? .seconds(60) : .seconds(10)))
        }
    }

    @Test func `it is measured now and then in the foreground and when the app comes there`() {
        let clock = ManualPaginatorClock()
        let environment = AppEnvironment()
        let (free, count) = (Guarded<Int64?>(900_000_000), Guarded(0))
        let watch = StorageWatch(environment, clock: clock) {
            count.withLock { $0 += 1 }
            return free.withLock { $0 }
        }
        #expect(watch.status.level == .enough)
        free.withLock { $0 = 150_000_000 }
        clock.advance(by: .seconds(59))
        #expect(watch.status.level == .enough)
        clock.advance(by: .seconds(1))
        #expect(watch.status.level == .low)
        #expect(watch.status.freeBytes == 150_000_000)
        clock.advance(by: .seconds(10))
        #expect(count.withLock { $0 } == 3)
        environment.update { $0.lifecycle = .background }
        watch.measure()
        clock.advance(by: .seconds(600))
        #expect(count.withLock { $0 } == 3)
    }

    @Test func `a level is told once however many bytes come and go`() async {
        let clock = ManualPaginatorClock()
        let free = Guarded<Int64?>(900_000_000)
        let watch = StorageWatch(AppEnvironment(), clock: clock) { free.withLock { $0 } }
        let (levels, continuation) = AsyncStream<StorageLevel>.makeStream()
        let observation = watch.observeLevel { continuation.yield($0) }
        for bytes in [40, 39, 38, 90, 37, 36, 900] as [Int64] {
            free.withLock { $0 = bytes * 1_000_000 }
            watch.measure()
        }
        var told: [StorageLevel] = []
        for await level in levels {
            told.append(level)
            if level == .enough { break }
        }
        #expect(told == [.critical, .low, .critical, .enough])
        withExtendedLifetime(observation) {}
    }

    @Test func `the list warns names the largest chat and gives space back when asked`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        let me = ann.id
        try await ann.chat.database.write { write in
            try write.save([User(id: "bob", name: "Bob"), User(id: "cleo", name: "Cleo")])
            for id in Int64(1)...9 { try write.receive(ChatFixtures.wire(id, from: "bob", to: me)) }
            try write.receive(ChatFixtures.wire(10, from: "cleo", to: me))
        }
        let free = Guarded<Int64?>(120_000_000)
        let watch = StorageWatch(ann.environment) { free.withLock { $0 } }
        let list = ChatListScreen(try ann.chat, storage: watch)
        await list.open()
        #expect(list.state.warning?.text == "Only 120 MB are left; the chat with Bob is the largest")
        #expect(list.state.warning?.usage.map(\.messageCount) == [9, 1])
        free.withLock { $0 = 20_000_000 }
        watch.measure()
        try await list.first { $0.warning?.text.hasSuffix(". Photos and videos cannot be sent") == true }
        let screen = ConversationScreen(try ann.chat, contact: User(id: "bob", name: "Bob"), storage: watch)
        await screen.open()
        await screen.send(NewMedia(.image, content: SampleImage.png(seed: "a", width: 8, height: 8)))
        #expect(screen.state.errorMessage == "There is no space to keep a photo or a video until it is sent")
        // A text is sent as ever.
        await screen.send("still here")
        #expect(screen.state.errorMessage == nil)
        free.withLock { $0 = 900_000_000 }
        await list.freeSpace(of: "cleo", olderThanDays: 1)
        #expect(list.state.warning == nil)
        let left = try await ann.chat.database.read { try $0.usage().map(\.contact.id) }
        #expect(left == ["bob"])
        await world.end()
    }

    @Test func `any number of days is taken`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        let (me, now) = (ann.id, Int64(Date().timeIntervalSince1970 * 1_000))
        try await ann.chat.database.write { write in
            try write.receive(ChatFixtures.wire(1, from: "bob", to: me))
            var wire = ChatFixtures.wire(2, from: "bob", to: me)
            wire.createdAt = now + 86_400_000
            try write.receive(wire)
        }
        let list = ChatListScreen(try ann.chat)
        await list.open()
        for (days, left) in [(Int.max, [1, 2]), (.min, [2])] as [(Int, [Int64])] {
            await list.freeSpace(of: "bob", olderThanDays: days)
            #expect(list.state.errorMessage == nil)
            let ids = try await ann.chat.database.read {
                try $0.history(.newest, with: "bob", limit: 9).messages.map(\.id)
            }
            #expect(ids == left)
        }
        await world.end()
    }

    @Test func `only what is older is deleted`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        let me = ann.id
        try await ann.chat.database.write { write in
            for id in Int64(1)...9 { try write.receive(ChatFixtures.wire(id, from: "bob", to: me)) }
        }
        try await ann.chat.freeSpace(of: "bob", before: 5)
        let left = try await ann.chat.database.read {
            try $0.history(.newest, with: "bob", limit: 99).messages.map(\.id)
        }
        #expect(left == [5, 6, 7, 8, 9])
        try await ann.chat.freeSpace(of: "bob", before: nil)
        #expect(try await ann.chat.database.read { try $0.previews() }.isEmpty)
        await world.end()
    }

    @Test func `the volume of the temporary folder has space`() throws {
        let free = try #require(StorageWatch.freeBytes(at: FileManager.default.temporaryDirectory))
        #expect(free > 0)
        #expect(StorageWatch.freeBytes(at: URL(filePath: "/no/such/folder")) == nil)
    }
}
