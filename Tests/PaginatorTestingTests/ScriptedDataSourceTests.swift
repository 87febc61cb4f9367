import PaginatorCore
import PaginatorTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

private struct Outage: Error {}

/// A clock that advances when its time is read after a source was called, as a test advances it that waited for the call.
private struct HastyClock: PaginatorClock {
    let manual = ManualPaginatorClock()
    let source = Guarded<ScriptedDataSource<Int>?>(nil)

    var now: PaginatorInstant {
        let isCalled = source.withLock { $0 }?.calls.isEmpty == false
        if isCalled { manual.advance(to: PaginatorInstant.zero.advanced(by: .seconds(2))) }
        return manual.now
    }

    var wallTime: Date { manual.wallTime }

    func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
        manual.makeTimer(handler)
    }
}

/// The answers of a source's calls, by the order in which they came.
private final class Answers: Sendable {
    let handshake = Handshake<[String]>([])

    func take(_ name: String) -> @Sendable (Result<PaginatorPage<Int>, SourceError>) -> Void {
        { result in
            let text =
                switch result {
                case .success(let page): "\(page.content)"
                case .failure(let error): error.description
                }
            self.handshake.update { $0.append("\(name) \(text)") }
        }
    }

    var texts: [String] { handshake.read { $0 } }
}

@Suite struct ScriptedDataSourceTests {
    private func request(_ key: String, attempt: Int = 1) -> SourceRequest {
        SourceRequest(identity: PageIdentity(key: key, pageSize: 3), attempt: attempt)
    }

    private func page(_ content: [Int], key: String = "0") -> PaginatorPage<Int> {
        PaginatorPage(content: content, key: key)
    }

    @Test func `takes the steps of the key first, then those in order, then the rule for the rest`() async throws {
        let source = ScriptedDataSource<Int>(otherwise: { _ in .page(PaginatorPage(content: [9], key: "x")) })
        source.script([.page(page([1])), .page(page([2]))])
        source.script([.fail(.retry(Outage()))], forKey: "a")
        let answers = Answers()
        for name in ["a", "a", "b", "c"] {
            _ = source.fetch(request(name), completion: answers.take(name))
        }
        try await answers.handshake.wait { $0.count == 4 }
        #expect(answers.texts == ["a retry: Outage()", "a [1]", "b [2]", "c [9]"])
        #expect(source.keys == ["a", "a", "b", "c"])
        #expect(source.calls.map(\.answers) == [1, 1, 1, 1])
    }

    @Test func `keys that are canonically equal are scripted apart`() {
        let source = ScriptedDataSource<Int>()
        source.script([SourceStep.page(page([1])).insideFetch], forKey: "caf\u{e9}")
        source.script([SourceStep.page(page([2])).insideFetch], forKey: "cafe\u{301}")
        let answers = Answers()
        _ = source.fetch(request("cafe\u{301}"), completion: answers.take(""))
        _ = source.fetch(request("caf\u{e9}"), completion: answers.take(""))
        #expect(answers.texts == [" [2]", " [1]"])
    }

    @Test func `a call for which nothing is scripted fails`() async throws {
        let source = ScriptedDataSource<Int>()
        let answers = Answers()
        _ = source.fetch(request("a"), completion: answers.take("a"))
        try await answers.handshake.wait { $0.count == 1 }
        #expect(answers.texts[0].contains("PaginatorDataSource.fetch(a"))
    }

    @Test func `hanging calls are answered on command, in any order, and count as parallel`() async throws {
        let source = ScriptedDataSource<Int>(otherwise: { _ in .hang })
        let answers = Answers()
        for name in ["a", "b", "c"] {
            _ = source.fetch(request(name), completion: answers.take(name))
        }
        let calls = source.pendingCalls
        #expect(source.mostParallelCalls == 3)
        #expect(source.answer(calls[2], with: .success(page([3]))))
        #expect(source.answer(calls[0], with: .success(page([1]))))
        #expect(answers.texts == ["c [3]", "a [1]"])
        #expect(source.pendingCalls.map(\.request.key) == ["b"])
        #expect(!source.answer(calls[0], with: .success(page([1]))))
    }

    @Test func `answers twice, by script and by command`() async throws {
        let source = ScriptedDataSource<Int>(keepsAnswered: true)
        source.script([SourceStep.page(page([1])).twice, .hang])
        let answers = Answers()
        _ = source.fetch(request("a"), completion: answers.take("a"))
        try await answers.handshake.wait { $0.count == 2 }
        _ = source.fetch(request("b"), completion: answers.take("b"))
        source.answer(source.calls[1], with: .success(page([2])), times: 2)
        source.answer(source.calls[1], with: .failure(.fatal(Outage())))
        #expect(answers.texts == ["a [1]", "a [1]", "b [2]", "b [2]", "b fatal: Outage()"])
        #expect(source.calls.map(\.answers) == [2, 3])
    }

    @Test func `answers inside fetch, before it returns`() {
        let source = ScriptedDataSource<Int>()
        source.script([SourceStep.page(page([1])).insideFetch])
        let answers = Answers()
        _ = source.fetch(request("a"), completion: answers.take("a"))
        #expect(answers.texts == ["a [1]"])
    }

