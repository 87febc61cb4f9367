import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What a source pushes is in memory, on disk and in lists, once and in its order.
@Suite struct FollowingTests {
    private func item(_ id: Int, _ text: String) -> SampleItem { SampleItem(id: id, text: text) }

    // MARK: - Changes

    @Test func `a change is in memory, in the store and in lists`() throws {
        let store = ScriptedStore<SampleItem>(answersInside: true)
        let following = FollowingStage.loaded(ListStage(pageSize: 4, store: store))
        following.follow()
        following.tell(.change(.updated(item(1, "a")), id: "1"), .change(.removed(2), id: "2"))
        #expect(following.texts == ["0", "1a", "3"])
        #expect(following.stage.paginator.peek(key: "0", pageSize: 4)?.page.content.map(\.id) == [0, 1, 3])
        let stored = try #require(store.pages.values.first)
        #expect(stored.page.content.map(\.text) == ["", "a", ""])
        #expect(following.applied.withLock { $0 } == ["", "1", "2"])
        // Nothing was loaded again.
        #expect(following.stage.source.keys == ["0"])
    }

    @Test func `rows come at the head, behind a row and at the tail`() {
        let stage = ListStage(pageSize: 30)
        let following = FollowingStage.loaded(stage)
        following.follow()
        following.tell(
            .change(.added(item(100, ""), at: .head)), .change(.added(item(101, ""), at: .after(3))),
            .change(.added(item(102, ""), at: .tail)), .change(.added(item(103, ""), at: .head)))
        #expect(stage.ids == [103, 100, 0, 1, 2, 3, 101] + Array(4..<20) + [102])
    }

    @Test func `changes of one row are applied in their order`() {
        let following = FollowingStage.loaded()
        following.follow()
        for text in ["a", "b", "c", "d"] { following.script.tell(.change(.updated(item(1, text)))) }
        following.stage.settle()
        #expect(following.texts[1] == "1d")
        following.tell(.change(.removed(1)), .change(.updated(item(1, "late"))))
        #expect(!following.stage.ids.contains(1))
    }

