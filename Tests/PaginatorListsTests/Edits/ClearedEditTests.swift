import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// A clear ends edits: what a user began is neither shown nor committed once the next user has signed in.
@Suite struct ClearedEditTests {
    private func item(_ id: Int, _ text: String) -> SampleItem { SampleItem(id: id, text: text) }

    private func originals(_ stage: ListStage) -> [SampleItem] { Array(stage.table.pages.items.prefix(2)) }

    @Test(arguments: [false, true])
    func `after a sign-out nothing pending is shown, and a late answer changes nothing of the next user`(isAll: Bool) {
        let stage = ListStage(configure: { $0.scope = "alice" })
        stage.after { $0.loadNext() }
        let like = stage.list.edits.begin(1) { SampleItem(id: $0.id, text: "liked by alice") }
        let draft = stage.list.edits.beginInsert(item(99, "alice's draft"))
        stage.settle()
        #expect(stage.list.snapshot.map(\.text) == ["alice's draft", originals(stage)[0].text, "liked by alice"])
        stage.list.reset()
        if isAll { stage.paginator.clearAll() } else { stage.paginator.clear(scope: "alice") }
        stage.after { $0.show(scope: "bob", keepsItems: false) }
        #expect(Array(stage.list.snapshot) == originals(stage))
        like.commit(with: item(1, "for alice"))
        draft.commit(with: item(98, "alice's post"))
        stage.settle()
        #expect(Array(stage.list.snapshot) == originals(stage))
        let cached = stage.paginator.peek(key: "0", pageSize: 2, scope: "bob")?.page.content
        #expect(cached == originals(stage))
        stage.after { $0.show(scope: "alice", keepsItems: false) }
        #expect(Array(stage.list.snapshot) == originals(stage))
    }

    @Test func `a clear of a scope leaves the edits of others, and one of everything ends them, too`() {
        let stage = ListStage(configure: { $0.scope = "alice" })
        let other = stage.makeOtherList {
            $0.pageSize = 2
            $0.scope = "bob"
        }
        other.loadNext()
        stage.settle()
        _ = other.edits.begin(1) { SampleItem(id: $0.id, text: "bob's") }
        _ = other.edits.beginInsert(item(99, "bob's draft"))
        _ = stage.paginator.edits(id: \.id).begin(0) { SampleItem(id: $0.id, text: "of no list") }
        stage.paginator.clear(scope: "alice")
        stage.paginator.clear(key: "0")
        stage.settle()
        #expect(other.snapshot.map(\.text) == ["bob's draft", "of no list", "bob's"])
        stage.paginator.clearAll()
        stage.settle()
        #expect(Array(other.snapshot) == originals(stage))
        #expect(other.snapshot.indices.allSatisfy { !other.snapshot.isPending(at: $0) })
    }

    @Test(arguments: [false, true])
    func `a list that is made after a clear knows nothing of the rows inserted before`(isAll: Bool) {
        let stage = ListStage()
        stage.after { $0.loadNext() }
        stage.after { $0.edits.insert(item(99, "new")) }
        stage.source.otherwise { _ in .fail(.fatal(ListTrouble())).insideFetch }
        if isAll { stage.paginator.clearAll() } else { stage.paginator.clear(scope: "") }
        let later = stage.makeOtherList { $0.pageSize = 2 }
        later.loadNext()
        stage.settle()
        #expect(later.snapshot.isEmpty && later.status.newAbove == 0)
    }

    @Test(arguments: GroupEditTests.End.allCases)
    func `a pending change of a group ends where its paginator is cleared, and only there`(_ end: GroupEditTests.End) {
        let stage = GroupEditTests.Stage().joined()
        let edit = stage.group.begin(GroupEditTests.Appended(id: 1, text: "a"))
        #expect(stage.text == ["a", "a"])
        stage.previews.clearAll()
        #expect(stage.text == ["", "a"])
        end.end(edit)
        #expect(stage.text == ["", end.text])
    }
}
