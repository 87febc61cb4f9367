import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// A message that could not be sent keeps its row, with the words "tap to try again".
@Suite struct FailedDraftTests {
    /// A conversation whose end is loaded, with a message that is being sent.
    private func chat() -> (stage: ListStage, draft: PaginatorEdit<SampleItem>) {
        let stage = ListStage()
        let page = stage.page("0", [0, 1])
        stage.source.script([.page(page).insideFetch, .page(page).insideFetch], forKey: "0")
        stage.after { $0.loadNext() }
        let draft = stage.list.edits.beginInsert(SampleItem(id: 9, text: "sending"), at: .tail)
        stage.settle()
        return (stage, draft)
    }

    private func texts(_ stage: ListStage) -> [String] { stage.list.snapshot.map(\.text) }

    @Test func `a draft that could not be sent says so until the next attempt, also after a refresh`() {
        let (stage, draft) = chat()
        #expect(texts(stage) == ["", "", "sending"])
        let failure = stage.list.edits.begin(9) { SampleItem(id: $0.id, text: "failed") }
        stage.settle()
        stage.after { $0.refresh() }
        #expect(texts(stage) == ["", "", "failed"])
        #expect(stage.list.snapshot.isPending(at: 2))
        failure.rollBack()
        stage.settle()
        #expect(texts(stage) == ["", "", "sending"])
        draft.commit(with: SampleItem(id: 9, text: "sent"))
        stage.settle()
        #expect(texts(stage) == ["", "", "sent"])
        #expect(!stage.list.snapshot.isPending(at: 2))
    }

    @Test func `a draft that the user gives up leaves nothing`() {
        let (stage, draft) = chat()
        let failure = stage.list.edits.begin(9) { SampleItem(id: $0.id, text: "failed") }
        stage.settle()
        draft.rollBack()
        failure.rollBack()
        stage.settle()
        #expect(stage.ids == [0, 1])
        // A second draft of that identity is not taken for a failed one.
        _ = stage.list.edits.beginInsert(SampleItem(id: 9, text: "sending"), at: .tail)
        stage.settle()
        #expect(texts(stage) == ["", "", "sending"])
    }

    @Test func `an edit that is committed while a draft is pending also changes the message that was sent`() {
        let (stage, draft) = chat()
        stage.list.edits.update(9) { SampleItem(id: $0.id, text: $0.text + ", failed") }
        stage.settle()
        #expect(texts(stage) == ["", "", "sending, failed"])
        draft.commit(with: SampleItem(id: 9, text: "sent"))
        stage.settle()
        #expect(texts(stage) == ["", "", "sent, failed"])
    }
}
