import PaginatorTesting
import Testing

@testable import PaginatorCore

/// "While a refresh is on its way or being saved, other pages of the scope wait for it and are read after it."
@Suite struct MediatorRefreshTests {
    private struct Down: Error {}

    /// A table of six rows, or more, with a refresh on its way and a call for the second page that waits for it.
    private func refreshing(
        inside: Bool = true, servesLocalOnFailure: Bool = false
    ) -> (world: MediatorWorld, first: Call, second: Call) {
        let world = MediatorWorld(
            inside: inside, refreshesFirstPage: true, servesLocalOnFailure: servesLocalOnFailure)
        world.table.update { $0[""] = [90, 91, 92, 93, 94, 95, 96] }
        return (world, world.ask("0", isFirst: true), world.ask("3"))
    }

    private typealias Call = (answers: SourceAnswers<Int>, handle: SourceCancellation)

    @Test func `a page that is asked for during a refresh is read when that is saved, and goes on where it ends`() {
        let (world, first, second) = refreshing()
        #expect(second.answers.all.isEmpty)
        world.answerRemote(world.remote.calls[0])
        #expect(first.answers.page?.content == [0, 1, 2])
        #expect(second.answers.all.isEmpty && world.remote.calls.map(\.request.key) == ["r0", "r1"])
        world.answerRemote(world.remote.calls[1])
        #expect(second.answers.page?.content == [10, 11, 12])
    }

    @Test func `a page that is asked for while a refresh is being saved is read afterward`() {
        let (world, _, _) = refreshing(inside: false)
        world.answerRemote(world.remote.calls[0])
        let late = world.ask("3")
        #expect(world.local.calls.isEmpty)
        let save = world.saves.read { $0[0] }
        MediatorWorld.perform(save, into: world.table)
        world.finish(save, with: .success(()))
        #expect(world.local.calls.map(\.request.key) == ["0", "3", "3"])
        #expect(late.answers.all.isEmpty)
    }

    @Test func `other scopes do not wait for a refresh`() {
        let (world, _, _) = refreshing()
        world.table.update { $0["other"] = [70, 71, 72, 73, 74, 75, 76] }
        #expect(world.ask("3", scope: "other").answers.page?.content == [73, 74, 75])
    }

    @Test(arguments: [false, true])
    func `a page that waits for a refresh is read as before when that fails`(servesLocal: Bool) {
        let (world, first, second) = refreshing(servesLocalOnFailure: servesLocal)
        world.answerRemote(world.remote.calls[0], with: .failure(.retry(Down())))
        #expect(first.answers.page?.content == (servesLocal ? [90, 91, 92] : nil))
        #expect(second.answers.page?.content == [93, 94, 95])
        #expect(second.answers.page?.expirationTime == nil && second.answers.all.count == 1)
    }

    @Test func `a page that waits for a refresh is read when that cannot be saved`() {
        let (world, first, second) = refreshing(inside: false)
        world.answerRemote(world.remote.calls[0])
        world.finish(world.saves.read { $0[0] }, with: .failure(Down()))
        #expect(first.answers.error?.underlying is Down)
        world.answerLocal(world.local.calls[0])
        #expect(second.answers.page?.content == [93, 94, 95])
    }

    @Test func `a page that waits for a refresh is read when a restart drops that, and waits for no other one`() {
        let (world, first, second) = refreshing()
        world.source.restart()
        world.answerRemote(world.remote.calls[0])
        #expect(second.answers.page?.content == [93, 94, 95])
        #expect(first.answers.all.isEmpty && world.remote.calls.map(\.request.key) == ["r0", "r0"])
    }

    @Test func `a refresh is stopped when nobody wants its page any more, and what waits for it is read as before`() {
        let (world, first, second) = refreshing()
        let left = world.ask("3")
        left.handle.cancel()
        #expect(!world.remote.calls[0].isCancelled)
        first.handle.cancel()
        #expect(world.remote.calls[0].isCancelled)
        world.executor.runAll()
        #expect(second.answers.page?.content == [93, 94, 95])
        #expect(first.answers.all.isEmpty && left.answers.all.isEmpty)
        #expect(world.ask("3").answers.page?.content == [93, 94, 95])
    }
}
