import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// When a source is connected to, from where on, and how following it ends.
@Suite struct FollowingConnectionTests {
    private struct Outage: Error {}

    private func item(_ id: Int, _ text: String) -> SampleItem { SampleItem(id: id, text: text) }

    @Test func `an event counts as applied when its edit is, not while that waits for another edit`() {
        let following = FollowingStage.loaded()
        following.follow()
        let during = Guarded<[String]?>(nil)
        following.stage.paginator.edits(id: \.id).update(1) { item in
            // What another thread might do while this edit takes long.
            if during.withLock({ $0 == nil }) {
                during.withLock { $0 = [] }
                following.tell(.change(.updated(SampleItem(id: 2, text: "b")), id: "5"))
                let applied = following.applied.withLock { $0 }
                during.withLock { $0 = applied }
            }
            return SampleItem(id: 1, text: "a")
        }
        following.stage.settle()
        #expect(during.withLock { $0 } == [""])
        #expect(following.applied.withLock { $0 } == ["", "5"])
        #expect(following.texts == ["0", "1a", "2b", "3"])
    }

    // MARK: - What was missed

    @Test func `where no identity tells what was missed, all is loaded anew as soon as the source is heard again`() {
        let following = FollowingStage.loaded()
        let stage = following.stage
        following.follow()
        following.tell(.change(.updated(item(1, "a"))))
        stage.table.pages.items = (0..<20).map { item($0, "new") }
        following.reconnect()
        // Until it is there, more may be missed.
        #expect(following.texts == ["0", "1a", "2", "3"])
        following.tell(.opened())
        #expect(following.texts == ["0new", "1new", "2new", "3new"])
        #expect(stage.newKeys() == ["0", "0"])
    }

    @Test(arguments: [true, false])
    func `a source that no longer knows the event has all loaded anew`(isRefused: Bool) {
        let following = FollowingStage.loaded()
        following.follow(from: "3")
        following.stage.table.pages.items = (0..<20).map { item($0, "new") }
        if isRefused {
            following.reconnect(after: .keyExpired(Outage()))
            #expect(following.script.lastEventIDs == ["3", nil])
            following.tell(.opened())
        } else {
            following.tell(.missed)
        }
        #expect(following.texts == ["0new", "1new", "2new", "3new"])
        // The source may have begun to count anew.
        following.tell(.change(.updated(item(1, "b")), id: "3"))
        #expect(following.texts[1] == "1b")
    }

    @Test func `a source that names its last event when it opens is asked to go on behind it`() {
        let following = FollowingStage.loaded()
        following.follow(opens: false)
        following.tell(.opened(id: "40"))
        following.reconnect()
        following.tell(.opened())
        #expect(following.script.lastEventIDs == [nil, "40"])
        #expect(following.stage.newKeys() == ["0"])
        // An empty identity takes it back.
        following.tell(.change(.removed(0), id: ""))
        following.reconnect()
        #expect(following.script.lastEventIDs == [nil, "40", nil])
    }

    @Test func `what happened before the first connection could be opened is not missed`() {
        let following = FollowingStage.loaded()
        following.follow(opens: false)
        following.stage.table.pages.items = (0..<20).map { item($0, "new") }
        following.tell(.closed(.retry(Outage())))
        #expect(wait(of: following) < .max)
        following.tell(.opened())
        #expect(following.texts == ["0new", "1new", "2new", "3new"])
    }

    @Test func `what happened while conditions forbade the first connection is not missed`() {
        let connectivity = ScriptedConnectivity()
        let following = FollowingStage(ListStage(pageSize: 4, connectivity: connectivity))
        following.stage.after { $0.loadNext() }
        connectivity.set(.offline)
        following.follow(opens: false)
        following.stage.table.pages.items = (0..<20).map { item($0, "new") }
        connectivity.set([])
        following.stage.settle()
        following.tell(.opened())
        #expect(following.texts == ["0new", "1new", "2new", "3new"])
    }

    @Test func `a later launch is told that there is no event to continue from`() {
        let following = FollowingStage.loaded()
        following.follow(opens: false)
        #expect(following.applied.withLock { $0 } == [])
        following.tell(.opened(), .change(.removed(0)), .change(.removed(1)))
        #expect(following.applied.withLock { $0 } == [""])
        following.tell(.change(.removed(2), id: "7"))
        #expect(following.applied.withLock { $0 } == ["", "7"])
    }

    @Test func `what is to be kept for a later launch is where the source is at`() {
        let following = FollowingStage.loaded()
        following.follow(opens: false)
        following.tell(.opened(id: "40"), .opened(id: "40"))
        #expect(following.applied.withLock { $0 } == ["40"])
        following.tell(.change(.removed(0), id: "41"), .opened(id: "40"), .change(.removed(1)))
        #expect(following.applied.withLock { $0 } == ["40", "41"])
        // A source that has begun anew no longer knows it, whether or not it names another one.
        following.tell(.missed)
        #expect(following.applied.withLock { $0 } == ["40", "41", ""])
        following.tell(.opened(id: "3"))
        #expect(following.applied.withLock { $0 } == ["40", "41", "", "3"])
        following.reconnect(after: .keyExpired(Outage()))
        following.tell(.opened(id: "1"))
        #expect(following.applied.withLock { $0 } == ["40", "41", "", "3", "", "1"])
    }

