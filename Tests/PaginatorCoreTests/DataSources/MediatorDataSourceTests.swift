import PaginatorTesting
import Testing

@testable import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A local table, a remote source and a mediator between them; every answer is given by command.
final class MediatorWorld: Sendable {
    struct PendingSave: Sendable {
        let page: PaginatorPage<Int>
        let scope: String
        let isRefresh: Bool
        let completion: @Sendable (Result<Void, any Error>) -> Void
    }

    let table = Handshake<[String: [Int]]>([:])
    let saves = Handshake<[PendingSave]>([])
    let local = ScriptedDataSource<Int>(otherwise: { _ in .hang })
    let remote = ScriptedDataSource<Int>(firstKey: "r0", keepsAnswered: true, otherwise: { _ in .hang })
    let source: MediatorDataSource<Int, Int>
    let executor = SimulatedExecutor()

    /// - Parameter inside: whether the local source answers, and saves are made, at once.
    init(
        inside: Bool = true, refreshesFirstPage: Bool = false, skipsInitialRefresh: Bool = false,
        servesLocalOnFailure: Bool = false, maxRemoteLoads: Int = 10,
        resumeKey: (@Sendable (String, PaginatorPage<Int>) -> String?)? = nil
    ) {
        let (table, saves) = (table, saves)
        if inside {
            local.otherwise { request in SourceStep.result(Self.page(of: table, request)).insideFetch }
        }
        source = MediatorDataSource(
            local: local, remote: remote, resumeKey: resumeKey, refreshesFirstPage: refreshesFirstPage,
            skipsInitialRefresh: skipsInitialRefresh, servesLocalOnFailure: servesLocalOnFailure,
            maxRemoteLoads: maxRemoteLoads
        ) { page, scope, isRefresh, completion in
            let save = PendingSave(page: page, scope: scope, isRefresh: isRefresh, completion: completion)
            if inside {
                Self.perform(save, into: table)
                completion(.success(()))
            } else {
                saves.update { $0.append(save) }
            }
        }
    }

    /// Calls the source as a paginator does, and lets it come as far as it can without an answer.
    func ask(
        _ key: String, pageSize: Int = 3, scope: String = "", isFirst: Bool = false
    ) -> (answers: SourceAnswers<Int>, handle: SourceCancellation) {
        defer { executor.runAll() }
        return source.ask(
            key, pageSize: pageSize, scope: scope, isFirst: isFirst, caller: TestCaller(executor: executor))
    }

    /// Gives the local page of a pending call.
    func answerLocal(_ call: SourceCall, with result: Result<PaginatorPage<Int>, SourceError>? = nil, times: Int = 1) {
        local.answer(call, with: result ?? Self.page(of: table, call.request), times: times)
        executor.runAll()
    }

    func finish(_ save: PendingSave, with result: Result<Void, any Error>) {
        save.completion(result)
        executor.runAll()
    }

    static func perform(_ save: PendingSave, into table: Handshake<[String: [Int]]>) {
        table.update { table in
            if save.isRefresh { table[save.scope] = [] }
            table[save.scope, default: []] += save.page.content
        }
    }

    /// The local page: offsets, with a next key whenever the page is full.
    static func page(
        of table: Handshake<[String: [Int]]>, _ request: SourceRequest
    ) -> Result<PaginatorPage<Int>, SourceError> {
        let rows = table.read { $0[request.scope] ?? [] }
        let start = Int(request.key) ?? 0
        let content = Array(rows.dropFirst(start).prefix(request.pageSize))
        return .success(
            PaginatorPage(
                content: content, key: request.key,
                nextKey: content.count == request.pageSize ? "\(start + request.pageSize)" : nil))
    }

    /// Gives the remote page of a pending call: three items, the first of them `key` times ten.
    func answerRemote(_ call: SourceCall, last: Bool = false, times: Int = 1) {
        let number = Int(call.request.key.dropFirst()) ?? 0
        let page = PaginatorPage(
            content: [number * 10, number * 10 + 1, number * 10 + 2], key: call.request.key,
            nextKey: last ? nil : "r\(number + 1)")
        answerRemote(call, with: .success(page), times: times)
    }

    func answerRemote(
        _ call: SourceCall, with result: Result<PaginatorPage<Int>, SourceError>, times: Int = 1
    ) {
        remote.answer(call, with: result, times: times)
        executor.runAll()
    }
}

