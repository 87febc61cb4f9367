import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite("Rule 2: identity")
struct Rule02IdentityTests {
    @Test func `scope key and page size tell pages apart`() {
        let rig = FetchRig(hasStore: true)
        let versions = [
            rig.fetch("1"), rig.fetch("2"), rig.fetch("1", pageSize: 20), rig.fetch("1", scope: "mine"),
            rig.fetch("1", pageSize: 20, scope: "mine"),
        ].map(\.version)
        #expect(versions == [1, 2, 3, 4, 5])
        #expect(rig.cached("1") == 1)
        #expect(rig.cached("2") == 2)
        #expect(rig.cached("1", pageSize: 20) == 3)
        #expect(rig.cached("1", scope: "mine") == 4)
        #expect(rig.cached("1", pageSize: 20, scope: "mine") == 5)
        #expect(rig.store?.pages.count == 5)
    }

    @Test func `key and scope are not joined`() {
        let rig = FetchRig()
        #expect(rig.fetch("bc", scope: "a").version == 1)
        #expect(rig.fetch("c", scope: "ab").version == 2)
        #expect(rig.fetch("a", scope: "bc").version == 3)
    }

    @Test func `only the same identity joins`() {
        let rig = FetchRig { $0.maxParallelCalls = 10 }
        rig.hangSource()
        for _ in 0..<2 {
            rig.fetch("1")
            rig.fetch("1", pageSize: 20)
            rig.fetch("1", scope: "mine")
        }
        #expect(rig.source.calls.count == 3)
        #expect(rig.source.calls.map(\.request.scope) == ["", "", "mine"])
        #expect(rig.source.calls.map(\.request.pageSize) == [10, 20, 10])
    }

    @Test func `clearing a key takes every size and scope of it`() {
        let rig = FetchRig(hasStore: true)
        rig.fetch("1")
        rig.fetch("1", pageSize: 20)
        rig.fetch("1", scope: "mine")
        rig.fetch("2")
        rig.paginator.clear(key: "1")
        #expect(rig.paginator.engine.memory.identities(in: .all) == [rig.identity("2")])
        rig.run()
        #expect(rig.store.map { Array($0.pages.keys) } == [rig.identity("2")])
    }

    @Test func `clearing a scope takes every page of it and no other`() {
        let rig = FetchRig(hasStore: true)
        rig.fetch("1", scope: "mine")
        rig.fetch("2", scope: "mine")
        rig.fetch("1", scope: "yours")
        rig.paginator.clear(scope: "mine")
        #expect(rig.paginator.engine.memory.identities(in: .all) == [rig.identity("1", scope: "yours")])
        rig.run()
        #expect(rig.store.map { Array($0.pages.keys) } == [rig.identity("1", scope: "yours")])
    }
}
