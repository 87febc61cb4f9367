import Notes
import PaginatorCore
import PaginatorTesting
import XCTest

/// The one-line bridge from the kit to XCTest.
let toXCTest: FailureReport = { message, file, line in XCTFail(message, file: file, line: line) }

final class NotesXCTests: XCTestCase {
    func testOurStoreKeepsTheContract() {
        Contract.store { DictionaryStore() }.checkAll(report: toXCTest)
    }

    func testOurSourceKeepsTheContract() {
        let notes = (0..<95).map { Note(id: $0, text: "note \($0)") }
        Contract.dataSource(itemCount: 95) { NoteSource(notes) }.checkAll(report: toXCTest)
    }

    func testTheNewestNoteIsShown() {
        let executor = SimulatedExecutor()
        let paginator = ScriptedPaginator<Note>(executor: executor)
        let page = PaginatorPage(content: [Note(id: 1, text: "hello")], key: "newest")
        paginator.script([.fail(.fatal(CancellationError())), .page(page)])
        let shown = CallRecord()
        let newest = NewestNote(paginator)
        executor.immediately { newest.load(shown.take) }
        executor.immediately { newest.load(shown.take) }
        XCTAssertEqual(shown.texts, ["The notes could not be loaded.", "hello"])
        XCTAssertEqual(paginator.calls.count, 2)
    }

    func testAFreshPageIsAnsweredWithoutTheStore() {
        let (executor, clock) = (SimulatedExecutor(), ManualPaginatorClock())
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        let source = ScriptedDataSource(recording: NoteSource([Note(id: 1, text: "hello")]))
        let paginator = CallbackPaginator(dataSource: source, config: config)
        for _ in 0..<3 {
            let listener = RecordingListener<Note>()
            executor.immediately { paginator.fetch(key: "newest", pageSize: 10, listener: listener) }
            XCTAssertEqual(listener.page?.content.map(\.text), ["hello"])
        }
        XCTAssertEqual(source.keys, ["newest"])
    }

    func testNothingIsFetchedBeforeItIsAskedFor() {
        _ = NewestNote(ScriptedPaginator(unexpected: toXCTest))
    }

    func testASlowSourceTimesOut() {
        let clock = ManualPaginatorClock()
        let source = ScriptedDataSource<Note>(firstKey: "newest", clock: clock)
        source.script([.hang])
        var config = PaginatorConfig()
        config.clock = clock
        config.maxAttempts = 1
        let paginator = CallbackPaginator(dataSource: source, config: config)
        let listener = RecordingListener<Note>()
        paginator.fetch(key: "newest", pageSize: 10, listener: listener)
        source.blockUntilCalls(1)
        clock.blockForTimer(atOrBefore: .zero.advanced(by: .seconds(30)))
        clock.advance(by: .seconds(30))
        listener.blockUntilEnd()
        XCTAssertEqual(listener.error?.code, .timedOut)
    }
}

/// `@unchecked Sendable`: `texts` is used on the test's thread only.
private final class CallRecord: @unchecked Sendable {
    private(set) var texts: [String] = []

    @Sendable func take(_ text: String) { texts.append(text) }
}
