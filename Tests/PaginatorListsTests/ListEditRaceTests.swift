import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// An edit that is committed after a page was handed to the list, and before the list has taken it, is in the list once.
///
/// Another thread does that by chance. Here the closure that tells an item's identity does it, which the list calls in
/// between.
@Suite struct ListEditRaceTests {
    /// What is committed in between.
    enum Form: CaseIterable, Sendable {
        case update, twice, removal, ofAnotherItem, begunEarlier, withValue, underPendingEdit
    }

    /// `@unchecked Sendable`: everything runs on the thread of the test.
    private final class Hook: @unchecked Sendable {
        var body: (() -> Void)?

        func run() {
            let body = self.body
            self.body = nil
            body?()
        }
    }

    /// Each edit adds a mark, so that one that is applied twice shows.
    private static func adding(_ mark: String) -> @Sendable (SampleItem) -> SampleItem? {
        { SampleItem(id: $0.id, text: $0.text + mark) }
    }

    private func list(_ stage: ListStage, _ hook: Hook) -> PaginatorList<SampleItem, Int> {
        var config = PaginatorListConfig()
        config.pageSize = 2
        config.prefetchDistance = 0
        return PaginatorList(
            stage.paginator,
            id: { item in
                hook.run()
                return item.id
            }, config: config)
    }

    private func text(_ list: PaginatorList<SampleItem, Int>, _ id: Int) -> String? {
        list.snapshot.first { $0.id == id }?.text
    }

    @Test(arguments: Form.allCases, [false, true])
    func `an edit that overtakes its page is in the list once`(form: Form, isRefresh: Bool) throws {
        let stage = ListStage(count: 4)
        let hook = Hook()
        let list = list(stage, hook)
        let original = try #require(stage.table.pages.items.first { $0.id == 1 }?.text)
        if isRefresh {
            list.loadNext()
            stage.settle()
            #expect(text(list, 1) == original)
        }
        let begun = form == .begunEarlier || form == .withValue ? list.edits.begin(1, Self.adding("!")) : nil
        let pending = form == .underPendingEdit ? list.edits.begin(1, Self.adding("?")) : nil
        var isCommitted = false
        if isRefresh { list.refresh() } else { list.loadNext() }
        // Set when the source has answered: earlier calls of the closure are none of the page's.
        while stage.source.keys.count < (isRefresh ? 2 : 1) {
            try #require(stage.executor.runOne(choose: { _ in 0 }))
        }
        hook.body = {
            isCommitted = true
            switch form {
            case .update, .underPendingEdit: list.edits.update(1, Self.adding("!"))
            case .twice:
                list.edits.update(1, Self.adding("!"))
                list.edits.update(1, Self.adding("!"))
            case .removal: list.edits.remove(1)
            case .ofAnotherItem: list.edits.update(0, Self.adding("!"))
            case .begunEarlier: begun?.commit()
            case .withValue: begun?.commit(with: SampleItem(id: 1, text: "the server's"))
            }
        }
        stage.settle()
        #expect(isCommitted)
        let shown: String? =
            switch form {
            case .update, .begunEarlier: original + "!"
            case .twice: original + "!!"
            case .removal: nil
            case .ofAnotherItem: original
            case .withValue: "the server's"
            case .underPendingEdit: original + "!?"
            }
        #expect(text(list, 1) == shown)
        if form == .ofAnotherItem { #expect(text(list, 0)?.hasSuffix("!") == true) }
        // What comes later adds to it, and counts once too.
        pending?.rollBack()
        list.edits.update(1, Self.adding("+"))
        stage.settle()
        #expect(text(list, 1) == (form == .underPendingEdit ? original + "!" : shown).map { $0 + "+" })
        // And the page in the cache is the same.
        let cached = stage.paginator.peek(key: "0", pageSize: 2)?.page.content.first { $0.id == 1 }?.text
        #expect(cached == text(list, 1))
    }

    /// - Parameter isForeign: whether the list cannot place the edit before the page comes, because it is by another closure.
    @Test(arguments: [false, true])
    func `an optimistic edit is shown once by a page that comes while it is committed`(isForeign: Bool) throws {
        let stage = ListStage(count: 4)
        let hook = Hook()
        let change: @Sendable (SampleItem) -> SampleItem? = { item in
            hook.run()
            return SampleItem(id: item.id, text: item.text + "!")
        }
        let original = try #require(stage.table.pages.items.first { $0.id == 1 }?.text)
        if !isForeign { stage.after { $0.loadNext() } }
        let edit =
            isForeign
            ? stage.paginator.edits(id: { "number \($0.id)" }).begin("number 1", change)
            : stage.list.edits.begin(1, change)
        stage.settle()
        if isForeign { stage.list.loadNext() } else { stage.list.refresh() }
        // The page is in memory, and the list has not taken it.
        while stage.source.keys.count < (isForeign ? 1 : 2) || stage.paginator.peek(key: "0", pageSize: 2) == nil {
            try #require(stage.executor.runOne(choose: { _ in 0 }))
        }
        hook.body = { stage.settle() }
        edit.commit()
        stage.settle()
        #expect(hook.body == nil)
        #expect(!stage.updates.contains { $0.snapshot.contains { $0.text.hasSuffix("!!") } })
        #expect(text(stage.list, 1) == original + "!")
        #expect(stage.list.snapshot.indices.allSatisfy { !stage.list.snapshot.isPending(at: $0) })
    }
}
