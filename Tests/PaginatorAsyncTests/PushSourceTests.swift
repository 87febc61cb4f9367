import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

/// Sequences of events as sources that are followed.
@Suite struct PushSourceTests {
    private struct Outage: Error {}

    private struct Seen: Sendable {
        var connections: [String?] = []
        var changes: [Int] = []
        var ends: [PaginatorError.Code?] = []
    }

    @Test func `a sequence is a connection, and the next one goes on behind its last event`() async throws {
        let seen = Handshake(Seen())
        let source = PushSource<Int>(events: { lastEventID in
            let count = seen.update { seen in
                seen.connections.append(lastEventID)
                return seen.connections.count
            }
            if count == 2 { throw Outage() }
            return AsyncThrowingStream<PushEvent<Int>, any Error> { continuation in
                switch count {
                case 1:
                    continuation.yield(.change(1, id: "a"))
                    continuation.finish(throwing: Outage())
                case 3:
                    continuation.yield(.change(1, id: "a"))
                    continuation.yield(.change(2, id: "b"))
                    continuation.finish()
                default:
                    continuation.yield(.ended)
                }
            }
        })
        let clock = ManualPaginatorClock()
        var config = DefaultPaginatorConfig()
        config.clock = clock
        let paginator = CallbackPaginator(dataSource: ArrayDataSource([1]), config: config)
        paginator.follow(source, onEnd: { error in seen.update { $0.ends.append(error?.code) } }) { change in
            seen.update { $0.changes.append(change) }
        }
        while seen.read({ $0.ends.isEmpty }) {
            clock.advance(by: .seconds(61))
            await Task.yield()
        }
        #expect(seen.read { $0.connections } == [nil, "a", "a", "b"])
        #expect(seen.read { $0.changes } == [1, 2])
        #expect(seen.read { $0.ends } == [nil])
    }

    @Test func `a sequence that fails before its first element was never connected`() async throws {
        let connections = Handshake(0)
        let source = PushSource<Int>(events: { _ in
            let count = connections.update { count in
                count += 1
                return count
            }
            return AsyncThrowingStream<PushEvent<Int>, any Error> { continuation in
                guard count == 4 else { return continuation.finish(throwing: Outage()) }
                continuation.yield(.change(1))
                continuation.yield(.ended)
            }
        })
        let clock = ManualPaginatorClock()
        let observer = RecordingObserver()
        var config = DefaultPaginatorConfig()
        config.clock = clock
        config.observer = observer
        let paginator = CallbackPaginator(dataSource: ArrayDataSource([1]), config: config)
        let hasEnded = Handshake(false)
        paginator.follow(source, onEnd: { _ in hasEnded.update { $0 = true } }) { _ in }
        while !hasEnded.read({ $0 }) {
            clock.advance(by: .seconds(61))
            await Task.yield()
        }
        #expect(connections.read { $0 } == 4)
        // Observers hear of it on a queue of their own.
        try await observer.waitForEvents(of: .followed)
        #expect(observer.count(of: .followed) == 1)
    }

    @Test func `a sequence stops when nothing is followed any more`() async throws {
        let seen = Handshake(false)
        let source = PushSource<Int>(events: { _ in
            AsyncStream<PushEvent<Int>> { continuation in
                continuation.onTermination = { _ in seen.update { $0 = true } }
                continuation.yield(.change(1))
            }
        })
        let paginator = CallbackPaginator(dataSource: ArrayDataSource([1]))
        let came = Handshake(0)
        let following = paginator.follow(source) { _ in came.update { $0 += 1 } }
        try await came.wait { $0 == 1 }
        #expect(following.cancel())
        try await seen.wait { $0 }
    }
}
