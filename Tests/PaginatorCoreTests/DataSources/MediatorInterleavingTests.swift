import Dispatch
import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct MediatorInterleavingTests {
    private struct Down: Error {}

    private struct Call {
        let answers: SourceAnswers<Int>
        let handle: SourceCancellation
        var answersAtCancel: Int?
    }

    @Test(arguments: UInt64(0)..<200)
    func `every call is answered exactly once, and one remote load runs at a time`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let world = MediatorWorld(
            inside: false, refreshesFirstPage: random.chance(0.3), servesLocalOnFailure: !random.chance(0.5),
            maxRemoteLoads: 3)
        var calls: [Call] = []
        for _ in 0..<150 {
            step(world, &calls, &random)
            #expect(world.remote.pendingCalls.count <= 1, "seed \(seed)")
        }
        settle(world)
        for (index, call) in calls.enumerated() {
            #expect(call.answers.all.count == call.answersAtCancel ?? 1, "seed \(seed) call \(index)")
        }
    }

    private func step(_ world: MediatorWorld, _ calls: inout [Call], _ random: inout SeededRandom) {
        switch random.number(in: 0..<12) {
        case 0, 1, 2:
            let key = "\(3 * random.number(in: 0..<6))"
            let call = world.ask(key, isFirst: key == "0")
            calls.append(Call(answers: call.answers, handle: call.handle))
        case 3 where !calls.isEmpty:
            let victim = random.number(in: 0..<calls.count)
            calls[victim].handle.cancel()
            calls[victim].answersAtCancel = calls[victim].answersAtCancel ?? calls[victim].answers.all.count
        case 4:
            world.source.restart()
        case 5, 6, 7:
            guard let call = world.local.pendingCalls.randomElement(using: &random) else { return }
            world.answerLocal(
                call, with: random.chance(0.9) ? nil : .failure(.retry(Down())), times: random.number(in: 1..<3))
        case 8, 9:
            guard let call = world.remote.calls.randomElement(using: &random) else { return }
            if random.chance(0.2) {
                world.answerRemote(call, with: .failure(.retry(Down())), times: random.number(in: 1..<3))
            } else {
                world.answerRemote(call, last: random.chance(0.1), times: random.number(in: 1..<3))
            }
        default:
            let saves = world.saves.read { $0 }
            guard let save = saves.randomElement(using: &random) else { return }
            finish(save, world, fails: random.chance(0.2), times: random.number(in: 1..<3))
        }
    }

    private func finish(_ save: MediatorWorld.PendingSave, _ world: MediatorWorld, fails: Bool, times: Int) {
        if !fails { MediatorWorld.perform(save, into: world.table) }
        for _ in 0..<times { world.finish(save, with: fails ? .failure(Down()) : .success(())) }
    }

    /// Lets everything that is under way come to its end.
    private func settle(_ world: MediatorWorld) {
        var saved = 0
        while true {
            let saves = world.saves.read { $0 }
            if let call = world.local.pendingCalls.first {
                world.answerLocal(call)
            } else if let call = world.remote.pendingCalls.first {
                world.answerRemote(call, last: true)
            } else if saved < saves.count {
                finish(saves[saved], world, fails: false, times: 1)
                saved += 1
            } else {
                return
            }
        }
    }

    @Test func `from many threads, every call is answered once and no remote page is saved twice`() {
        let world = MediatorWorld()
        world.remote.otherwise { request in
            let number = Int(request.key.dropFirst()) ?? 0
            return .page(
                PaginatorPage(
                    content: [number * 3, number * 3 + 1, number * 3 + 2], key: request.key,
                    nextKey: number < 40 ? "r\(number + 1)" : nil))
        }
        let all = Handshake<[Int: SourceAnswers<Int>]>([:])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for step in 0..<20 {
                let call = world.source.ask("\(3 * (step % 7))")
                all.update { $0[thread * 100 + step] = call.answers }
                if step % 5 == 4 {
                    call.handle.cancel()
                } else {
                    call.answers.handshake.block { !$0.isEmpty }
                }
            }
        }
        #expect(all.read { $0 }.allSatisfy { $0.value.all.count == 1 || ($0.key % 5 == 4 && $0.value.all.isEmpty) })
        let rows = world.table.read { $0[""] ?? [] }
        #expect(rows == Array(0..<rows.count))
    }
}