    @Test func `a recorded source refuses the keys that the real one refuses`() async throws {
        let source = ScriptedDataSource(recording: ArrayDataSource(Array(0..<9)))
        let paginator = CallbackPaginator(dataSource: source)
        let listener = RecordingListener<Int>()
        paginator.fetch(key: "abc", pageSize: 3, listener: listener)
        _ = try await listener.waitForEnd()
        #expect(listener.error?.code == .invalidKey)
        #expect(source.calls.isEmpty)
    }

    @Test func `delays by the manual clock`() {
        let clock = ManualPaginatorClock()
        let source = ScriptedDataSource<Int>(clock: clock)
        source.script([SourceStep.page(page([1])).after(.seconds(2)), SourceStep.page(page([2])).after(.seconds(1))])
        let answers = Answers()
        _ = source.fetch(request("a"), completion: answers.take("a"))
        _ = source.fetch(request("b"), completion: answers.take("b"))
        clock.advance(by: .milliseconds(999))
        #expect(answers.texts == [])
        clock.advance(by: .seconds(5))
        #expect(answers.texts == ["b [2]", "a [1]"])
    }

    @Test func `a delay begins with the call, also if the clock advances before the answer is scheduled`() {
        let clock = HastyClock()
        let source = ScriptedDataSource<Int>(clock: clock)
        clock.source.withLock { $0 = source }
        source.script([SourceStep.page(page([1])).after(.seconds(2))])
        let answers = Answers()
        _ = source.fetch(request("a"), completion: answers.take("a"))
        clock.manual.advance(to: PaginatorInstant.zero.advanced(by: .seconds(2)))
        #expect(answers.texts == ["a [1]"])
        clock.source.withLock { $0 = nil }
    }

    @Test func `records cancellation, and can still answer late`() async throws {
        let source = ScriptedDataSource<Int>(otherwise: { _ in .hang })
        let answers = Answers()
        let handle = source.fetch(request("a", attempt: 2), completion: answers.take("a"))
        handle.cancel()
        try await source.waitForCancelledCalls(1)
        let call = source.calls[0]
        #expect(call.isCancelled && !call.isPending && call.request.attempt == 2)
        #expect(source.answer(call, with: .success(page([1]))))
        #expect(answers.texts == ["a [1]"])
    }

    @Test func `lets go of what an answered completion refers to`() {
        final class Owner: Sendable {}
        let source = ScriptedDataSource<Int>(otherwise: { _ in .hang })
        var owner: Owner? = Owner()
        weak let seen = owner
        _ = source.fetch(request("a")) { [owner] _ in withExtendedLifetime(owner) {} }
        owner = nil
        #expect(seen != nil)
        source.answer(source.calls[0], with: .success(page([])))
        #expect(seen == nil)
    }

    @Test func `waits by blocking`() {
        let source = ScriptedDataSource<Int>(otherwise: { _ in .hang })
        source.fetch(request("a")) { _ in }.cancel()
        _ = source.fetch(request("b")) { _ in }
        #expect(source.blockUntilCalls(2).count == 2)
        #expect(source.pendingCalls.map(\.request.key) == ["b"])
    }

    @Test func `hands calls on to a real source, records them, and goes by the script first`() {
        let real = ScriptedDataSource<Int>(
            firstKey: "f", neighborKeys: { key, _ in NeighborKeys(previous: nil, next: key + "!") },
            otherwise: { _ in .hang })
        let source = ScriptedDataSource(recording: real)
        #expect(source.firstKey == "f")
        #expect(source.neighborKeys(of: "a", pageSize: 3)?.next == "a!")
        source.script([SourceStep.page(page([7])).insideFetch], forKey: "s")
        let answers = Answers()
        _ = source.fetch(request("s"), completion: answers.take("s"))
        _ = source.fetch(request("a"), completion: answers.take("a"))
        source.fetch(request("b"), completion: answers.take("b")).cancel()
        #expect(real.keys == ["a", "b"])
        #expect(real.calls.map(\.isCancelled) == [false, true])
        real.answer(real.calls[0], with: .success(page([1])))
        #expect(answers.texts == ["s [7]", "a [1]"])
        #expect(source.calls.map(\.answers) == [1, 1, 0])
        #expect(source.calls.map(\.isCancelled) == [false, false, true])
    }

    @Test func `an answer too many of a real source is handed on and counted`() {
        let real = ScriptedDataSource<Int>(otherwise: { _ in
            SourceStep.page(PaginatorPage(content: [1], key: "0")).twice.insideFetch
        })
        let source = ScriptedDataSource(recording: real)
        let answers = Answers()
        _ = source.fetch(request("a"), completion: answers.take("a"))
        #expect(answers.texts == ["a [1]", "a [1]"])
        #expect(source.calls.map(\.answers) == [2])
    }

    @Test func `reports a call that the test did not expect, and where the source was made`() async throws {
        let reports = Handshake<[String]>([])
        let line: UInt = #line + 1
        let source = ScriptedDataSource<Int>(firstKey: "f") { message, file, line in
            reports.update { $0.append("\(message) \(file):\(line)") }
        }
        #expect(source.firstKey == "f")
        let answers = Answers()
        _ = source.fetch(request("k"), completion: answers.take("k"))
        try await answers.handshake.wait { $0.count == 1 }
        #expect(answers.texts[0].contains("fatal"))
        let text = try #require(reports.read { $0.first })
        #expect(text.contains("which the test did not expect."))
        #expect(text.hasSuffix("ScriptedDataSourceTests.swift:\(line)"))
    }
}