    @Test(arguments: [true, false])
    func `a page that was asked for before a change and comes after it does not undo it`(isRefresh: Bool) throws {
        let following = FollowingStage.loaded(ListStage(style: .cursor, pageSize: 4))
        let stage = following.stage
        following.follow()
        stage.source.otherwise { _ in .hang }
        stage.after { if isRefresh { $0.refresh(.firstPage) } else { $0.loadNext() } }
        following.tell(
            .change(.updated(item(1, "a"))), .change(.removed(2)), .change(.updated(item(5, "b"))),
            .change(.removed(6)),
            .change(.added(item(100, ""), at: .head)))
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(
            call, with: .success(try #require(stage.table.pages.page(key: call.request.key, pageSize: 4))))
        stage.settle()
        #expect(following.texts == ["100", "0", "1a", "3"] + (isRefresh ? [] : ["4", "5b", "7"]))
    }

    // MARK: - What comes twice

    @Test func `what is repeated after a lost connection is applied once`() {
        let following = FollowingStage.loaded()
        following.follow()
        following.tell(
            .change(.added(item(100, "first"), at: .head), id: "7"), .change(.updated(item(1, "a")), id: "8"),
            .change(.removed(100), id: "9"))
        following.reconnect()
        #expect(following.script.lastEventIDs == [nil, "9"])
        following.tell(
            .opened(), .change(.added(item(100, "first"), at: .head), id: "7"),
            .change(.updated(item(1, "a")), id: "8"), .change(.removed(100), id: "9"),
            .change(.updated(item(1, "b")), id: "10"), .change(.updated(item(1, "b")), id: "10"))
        #expect(following.texts == ["0", "1b", "2", "3"])
        #expect(following.applied.withLock { $0 } == ["", "7", "8", "9", "10"])
        following.reconnect()
        #expect(following.script.lastEventIDs == [nil, "9", "10"])
    }

    @Test func `what was known at an earlier launch is asked for and left out`() {
        let following = FollowingStage.loaded()
        following.follow(from: "5")
        #expect(following.script.lastEventIDs == ["5"])
        following.tell(.change(.updated(item(1, "old")), id: "5"), .change(.updated(item(0, "new")), id: "6"))
        #expect(following.texts == ["0new", "1", "2", "3"])
    }

    @Test func `identities are told apart by their bytes`() {
        let following = FollowingStage.loaded()
        following.follow()
        following.tell(
            .change(.updated(item(1, "a")), id: "caf\u{e9}"), .change(.updated(item(1, "b")), id: "cafe\u{301}"))
        #expect(following.texts[1] == "1b")
    }

    @Test func `a row that the device has made itself is not shown twice when the source tells of it`() {
        let following = FollowingStage.loaded()
        let edits = following.stage.list.edits
        following.follow()
        // Told before the answer to the request that made it, and after it.
        for (draft, id) in [(-1, 100), (-2, 101)] {
            let edit = edits.beginInsert(item(draft, "draft"))
            if id == 100 { following.tell(.change(.added(item(id, "sent"), at: .head))) }
            edit.commit(with: item(id, "sent"))
            following.stage.settle()
            following.tell(.change(.added(item(id, "sent"), at: .head)))
        }
        #expect(following.stage.ids.sorted() == [0, 1, 2, 3, 100, 101])
    }

    @Test func `an older value does not replace a newer answer to the device where the edit keeps the newer one`() {
        let following = FollowingStage.loaded()
        let edits = following.stage.list.edits
        let source = PushScript<SampleItem>()
        following.stage.paginator.follow(source.source) { new in
            edits.update(new.id) { $0.text < new.text ? new : $0 }
        }
        following.stage.settle()
        let edit = edits.begin(1) { item in SampleItem(id: item.id, text: item.text + "mine") }
        following.stage.settle()
        // What the source did before it took the edit, and is told of while that is pending, or after its answer.
        source.tell(.opened(), .change(item(1, "v5")))
        following.stage.settle()
        edit.commit(with: item(1, "v7"))
        following.stage.settle()
        #expect(following.texts[1] == "1v7")
        source.tell(.change(item(1, "v6")), .change(item(1, "v7")))
        following.stage.settle()
        #expect(following.texts[1] == "1v7")
        source.tell(.change(item(1, "v8")))
        following.stage.settle()
        #expect(following.texts[1] == "1v8")
    }

    // MARK: - Stale pages

    enum Staleness: CaseIterable, Sendable {
        case key, tag, scope, all

        var event: PushEvent<RowChange> {
            switch self {
            case .key: .stale(.key("4"), id: "1")
            case .tag: .staleTags(["page-4", "other"], id: "1")
            case .scope: .stale(.scope(""), id: "1")
            case .all: .missed
            }
        }

        var keys: [String] { self == .key || self == .tag ? ["4"] : ["0", "4"] }
    }

    private func tagged(_ stage: ListStage) {
        stage.source.otherwise { [table = stage.table] request in
            .result(
                table.pages.answer(to: request).map {
                    PaginatorPage(
                        content: $0.content, key: $0.key, prevKey: $0.prevKey, nextKey: $0.nextKey,
                        tags: ["page-\($0.key)"])
                }
            ).insideFetch
        }
    }

    @Test(arguments: Staleness.allCases)
    func `lists load anew what they have of the stale pages`(_ staleness: Staleness) {
        let stage = ListStage(pageSize: 4)
        tagged(stage)
        let following = FollowingStage.loaded(stage)
        stage.after { $0.loadNext() }
        following.follow()
        #expect(stage.newKeys() == ["0", "4"])
        stage.table.pages.items = (0..<20).map { item($0, "new") }
        following.tell(staleness.event)
        #expect(stage.newKeys() == staleness.keys)
        #expect(
            following.texts == (staleness.keys == ["4"] ? [] : (0..<4).map { "\($0)new" })
                + (staleness.keys == ["4"] ? (0..<4).map { "\($0)" } : []) + (4..<8).map { "\($0)new" })
        // Of other paginators' pages and of lists that have nothing, nothing is loaded.
        #expect(stage.list.status.refresh == .idle)
    }

    @Test(arguments: Staleness.allCases)
    func `a page on its way when it becomes stale is loaded once more`(_ staleness: Staleness) throws {
        let stage = ListStage(pageSize: 4)
        tagged(stage)
        let following = FollowingStage.loaded(stage)
        following.follow()
        stage.source.script([.hang], forKey: "4")
        stage.after { $0.loadNext() }
        let old = try #require(stage.table.pages.page(key: "4", pageSize: 4))
        stage.table.pages.items = (0..<20).map { item($0, "new") }
        following.tell(staleness.event)
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(
            call,
            with: .success(PaginatorPage(content: old.content, key: "4", prevKey: "0", nextKey: "8", tags: ["page-4"])))
        stage.settle()
        #expect(Array(following.texts.suffix(4)) == (4..<8).map { "\($0)new" })
        #expect(stage.paginator.peek(key: "4", pageSize: 4)?.page.content.map(\.text) == ["new", "new", "new", "new"])
    }

    @Test func `a list that has loaded nothing loads nothing`() {
        let stage = ListStage()
        let following = FollowingStage(stage)
        following.follow()
        following.tell(.missed, .stale(.all))
        #expect(stage.source.keys == [])
    }

    // MARK: - New rows

    @Test func `rows that are counted only show as new above, until the first page has come anew`() throws {
        let following = FollowingStage.loaded()
        let stage = following.stage
        following.follow()
        following.tell(.newRows(2, id: "1"), .newRows(1, id: "2"), .newRows(1, id: "2"), .newRows(5, scope: "others"))
        #expect(stage.list.status.newAbove == 3)
        #expect(stage.ids == [0, 1, 2, 3])
        // A refresh that was asked for before the last one does not have it.
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh(.firstPage) }
        following.tell(.newRows(1, id: "3"))
        #expect(stage.list.status.newAbove == 4)
        stage.table.pages.items.insert(contentsOf: [item(102, ""), item(101, ""), item(100, "")], at: 0)
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(call, with: .success(try #require(stage.table.pages.page(key: "0", pageSize: 4))))
        stage.settle()
        #expect(stage.list.status.newAbove == 1)
        #expect(Array(stage.ids.prefix(3)) == [102, 101, 100])
        stage.table.pages.items.insert(item(103, ""), at: 0)
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.list.status.newAbove == 0)
        #expect(Array(stage.ids.prefix(3)) == [103, 102, 101])
    }

    @Test func `rows that are counted during a switch count for their own scope`() throws {
        let following = FollowingStage.loaded()
        let stage = following.stage
        let other = SamplePages(count: 12)
        stage.table.scopes["b"] = other
        following.follow()
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.show(scope: "b") }
        following.tell(.newRows(5), .newRows(2, scope: "b"))
        #expect(stage.list.status.scope == "" && stage.list.status.newAbove == 5)
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(call, with: other.answer(to: call.request))
        stage.settle()
        #expect(stage.list.status.scope == "b" && stage.list.status.newAbove == 2)
    }

