import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite("Rule 6: exactly once")
struct Rule06ExactlyOnceTests {
    /// One way for a fetch to end.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// `nil` when it ends with a page.
        let code: PaginatorError.Code?
        let play: @Sendable (FetchRig, Caller) -> Void

        init(
            _ name: String, _ code: PaginatorError.Code?,
            _ play: @escaping @Sendable (FetchRig, Caller) -> Void
        ) {
            testDescription = name
            self.code = code
            self.play = play
        }
    }

    static let ways: [Way] = [
        Way("an answer", nil) { rig, _ in rig.answer("1") },
        Way("an answer after a cancelled twin", nil) { rig, _ in
            rig.fetch("1").execution.cancel()
            rig.answer("1")
        },
        Way("two answers", nil) { rig, _ in
            rig.answer("1")
            rig.source.answer(rig.source.calls[0], with: .success(rig.page("1", version: 99)))
        },
        Way("a page and then an error", nil) { rig, _ in
            rig.answer("1")
            rig.source.answer(rig.source.calls[0], with: .failure(.fatal(FetchRig.Outage())))
        },
        Way("an error and then a page", .sourceFailed) { rig, _ in
            rig.fail("1")
            rig.source.answer(rig.source.calls[0], with: .success(rig.page("1", version: 99)))
        },
        Way("cancel", .cancelled) { _, caller in _ = caller.execution.cancel() },
        Way("cancel twice", .cancelled) { _, caller in
            #expect(caller.execution.cancel())
            #expect(!caller.execution.cancel())
        },
        Way("cancel and a late answer", .cancelled) { rig, caller in
            caller.execution.cancel()
            rig.run()
            rig.source.answer(rig.source.calls[0], with: .success(rig.page("1", version: 99)))
        },
        Way("an answer and then cancel", nil) { rig, caller in
            rig.answer("1")
            caller.execution.cancel()
        },
        Way("the fetch's time-out", .timedOut) { rig, _ in rig.advance(.seconds(60)) },
        Way("the time-out and a late answer", .timedOut) { rig, _ in
            rig.advance(.seconds(60))
            for call in rig.source.calls { rig.source.answer(call, with: .success(rig.page("1", version: 99))) }
        },
        Way("a source that never answers", .timedOut) { rig, _ in
            for _ in 0..<20 { rig.advance(.seconds(30)) }
        },
        Way("clear and then the answer", nil) { rig, _ in
            rig.paginator.clear(key: "1")
            rig.answer("1")
        },
        Way("clear of everything and no answer", .timedOut) { rig, _ in
            rig.paginator.clearAll()
            rig.advance(.seconds(60))
        },
        Way("invalidate and then the answer", nil) { rig, _ in
            rig.paginator.invalidate(.all)
            rig.answer("1")
        },
        Way("refresh and then the answers", nil) { rig, _ in
            rig.refresh("1")
            rig.answer("1")
            rig.answer("1")
        },
        Way("suspend, the answer, and resume", nil) { rig, _ in
            rig.paginator.suspend()
            rig.answer("1")
            rig.paginator.resume()
        },
        Way("shutdown", .released) { rig, _ in rig.paginator.shutdown() },
        Way("shutdown twice and a late answer", .released) { rig, _ in
            rig.paginator.shutdown()
            rig.paginator.shutdown()
            rig.source.answer(rig.source.calls[0], with: .success(rig.page("1", version: 99)))
        },
        Way("release", .released) { rig, _ in rig.release() },
        Way("release and a late answer", .released) { rig, _ in
            rig.release()
            rig.source.answer(rig.source.calls[0], with: .success(rig.page("1", version: 99)))
        },
        Way("release and then cancel", .cancelled) { rig, caller in
            rig.release()
            caller.execution.cancel()
        },
    ]

    @Test(arguments: ways) func `every fetch ends in exactly one terminal callback`(_ way: Way) {
        let rig = FetchRig()
        rig.hangSource()
        let caller = rig.fetch("1")
        #expect(rig.source.calls.count == 1)
        way.play(rig, caller)
        rig.run()
        rig.clock.advance(by: .hours(1))
        rig.run()
        #expect(caller.endedOnce)
        #expect(caller.code == way.code)
        if way.code == nil { #expect(caller.version == 1) }
    }

    @Test(arguments: ways) func `so does every fetch around`(_ way: Way) {
        let rig = FetchRig(computesNeighbors: true)
        rig.hangSource()
        let around = rig.fetchAround("1", depth: 2)
        let caller = rig.start("1")
        way.play(rig, Caller(listener: caller.listener, execution: around.execution))
        rig.run()
        for _ in 0..<10 {
            rig.clock.advance(by: .minutes(10))
            rig.run()
        }
        #expect(around.endedOnce)
        #expect(caller.endedOnce)
    }

    @Test func `a source that answers twice or late is reported`() {
        let rig = FetchRig()
        rig.source.script([.page(rig.page("1", version: 5)).twice.insideFetch], forKey: "1")
        #expect(rig.fetch("1").version == 5)
        #expect(rig.observer?.count(of: .duplicateAnswer) == 1)
        rig.hangSource()
        rig.fetch("2").execution.cancel()
        rig.run()
        rig.source.answer(rig.source.calls[1], with: .success(rig.page("2", version: 6)))
        rig.run()
        #expect(rig.observer?.count(of: .lateAnswer) == 1)
        #expect(rig.cached("2") == nil)
    }

    @Test func `a refused fetch and a memory hit end once`() {
        let rig = FetchRig()
        rig.fetch("1")
        for caller in [rig.start("1"), rig.start("")] {
            rig.run()
            rig.paginator.clearAll()
            caller.execution.cancel()
            rig.run()
            #expect(caller.endedOnce)
        }
    }
}
