import Dispatch
import PaginatorCore
import Testing

@testable import PaginatorTesting

@Suite struct RecordingListenerTests {
    private func fetched(_ key: String) -> FetchedPage<Int> {
        FetchedPage(page: PaginatorPage(content: [1], key: key), origin: .source)
    }

    @Test func `records previews and the answer, and wakes who waits`() async throws {
        let journal = CallbackJournal()
        let listener = RecordingListener<Int>(journal: journal)
        DispatchQueue.global().async { [self] in
            listener.fetchDidPreview(fetched("a"))
            listener.fetchDidEnd(.success(fetched("b")))
        }
        let result = try await listener.waitForEnd()
        #expect(try result.get().page.key == "b")
        #expect(listener.previews.map(\.page.key) == ["a"])
        #expect(listener.page?.key == "b" && listener.error == nil)
        #expect(journal.texts == ["preview a", "page b"])
    }

    @Test func `counts what comes after the answer`() {
        let listener = RecordingListener<Int>()
        listener.fetchDidEnd(.failure(PaginatorError(.cancelled, "")))
        listener.fetchDidEnd(.success(fetched("b")))
        listener.fetchDidPreview(fetched("c"))
        #expect(listener.ends.count == 2)
        #expect(listener.callbacksAfterEnd == 2)
        #expect(listener.error?.code == .cancelled && listener.page == nil)
        #expect(listener.blockUntilEnd().isFailure)
    }

    @Test func `a journal shows the common order, the queue and overlaps`() {
        let queue = DispatchQueue(label: "expected")
        let journal = CallbackJournal(expecting: queue)
        let second = RecordingListener<Int>(name: "second", journal: journal)
        let first = RecordingListener<Int>(
            name: "first", journal: journal,
            onEnd: { [self] _ in second.fetchDidEnd(.success(fetched("nested"))) })
        queue.sync { first.fetchDidEnd(.success(fetched("outer"))) }
        #expect(journal.texts == ["first: page outer", "second: page nested"])
        #expect(journal.overlaps == 1)
        #expect(journal.onWrongQueue == 0)
        second.fetchDidPreview(fetched("late"))
        #expect(journal.onWrongQueue == 1)
    }

    @Test func `records what comes around a page`() async throws {
        let journal = CallbackJournal()
        let listener = RecordingAroundListener<Int>(name: "around", journal: journal)
        listener.fetchAroundDidPreview(fetched("p"))
        listener.fetchAroundDidDeliver(fetched("0"), at: 0)
        listener.fetchAroundDidDeliver(fetched("1"), at: 1)
        listener.fetchAroundDidFail(PaginatorError(.timedOut, ""), at: -1)
        listener.fetchAroundDidEnd(.success(AroundSummary(delivered: [0, 1])))
        #expect(try await listener.waitForEnd().get().delivered == [0, 1])
        #expect(listener.distances == [0, 1])
        #expect(listener.failures.map(\.distance) == [-1])
        #expect(listener.previews.count == 1 && listener.callbacksAfterEnd == 0)
        #expect(
            journal.texts == [
                "around: preview p", "around: deliver 0 at 0", "around: deliver 1 at 1", "around: fail timedOut at -1",
                "around: end",
            ])
        listener.fetchAroundDidEnd(.failure(PaginatorError(.cancelled, "")))
        #expect(listener.callbacksAfterEnd == 1 && listener.ends.count == 2)
    }
}

extension Result {
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