    @Test func `all is loaded anew where an earlier launch has left nothing to go on from`() {
        let following = FollowingStage.loaded()
        following.stage.table.pages.items = (0..<20).map { item($0, "new") }
        following.follow(from: "")
        #expect(following.script.lastEventIDs == [nil])
        #expect(following.texts == ["0new", "1new", "2new", "3new"])
    }

    @Test func `what an old connection still tells is ignored`() {
        let following = FollowingStage.loaded()
        following.follow()
        let old = following.script.connections[0]
        following.tell(.change(.updated(item(1, "a")), id: "1"))
        following.reconnect()
        old.tell(.change(.updated(item(1, "old")), id: "2"))
        old.tell(.closed(.fatal(Outage())))
        following.tell(.opened())
        #expect(following.texts[1] == "1a")
        #expect(following.script.openCount == 1)
        #expect(following.ends.withLock { $0.isEmpty })
    }

    // MARK: - Waiting

    /// How long it takes until the next connection is tried.
    private func wait(of following: FollowingStage) -> Int {
        let count = following.script.connections.count
        for milliseconds in 0..<400_000 {
            if following.script.connections.count > count { return milliseconds }
            following.stage.clock.advance(by: .milliseconds(1))
            following.stage.settle()
        }
        return .max
    }

    @Test func `a source that cannot be reached is tried again after growing times, at most a minute each`() {
        let following = FollowingStage.loaded()
        following.follow(opens: false)
        var waits: [Int] = []
        for _ in 0..<12 {
            following.tell(.closed(.retry(Outage())))
            waits.append(wait(of: following))
        }
        for (index, wait) in waits.enumerated() { #expect(wait <= min(60_000, 1_000 << index) + 1) }
        #expect(waits.suffix(6).max() ?? 0 > 5_000)
        // What has told something new was a good one.
        following.tell(.opened(), .change(.removed(0), id: "1"), .closed(.retry(Outage())))
        #expect(wait(of: following) <= 1_001)
    }

    @Test(arguments: [nil, "1"])
    func `a source that closes whenever it has told the same is asked ever more seldom`(id: String?) {
        let following = FollowingStage.loaded()
        following.follow(opens: false)
        var waits: [Int] = []
        for _ in 0..<12 {
            following.tell(.opened(), .change(.updated(item(1, "a")), id: id), .closed())
            waits.append(wait(of: following))
        }
        #expect(waits.suffix(6).max() ?? 0 > 5_000)
        // A connection that lived for a while was a good one.
        for _ in 0..<12 {
            following.tell(.opened())
            following.stage.clock.advance(by: .seconds(10))
            following.tell(.closed())
            #expect(wait(of: following) <= 1_001)
        }
    }

    @Test func `a source is tried again within the hour, however long it asks for`() {
        let following = FollowingStage.loaded()
        following.follow()
        following.tell(.closed(.retry(Outage(), after: .milliseconds(Int64.max))))
        following.stage.clock.advance(by: .hours(1) + .seconds(1))
        following.stage.settle()
        #expect(following.script.openCount == 1)
    }

    @Test func `a source is left alone for as long as it asks for`() {
        let following = FollowingStage.loaded()
        following.follow()
        following.tell(.closed(.retry(Outage(), after: .seconds(90))))
        let wait = wait(of: following)
        #expect(wait >= 90_000 && wait <= 91_001)
    }

    @Test(arguments: [PaginatorConditions.offline, .background])
    func `there is no connection while conditions forbid it, and one at once when they pass`(
        _ condition: PaginatorConditions
    ) {
        let connectivity = ScriptedConnectivity(condition)
        let following = FollowingStage(ListStage(pageSize: 4, connectivity: connectivity))
        following.follow(opens: false)
        #expect(following.script.connections.isEmpty)
        connectivity.set([])
        following.stage.settle()
        following.tell(.opened(), .change(.removed(100), id: "1"))
        connectivity.set([condition, .weakLink])
        following.stage.settle()
        #expect(following.script.openCount == 0)
        following.stage.clock.advance(by: .hours(1))
        following.stage.settle()
        #expect(following.script.openCount == 0)
        connectivity.set(.weakLink)
        following.stage.settle()
        #expect(following.script.openCount == 1)
        #expect(following.script.lastEventIDs == [nil, "1"])
        // Also while the next attempt is waited for.
        for _ in 0..<10 { following.reconnect(after: .retry(Outage())) }
        following.tell(.closed(.retry(Outage())))
        func pass() {
            connectivity.set(condition)
            following.stage.settle()
            connectivity.set([])
            following.stage.settle()
        }
        pass()
        #expect(following.script.openCount == 1)
        // But not before the time that the source asked for.
        following.tell(.closed(.retry(Outage(), after: .minutes(30))))
        for _ in 0..<2 {
            pass()
            following.stage.clock.advance(by: .minutes(14))
            following.stage.settle()
            #expect(following.script.openCount == 0)
        }
        following.stage.clock.advance(by: .minutes(4))
        following.stage.settle()
        #expect(following.script.openCount == 1)
    }

    @Test(arguments: [SourceError.retry(Outage()), .fatal(Outage())])
    func `observers hear of connections`(error: SourceError) {
        let observer = RecordingObserver()
        let executor = SimulatedExecutor()
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        config.observer = observer
        let paginator = CallbackPaginator(dataSource: ArrayDataSource([1]), config: config)
        let script = PushScript<Int>()
        paginator.follow(script.source) { _ in }
        executor.runAll()
        script.tell(.opened(), .closed(error))
        executor.runAll()
        #expect(observer.events.map(\.kind) == [.followed, .followingLost])
        #expect(observer.events.last?.error?.underlying is Outage)
    }

    @Test func `observers hear of a connection that begins with what was missed`() {
        let observer = RecordingObserver()
        let executor = SimulatedExecutor()
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        config.observer = observer
        let paginator = CallbackPaginator(dataSource: ArrayDataSource([1]), config: config)
        let script = PushScript<Int>()
        paginator.follow(script.source) { _ in }
        executor.runAll()
        script.tell(.missed)
        executor.runAll()
        #expect(observer.count(of: .followed) == 1)
    }

    // MARK: - The end

    enum End: CaseIterable, Sendable {
        case source, failure, cancel, shutdown

        var code: PaginatorError.Code? {
            switch self {
            case .source: nil
            case .failure: .sourceFailed
            case .cancel: .cancelled
            case .shutdown: .released
            }
        }
    }

    @Test(arguments: End.allCases)
    func `following ends once, and nothing is applied or tried after it`(_ end: End) {
        let following = FollowingStage.loaded()
        let execution = following.follow()
        switch end {
        case .source: following.tell(.ended)
        case .failure: following.tell(.closed(.fatal(Outage())))
        case .cancel:
            following.script.tell(.change(.updated(item(1, "late"))))
            #expect(execution.cancel())
        case .shutdown: following.stage.paginator.shutdown()
        }
        following.stage.settle()
        following.tell(.change(.updated(item(1, "late"))), .missed, .ended, .closed(.fatal(Outage())))
        following.stage.clock.advance(by: .hours(1))
        following.stage.settle()
        #expect(!execution.cancel())
        following.stage.settle()
        #expect(following.ends.withLock { $0.map { $0?.code } } == [end.code])
        #expect(following.script.connections.count == 1)
        #expect(following.script.openCount == 0)
        #expect(following.texts == ["0", "1", "2", "3"])
    }

    @Test(arguments: [true, false])
    func `a paginator that goes, or is gone, is not followed for`(isWaiting: Bool) {
        let executor = SimulatedExecutor()
        let clock = ManualPaginatorClock()
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: clock)
        var paginator: CallbackPaginator<Int>? = CallbackPaginator(dataSource: ArrayDataSource([1]), config: config)
        let script = PushScript<Int>()
        let ends = Guarded<[PaginatorError.Code?]>([])
        let onEnd: @Sendable (PaginatorError?) -> Void = { error in ends.withLock { $0.append(error?.code) } }
        paginator?.follow(script.source, onEnd: onEnd) { _ in }
        executor.runAll()
        script.tell(isWaiting ? .closed() : .opened())
        executor.runAll()
        paginator = nil
        executor.runAll()
        clock.advance(by: .hours(1))
        executor.runAll()
        #expect(ends.withLock { $0 } == [.released])
        #expect(script.connections.count == 1)
        #expect(script.openCount == 0)
        // One that was shut down before.
        let other = CallbackPaginator(dataSource: ArrayDataSource([1]), config: config)
        other.shutdown()
        other.follow(script.source, onEnd: onEnd) { _ in }
        executor.runAll()
        #expect(ends.withLock { $0 } == [.released, .released])
        #expect(script.openCount == 0)
    }

    @Test func `what is followed for is released when following ends`() {
        final class Held: Sendable {}
        let following = FollowingStage.loaded()
        var held: Held? = Held()
        weak let kept = held
        let source = PushScript<Int>()
        let execution = following.stage.paginator.follow(source.source) { [held] _ in withExtendedLifetime(held) {} }
        held = nil
        following.stage.settle()
        #expect(kept != nil)
        execution.cancel()
        following.stage.settle()
        #expect(kept == nil)
    }
}
