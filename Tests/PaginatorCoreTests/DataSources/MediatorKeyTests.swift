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
        let world = MediatorWorld(resumeKey: { _, _ in "" })
        world.table.update { $0[""] = [1] }
        let call = world.ask("0")
        #expect(world.remote.calls.isEmpty)
        #expect((call.answers.error?.underlying as? PaginatorError)?.code == .invalidKey)
    }
}