    @Test func `a list made after new rows were counted asks the source`() {
        let following = FollowingStage.loaded()
        let stage = following.stage
        following.follow()
        following.tell(.newRows(1))
        stage.table.pages.items.insert(item(100, ""), at: 0)
        let other = stage.makeOtherList { $0.pageSize = 4 }
        other.loadNext()
        stage.settle()
        #expect(other.snapshot.map(\.id) == [100, 0, 1, 2])
        #expect(other.status.newAbove == 0)
    }

    @Test func `rows that are announced before there is a list are there when it comes`() {
        let store = ScriptedStore<SampleItem>(answersInside: true)
        // An earlier launch has left its first page.
        let earlier = ListStage(pageSize: 4, store: store)
        earlier.after { $0.loadNext() }
        let stage = ListStage(pageSize: 7, store: store)
        let following = FollowingStage(stage)
        following.follow(from: "1")
        stage.table.pages.items.insert(item(1_000, ""), at: 0)
        following.tell(.newRows(1, id: "2"))
        let list = stage.makeOtherList { $0.pageSize = 4 }
        list.loadNext()
        stage.settle()
        #expect(list.snapshot.map(\.id) == [1_000, 0, 1, 2])
        #expect(list.status.newAbove == 0)
    }

    @Test func `rows that have been seen are not new again when the window moves away from them`() {
        let following = FollowingStage.loaded(ListStage(pageSize: 4) { $0.windowItems = 8 })
        let stage = following.stage
        following.follow()
        following.tell(.newRows(3))
        #expect(stage.list.status.newAbove == 3)
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.list.status.newAbove == 0)
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        #expect(!stage.ids.contains(0))
        #expect(stage.list.status.newAbove == 0)
        following.tell(.newRows(2))
        #expect(stage.list.status.newAbove == 2)
    }

    @Test func `very many new rows are counted as very many`() {
        let following = FollowingStage.loaded()
        following.follow()
        for count in [Int.max, .max, -3] { following.tell(.newRows(count)) }
        for _ in 0..<200 { following.tell(.newRows(1)) }
        #expect(following.stage.list.status.newAbove > 1_000_000)
    }

    // MARK: - Groups

    @Test func `a group tells all members what a source pushes, and of stale pages`() {
        let stage = GroupEditTests.Stage().joined()
        let script = PushScript<GroupEditTests.Appended>()
        let ends = Guarded(0)
        stage.group.follow(script.source, onEnd: { _ in ends.withLock { $0 += 1 } })
        stage.executor.runAll()
        script.tell(.opened(), .change(.init(id: 1, text: "a"), id: "1"), .change(.init(id: 1, text: "a"), id: "1"))
        stage.executor.runAll()
        #expect(stage.text == ["a", "a"])
        script.tell(.missed)
        stage.executor.runAll()
        #expect(stage.text == ["", ""])
        script.tell(.ended)
        stage.executor.runAll()
        #expect(ends.withLock { $0 } == 1)
    }

    @Test func `a group tells that an event is applied when its members have taken it`() {
        let executor = SimulatedExecutor()
        let script = PushScript<Int>()
        let seen = Guarded<[String]>([])
        let group = ConsistencyGroup<Int>(executor: executor)
        group.join { change in seen.withLock { $0.append("\(change)") } }
        group.follow(
            script.source, onApplied: { id in seen.withLock { $0.append("applied \(id)") } },
            onEnd: { _ in seen.withLock { $0.append("end") } })
        executor.runAll()
        script.tell(.opened(), .change(1, id: "a"), .change(2, id: "b"), .ended)
        executor.runAll()
        #expect(seen.withLock { $0 } == ["applied ", "1", "applied a", "2", "applied b", "end"])
    }

    @Test func `a group applies nothing when a cancel has returned`() {
        for steps in 0..<8 {
            let executor = SimulatedExecutor()
            let script = PushScript<Int>()
            let seen = Guarded(0)
            let group = ConsistencyGroup<Int>(executor: executor)
            group.join { _ in seen.withLock { $0 += 1 } }
            let following = group.follow(script.source, onApplied: { _ in seen.withLock { $0 += 1 } })
            executor.runAll()
            script.tell(.opened(), .change(1, id: "a"), .change(2, id: "b"))
            for _ in 0..<steps { _ = executor.runOne() }
            following.cancel()
            let before = seen.withLock { $0 }
            executor.runAll()
            #expect(seen.withLock { $0 } == before, "after \(steps) steps")
        }
    }

    @Test func `observers of a group's members hear of its connections`() {
        let observer = RecordingObserver()
        let executor = SimulatedExecutor()
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        config.observer = observer
        let paginator = CallbackPaginator(dataSource: ArrayDataSource([1]), config: config)
        let group = ConsistencyGroup<Int>(executor: executor)
        group.join(paginator)
        let script = PushScript<Int>()
        group.follow(script.source)
        executor.runAll()
        script.tell(.opened(), .closed())
        executor.runAll()
        #expect(observer.events.map(\.kind) == [.followed, .followingLost])
    }

    @Test func `a group that goes stops following`() {
        let executor = SimulatedExecutor()
        let script = PushScript<Int>()
        let ends = Guarded<[PaginatorError.Code?]>([])
        var group: ConsistencyGroup<Int>? = ConsistencyGroup(executor: executor)
        group?.follow(script.source, onEnd: { error in ends.withLock { $0.append(error?.code) } })
        executor.runAll()
        script.tell(.opened(), .change(1))
        executor.runAll()
        #expect(script.openCount == 1)
        group = nil
        executor.runAll()
        #expect(script.openCount == 0)
        #expect(ends.withLock { $0 } == [.released])
    }
}
