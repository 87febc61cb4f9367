import PaginatorTesting
import Testing

@testable import PaginatorCore

/// A hostile remote source chooses the keys that come next.
@Suite struct MediatorKeyTests {
    @Test(arguments: ["", "a\0b", String(repeating: "x", count: 100_000)])
    func `a bad remote key is not asked for, what came before it stays, and who asks further is told`(key: String) {
        let world = MediatorWorld()
        let first = world.ask("0")
        world.answerRemote(
            world.remote.calls[0], with: .success(PaginatorPage(content: [1, 2, 3], key: "r0", nextKey: key)))
        #expect(first.answers.page?.content == [1, 2, 3])
        let second = world.ask("3")
        #expect(world.remote.calls.count == 1)
        #expect((second.answers.error?.underlying as? PaginatorError)?.code == .invalidKey)
        #expect(second.answers.error?.isRetryable == false)
    }

    @Test func `a bad key to go on from after a relaunch is not asked for`() {
        let world = MediatorWorld(resumeKey: { _, _ in "a\0b" })
        world.table.update { $0[""] = [1] }
        let call = world.ask("0")
        #expect(world.remote.calls.isEmpty)
        #expect((call.answers.error?.underlying as? PaginatorError)?.code == .invalidKey)
    }

    @Test func `a page that was read before the table was emptied does not say where the source goes on`() throws {
        let world = MediatorWorld(inside: false, resumeKey: { _, page in page.content.last.map { "r\($0)" } })
        let call = world.ask("0", isFirst: true)
        let early = try #require(world.local.pendingCalls.first)
        // Before the first remote load of the scope.
        world.source.restart()
        world.local.answer(early, with: .success(PaginatorPage(content: [7, 8], key: "0")))
        world.executor.runAll()
        while let read = world.local.pendingCalls.first {
            world.local.answer(read, with: MediatorWorld.page(of: world.table, read.request))
            world.executor.runAll()
        }
        #expect(world.remote.calls.map(\.request.key) == ["r0"], "the table is empty: from its start")
        #expect(call.answers.all.isEmpty)
    }
}
