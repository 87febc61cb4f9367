import Testing

@testable import PaginatorCore

@Suite struct SourceCallsTests {
    private let calls = SourceCalls()
    private let cancelled = Guarded(0)

    private var cancellation: SourceCancellation {
        SourceCancellation { [cancelled] in cancelled.withLock { $0 += 1 } }
    }

    private func expect(cancelled count: Int, left: Int = 0, _ location: SourceLocation = #_sourceLocation) {
        #expect(cancelled.withLock { $0 } == count, sourceLocation: location)
        #expect(calls.count == left, sourceLocation: location)
    }

    @Test func `a call that is stopped is cancelled once`() {
        calls.begin(1)
        calls.made(1, cancellation)
        calls.stop(1)
        calls.stop(1)
        expect(cancelled: 1)
    }

    @Test func `a call that is stopped before its handle came is cancelled when it comes`() {
        calls.begin(1)
        calls.stop(1)
        expect(cancelled: 0)
        calls.made(1, cancellation)
        expect(cancelled: 1)
    }

    @Test func `a call that answered is not cancelled`() {
        calls.begin(1)
        calls.made(1, cancellation)
        calls.answered(1)
        calls.stop(1)
        expect(cancelled: 0)
    }

    @Test func `a call that answered inside is not cancelled`() {
        calls.begin(1)
        calls.answered(1)
        expect(cancelled: 0, left: 1)
        calls.made(1, cancellation)
        expect(cancelled: 0)
        calls.begin(2)
        calls.answered(2)
        calls.stop(2)
        expect(cancelled: 0)
    }

    @Test func `calls are apart`() {
        for task: UInt64 in 1...3 {
            calls.begin(task)
            calls.made(task, cancellation)
        }
        calls.stop(2)
        calls.answered(3)
        expect(cancelled: 1, left: 1)
        calls.answered(42)
        calls.stop(42)
        expect(cancelled: 1, left: 1)
    }
}
