import PaginatorCore
import Testing

@testable import PaginatorStorage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a write-behind does with a disk on which no new file stays sound.
@Suite("A file that is replaced again and again")
struct ReplacedFileTests {
    private let replaced = PaginatorError(
        store: StoreFailure(.replaced, operation: "test", message: "It was damaged."), "It was damaged.")

    private func learns(_ done: DrivenWriteBehind.Done) -> Bool {
        done.actions.contains { if case .recover = $0 { true } else { false } }
    }

    private func commits(_ done: DrivenWriteBehind.Done) -> Bool {
        done.actions.contains { if case .commit = $0 { true } else { false } }
    }

    @Test func `Three new files in a row get the changes at once; the next one gets them after a pause`() {
        var machine = DrivenWriteBehind(WriteBehindConfig())
        _ = machine.start()
        _ = machine.timerFired()
        _ = machine.recovered(nil, hasWork: false)
        let page = StoredPage(
            page: PaginatorPage(content: ["A"], key: "a"), fetchedAt: Date(timeIntervalSince1970: 0))
        _ = machine.apply([.save(PageIdentity(key: "a", pageSize: 1), page)], for: 1)
        var done = machine.flush(for: 2)
        for _ in 0..<3 {
            #expect(commits(done))
            done = machine.commitFinished(replaced)
            #expect(learns(done) && done.pause == nil)
            done = machine.recovered(nil, hasWork: false)
        }
        #expect(commits(done))
        done = machine.commitFinished(replaced)
        #expect(!learns(done) && done.pause == .seconds(1))
        // Nothing is lost meanwhile.
        #expect(machine.pendingChanges == 1)
        #expect(learns(machine.timerFired()))
        #expect(commits(machine.recovered(nil, hasWork: false)))
        _ = machine.commitFinished(nil)
        #expect(machine.pendingChanges == 0)
    }
}