@Suite struct MediatorDataSourceTests {
    private struct Down: Error {}

    @Test func `the local source alone answers while it has pages`() {
        let world = MediatorWorld()
        world.table.update { $0[""] = Array(0..<9) }
        #expect(world.ask("3").answers.page?.content == [3, 4, 5])
        #expect(world.remote.calls.isEmpty)
        #expect(world.source.firstKey == "0")
    }

    @Test func `the keys beside a page are those of the local source`() {
        let local = ScriptedDataSource<Int>(
            neighborKeys: { key, size in NeighborKeys(previous: "\(key)-\(size)", next: "\(key)+\(size)") })
        let source = MediatorDataSource(local: local, remote: ScriptedDataSource<Int>()) { _, _, _, completion in
            completion(.success(()))
        }
        #expect(source.neighborKeys(of: "9", pageSize: 3)?.previous == "9-3")
        #expect(source.neighborKeys(of: "9", pageSize: 3)?.next == "9+3")
    }

    @Test func `where the local source runs out, a remote page is saved and the local page read again`() {
        let world = MediatorWorld()
        let first = world.ask("0", scope: "s")
        #expect(first.answers.all.isEmpty)
        #expect(world.remote.calls[0].request.key == "r0" && world.remote.calls[0].request.isFirst)
        #expect(world.remote.calls[0].request.scope == "s" && world.remote.calls[0].request.pageSize == 3)
        world.answerRemote(world.remote.calls[0])
        #expect(first.answers.page?.content == [0, 1, 2] && first.answers.page?.nextKey == "3")
        let second = world.ask("3", scope: "s")
        #expect(world.remote.calls[1].request.key == "r1" && !world.remote.calls[1].request.isFirst)
        world.answerRemote(world.remote.calls[1])
        #expect(second.answers.page?.content == [10, 11, 12])
        #expect(world.remote.mostParallelCalls == 1)
    }

    @Test func `calls that have run out share one remote load, scopes do not`() {
        let world = MediatorWorld()
        let calls = (0..<5).map { _ in world.ask("0") }
        let other = world.ask("0", scope: "other")
        #expect(world.remote.calls.map(\.request.scope) == ["", "other"])
        world.answerRemote(world.remote.calls[0])
        #expect(calls.allSatisfy { $0.answers.page?.content == [0, 1, 2] })
        #expect(other.answers.all.isEmpty)
    }

    @Test func `the end is remembered, until a restart`() {
        let world = MediatorWorld()
        let first = world.ask("0")
        world.answerRemote(world.remote.calls[0], last: true)
        #expect(first.answers.page?.nextKey == "3")
        #expect(world.ask("3").answers.page?.content == [])
        #expect(world.ask("3").answers.page?.nextKey == nil)
        #expect(world.remote.calls.count == 1)
        world.table.update { $0 = [:] }
        world.source.restart()
        _ = world.ask("0")
        #expect(world.remote.calls.map(\.request.key) == ["r0", "r0"])
    }

