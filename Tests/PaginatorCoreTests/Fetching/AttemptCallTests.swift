import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct AttemptCallTests {
    private let rig = FetchRig()
    private let cancelled = Guarded(0)

    private var cancellation: SourceCancellation {
        SourceCancellation { [cancelled] in cancelled.withLock { $0 += 1 } }
    }

    private func call() -> AttemptCall {
        AttemptCall(1, rig.identity("1"), edits: 0, engine: rig.paginator.engine.reference)
    }

    private let answer: Result<LoadedPage, SourceError> = .failure(.fatal(FetchRig.Outage()))

    private func expect(cancelled count: Int, _ location: SourceLocation = #_sourceLocation) {
        #expect(cancelled.withLock { $0 } == count, sourceLocation: location)
    }

    @Test func `a call that is stopped is cancelled once`() {
        let call = call()
        call.made(cancellation)
        call.stop()
        call.stop()
        expect(cancelled: 1)
    }

    @Test func `a call that is stopped before its handle came is cancelled when it comes`() {
        let call = call()
        call.stop()
        expect(cancelled: 0)
        call.made(cancellation)
        expect(cancelled: 1)
    }

    @Test func `a call that answered is not cancelled`() {
        let call = call()
        call.made(cancellation)
        call.answer(answer)
        call.stop()
        expect(cancelled: 0)
    }

    @Test func `a call that answered inside is not cancelled`() {
        let first = call()
        first.answer(answer)
        first.made(cancellation)
        let second = call()
        second.answer(answer)
        second.stop()
        second.made(cancellation)
        expect(cancelled: 0)
    }

    @Test func `only the first answer counts, and others are told`() {
        let call = call()
        call.stop()
        for _ in 0..<3 { call.answer(answer) }
        #expect(rig.paginator.counters[.lateAnswer] == 1)
        #expect(rig.paginator.counters[.duplicateAnswer] == 2)
    }

    @Test func `nothing is kept of calls that are over`() {
        rig.fetch("1")
        rig.hangSource()
        let caller = rig.fetch("2")
        let calls = rig.paginator.engine.calls
        #expect(calls.withLock { $0.count } == 1)
        caller.execution.cancel()
        rig.run()
        #expect(calls.withLock { $0.count } == 0)
    }
}
