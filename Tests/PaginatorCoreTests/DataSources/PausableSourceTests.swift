import PaginatorTesting
import Testing

@testable import PaginatorCore

/// One of several sources that says that it wants to be left alone.
@Suite struct PausableSourceTests {
    private struct RateLimit: Error {}

    /// Pages of a device's database, from version 100 on: "1" is followed by "2", the last one.
    private let local = ScriptedDataSource<SampleItem>(
        firstKey: "1", keepsAnswered: true,
        otherwise: { request in
            let number = Int(request.key) ?? 0
            return .page(
                PaginatorPage(
                    content: [SampleItem(id: 100 + number, text: "local")], key: request.key,
                    nextKey: number < 2 ? "\(number + 1)" : nil)
            ).insideFetch
        })

    private func mediatorRig(servesLocalOnFailure: Bool = false) -> FetchRig {
        FetchRig(over: { [local] remote in
            MediatorDataSource(local: local, remote: remote, servesLocalOnFailure: servesLocalOnFailure) {
                $3(.success(()))
            }
        })
    }

    /// The pending call of the rig's source asks for a pause and fails.
    private func pause(_ rig: FetchRig, for delay: Duration = .seconds(600)) throws {
        rig.run()
        let call = try #require(rig.source.pendingCalls.first)
        call.request.pauseSource(for: delay, because: RateLimit())
        rig.fail(call.request.key, .retry(FetchRig.Outage()))
    }

    @Test func `local pages are read while the remote source of a mediator is left alone`() throws {
        let rig = mediatorRig()
        rig.hangSource()
        let caller = rig.start("2", timeout: .seconds(60))
        try pause(rig)
        #expect(rig.observer?.events.filter { $0.kind == .sourcePaused }.map(\.duration) == [.seconds(600)])
        #expect(rig.fetch("1").version == 101)
        // The next attempt finds that it need not wait.
        rig.advance(.seconds(30))
        #expect(caller.endedOnce && caller.code == .sourceFailed)
        #expect(rig.fetch("2", timeout: .seconds(60)).code == .sourceFailed)
        #expect(rig.source.calls.count == 1)
        #expect(rig.fetch("1", policy: .networkOnly).version == 101)

        rig.advance(.seconds(570))
        _ = rig.fetch("2", scope: "other")
        #expect(rig.source.calls.count == 2)
    }

    @Test func `a mediator that serves local pages on failure does so at once while the remote source is left alone`()
        throws
    {
        let rig = mediatorRig(servesLocalOnFailure: true)
        rig.hangSource()
        let caller = rig.start("2")
        try pause(rig)
        #expect(caller.version == 102)
        #expect(rig.fetch("2", scope: "other").version == 102)
        #expect(rig.source.calls.count == 1)
    }

    @Test func `the second source answers while the first one is left alone, and the first one afterwards`() throws {
        let rig = FetchRig(over: { [local] first in first.fallback(to: local) })
        rig.hangSource()
        let caller = rig.start("7")
        try pause(rig)
        #expect(caller.version == 107)
        #expect(rig.fetch("8").version == 108)
        #expect(rig.source.calls.count == 1)
        rig.script.withLock { $0.hangs = false }
        rig.advance(.seconds(600))
        #expect(rig.fetch("9").version == 1)
    }

    @Test func `calls that a pause fails say why, cost no retries, and hold up no local page`() throws {
        let rig = mediatorRig()
        rig.hangSource()
        rig.start("2", timeout: .seconds(60))
        try pause(rig)
        let before = rig.paginator.engine.scheduler.statistics
        for number in 0..<60 {
            let caller = rig.fetch("2", scope: "\(number)", timeout: .seconds(60))
            #expect(caller.listener.error?.underlying is RateLimit)
        }
        let after = rig.paginator.engine.scheduler.statistics
        #expect(after.retryBudget == before.retryBudget && after.throttleProbability == 0)
        for _ in 0..<60 { #expect(rig.fetch("1", policy: .networkOnly).version == 101) }
        #expect(rig.source.calls.count == 1)
    }

    @Test func `the rule of a fallback gets the error that the source gave for its pause`() throws {
        let rig = FetchRig(over: { [local] first in
            first.fallback(to: local) { failure, _ in
                if case .retry(let error, _) = failure { error is RateLimit || error is FetchRig.Outage } else { false }
            }
        })
        rig.hangSource()
        rig.start("7")
        try pause(rig)
        #expect(rig.fetch("8").version == 108)
        #expect(rig.source.calls.count == 1)
    }

    @Test func `the first source answers while the second one is left alone`() throws {
        let rig = FetchRig(over: { [local] second in local.fallback(to: second) })
        rig.hangSource()
        local.script([.fail(.fatal(FetchRig.Outage())).insideFetch], forKey: "7")
        let caller = rig.start("7", timeout: .seconds(60))
        try pause(rig)
        #expect(rig.fetch("8").version == 108)
        rig.advance(.seconds(30))
        #expect(caller.version == 107)
    }

    @Test func `the state tells how long a source of several within another may take`() {
        let hanging = ScriptedDataSource<SampleItem>(otherwise: { _ in .hang })
        let rig = FetchRig(over: { [local] first in first.fallback(to: hanging.fallback(to: local)) })
        rig.failSource(.fatal(FetchRig.Outage()))
        _ = rig.fetch("1")
        #expect(hanging.calls.count == 1)
        #expect(rig.paginator.dump().contains("part of a call times out"))
    }

    @Test func `no source of several is left alone for longer than the scheduler allows`() throws {
        let rig = FetchRig({ $0.scheduling.sourcePauseCap = .seconds(60) }, over: { [local] in $0.fallback(to: local) })
        rig.hangSource()
        rig.start("7")
        try pause(rig)
        rig.script.withLock { $0.hangs = false }
        rig.advance(.seconds(59))
        #expect(rig.fetch("8").version == 108)
        rig.advance(.seconds(1))
        #expect(rig.fetch("9").version == 1)
    }
}