    @Test func `remote errors end the calls that wait, and the next call tries again`() {
        let world = MediatorWorld()
        let calls = [world.ask("0"), world.ask("0")]
        world.answerRemote(world.remote.calls[0], with: .failure(.retry(Down(), after: .seconds(3))))
        for call in calls { #expect(call.answers.error?.statedDelay == .seconds(3)) }
        let again = world.ask("0")
        world.answerRemote(world.remote.calls[1])
        #expect(again.answers.page?.content == [0, 1, 2])
    }

    @Test func `a failed save ends the call`() {
        let world = MediatorWorld(inside: false)
        let call = world.ask("0")
        world.answerLocal(world.local.calls[0])
        world.answerRemote(world.remote.calls[0])
        world.finish(world.saves.read { $0[0] }, with: .failure(Down()))
        world.finish(world.saves.read { $0[0] }, with: .success(()))
        #expect(call.answers.error?.underlying is Down && call.answers.error?.isRetryable == false)
        #expect(call.answers.all.count == 1)
    }

    // The completion may be called on the queue of the database's writer, where the database must not be read.
    @Test func `nothing is read, answered or asked for while the completion of a save runs`() {
        let world = MediatorWorld(inside: false)
        let calls = [world.ask("0"), world.ask("3")]
        for call in world.local.calls { world.answerLocal(call) }
        world.answerRemote(world.remote.calls[0])
        let save = world.saves.read { $0[0] }
        MediatorWorld.perform(save, into: world.table)
        save.completion(.success(()))
        #expect(world.local.calls.count == 2 && world.remote.calls.count == 1)
        world.executor.runAll()
        #expect(world.local.calls.count == 4)
        world.answerLocal(world.local.calls[2])
        #expect(calls[0].answers.page?.content == [0, 1, 2])
    }

    @Test func `nothing is answered while the completion of a failed save runs, either`() {
        let world = MediatorWorld(inside: false)
        let call = world.ask("0")
        world.answerLocal(world.local.calls[0])
        world.answerRemote(world.remote.calls[0])
        world.saves.read { $0[0] }.completion(.failure(Down()))
        #expect(call.answers.all.isEmpty)
        world.executor.runAll()
        #expect(call.answers.error?.underlying is Down)
    }

    @Test func `no source, which may block, is called on the thread on which another one answers`() {
        let world = MediatorWorld(inside: false)
        _ = world.ask("0")
        world.local.answer(
            world.local.calls[0], with: MediatorWorld.page(of: world.table, world.local.calls[0].request))
        #expect(world.remote.calls.isEmpty)
        world.executor.runAll()
        // The page is dropped, and the local source read again.
        world.source.restart()
        world.remote.answer(world.remote.calls[0], with: .success(PaginatorPage(content: [1], key: "r0")))
        #expect(world.local.calls.count == 1)
        world.executor.runAll()
        #expect(world.local.calls.count == 2)
    }

    @Test func `local errors are not the remote source's business`() {
        let world = MediatorWorld()
        world.local.script([SourceStep.fail(.fatal(Down())).insideFetch])
        #expect(world.ask("0").answers.error?.underlying is Down)
        #expect(world.remote.calls.isEmpty)
    }

    @Test func `local items can serve when the remote source fails, as a page that is stale`() {
        let world = MediatorWorld(servesLocalOnFailure: true)
        world.table.update { $0[""] = [7] }
        let partial = world.ask("0")
        world.answerRemote(world.remote.calls[0], with: .failure(.retry(Down())))
        #expect(partial.answers.page?.content == [7])
        #expect(partial.answers.page?.expirationTime == .distantPast)
        let empty = world.ask("9")
        world.answerRemote(world.remote.calls[1], with: .failure(.retry(Down())))
        #expect(empty.answers.error != nil)
    }

    @Test func `cancel stops the remote load only when nobody else waits for it`() {
        let world = MediatorWorld()
        let calls = [world.ask("0"), world.ask("0")]
        calls[0].handle.cancel()
        #expect(!world.remote.calls[0].isCancelled)
        calls[1].handle.cancel()
        #expect(world.remote.calls[0].isCancelled)
        world.answerRemote(world.remote.calls[0])
        #expect(calls.allSatisfy { $0.answers.all.isEmpty })
        #expect(world.table.read { $0.isEmpty })
        let later = world.ask("0")
        world.answerRemote(world.remote.calls[1])
        #expect(later.answers.page?.content == [0, 1, 2])
    }

    @Test func `cancel reaches the local source`() {
        let world = MediatorWorld(inside: false)
        world.ask("0").handle.cancel()
        #expect(world.local.calls[0].isCancelled)
    }

    @Test func `a refresh loads the first remote page in place of everything`() {
        let world = MediatorWorld(refreshesFirstPage: true)
        world.table.update { $0[""] = [90, 91, 92, 93] }
        let first = world.ask("0", isFirst: true)
        #expect(first.answers.all.isEmpty)
        world.answerRemote(world.remote.calls[0])
        #expect(first.answers.page?.content == [0, 1, 2])
        let next = world.ask("3")
        world.answerRemote(world.remote.calls[1])
        #expect(world.remote.calls[1].request.key == "r1")
        #expect(next.answers.page?.content == [10, 11, 12])
    }

    @Test func `a refresh while another one loads gets what the server has after it, in one load for all such`() {
        let world = MediatorWorld(refreshesFirstPage: true)
        let first = world.ask("0", isFirst: true)
        let later = [world.ask("0", isFirst: true), world.ask("0", isFirst: true)]
        #expect(world.remote.calls.count == 1)
        world.answerRemote(world.remote.calls[0])
        #expect(first.answers.page?.content == [0, 1, 2])
        #expect(later.allSatisfy { $0.answers.all.isEmpty })
        #expect(world.remote.calls.map(\.request.key) == ["r0", "r0"])
        let newer = PaginatorPage(content: [9, 0, 1], key: "r0", nextKey: "r1")
        world.answerRemote(world.remote.calls[1], with: .success(newer))
        for call in later { #expect(call.answers.page?.content == [9, 0, 1]) }
        #expect(world.remote.calls.count == 2)
    }

    @Test func `what is saved stays after a launch and a later refresh replaces it`() {
        let world = MediatorWorld(
            refreshesFirstPage: true, skipsInitialRefresh: true,
            resumeKey: { scope, _ in scope.isEmpty ? "r9" : nil })
        world.table.update { $0[""] = [90, 91, 92, 93] }
        #expect(world.ask("0", isFirst: true).answers.page?.content == [90, 91, 92])
        let rest = world.ask("3")
        #expect(world.remote.calls.map(\.request.key) == ["r9"])
        world.answerRemote(world.remote.calls[0])
        #expect(rest.answers.page?.content == [93, 90, 91])
        let refresh = world.ask("0", isFirst: true)
        #expect(world.remote.calls[1].request.key == "r0")
        world.answerRemote(world.remote.calls[1])
        #expect(refresh.answers.page?.content == [0, 1, 2])
        // Another scope begins for itself, and loads if it has nothing.
        let other = world.ask("0", scope: "other", isFirst: true)
        world.answerRemote(world.remote.calls[2])
        #expect(other.answers.page?.content == [0, 1, 2])
    }

    @Test func `a refresh that fails can show what is there`() {
        let world = MediatorWorld(refreshesFirstPage: true, servesLocalOnFailure: true)
        world.table.update { $0[""] = [90, 91, 92, 93] }
        let first = world.ask("0", isFirst: true)
        world.answerRemote(world.remote.calls[0], with: .failure(.retry(Down())))
        #expect(first.answers.page?.content == [90, 91, 92])
        #expect(first.answers.page?.expirationTime == .distantPast && first.answers.page?.nextKey == "3")
    }

    @Test func `after a relaunch remote loads go on at the key that was saved`() {
        let world = MediatorWorld(resumeKey: { scope, page in "r\(scope.count + page.content.count)" })
        world.table.update { $0["ab"] = [1] }
        let call = world.ask("0", scope: "ab")
        #expect(world.remote.calls[0].request.key == "r3")
        world.answerRemote(world.remote.calls[0])
        #expect(call.answers.page?.content == [1, 30, 31])
        _ = world.ask("6", scope: "ab")
        #expect(world.remote.calls[1].request.key == "r4")
    }

    @Test func `a far page is reached by several remote loads, within the limit`() {
        let world = MediatorWorld(maxRemoteLoads: 3)
        let far = world.ask("6")
        for index in 0..<3 { world.answerRemote(world.remote.calls[index]) }
        #expect(far.answers.page?.content == [20, 21, 22])
        let tooFar = world.ask("90")
        for index in 3..<6 { world.answerRemote(world.remote.calls[index]) }
        #expect((tooFar.answers.error?.underlying as? RemoteLoadsExhausted)?.loads == 3)
        #expect(world.remote.calls.count == 6)
    }

    @Test func `an empty local page that names a next key sends for one remote page, then is believed`() {
        let world = MediatorWorld()
        world.local.otherwise { request in
            SourceStep.page(PaginatorPage(content: [], key: request.key, nextKey: "9")).insideFetch
        }
        let call = world.ask("0")
        world.answerRemote(world.remote.calls[0])
        #expect(call.answers.page?.nextKey == "9")
        #expect(world.remote.calls.count == 1)
    }

    @Test func `a remote source that repeats its key is taken to have ended`() {
        let world = MediatorWorld()
        let call = world.ask("0", pageSize: 5)
        let page = PaginatorPage(content: [1], key: "r0", nextKey: "r0")
        world.answerRemote(world.remote.calls[0], with: .success(page))
        #expect(call.answers.page?.content == [1])
        #expect(world.remote.calls.count == 1)
    }

    @Test func `a page that is on its way at a restart is dropped`() {
        let world = MediatorWorld()
        let call = world.ask("0")
        world.source.restart()
        world.answerRemote(world.remote.calls[0])
        #expect(world.table.read { $0.isEmpty })
        #expect(call.answers.all.isEmpty)
        world.answerRemote(world.remote.calls[1])
        #expect(call.answers.page?.content == [0, 1, 2])
    }
}
