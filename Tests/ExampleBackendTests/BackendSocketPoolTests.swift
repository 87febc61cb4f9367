import ExampleBackend
import FlyingFox
import FlyingSocks
import Foundation
import Testing

/// Sockets that are closed at the wrong moment, and what waits for them.
@Suite(.timeLimit(.minutes(1))) struct BackendSocketPoolTests {
    /// The system's queue of events, which tells of each wait that has begun.
    private struct ToldQueue: EventQueue {
        #if canImport(Darwin)
            var queue = kQueue(maxEvents: 20)
        #else
            var queue = ePoll(maxEvents: 20)
        #endif
        let added: AsyncStream<Void>.Continuation

        mutating func open() throws { try queue.open() }
        mutating func stop() throws { try queue.stop() }
        mutating func close() throws { try queue.close() }

        mutating func addEvents(_ events: Socket.Events, for socket: Socket.FileDescriptor) throws {
            try queue.addEvents(events, for: socket)
            added.yield()
        }

        mutating func removeEvents(_ events: Socket.Events, for socket: Socket.FileDescriptor) throws {
            try queue.removeEvents(events, for: socket)
        }

        func getNotifications() throws -> [EventNotification] { try queue.getNotifications() }
    }

    private static func pair() throws -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    @Test func `a socket with the number of one that was closed while waited for is watched`() async throws {
        let (added, continuation) = AsyncStream<Void>.makeStream()
        var waits = added.makeAsyncIterator()
        let pool = BackendSocketPool(SocketPool(queue: ToldQueue(added: continuation)))
        try await pool.prepare()
        let running = Task { try await pool.run() }
        defer { running.cancel() }

        let (number, peer) = try Self.pair()
        let socket = Socket(file: .init(rawValue: number))
        let first = Task { try await pool.suspendSocket(socket, untilReadyFor: .read) }
        _ = await waits.next()
        // Closes the first, and gives its number to the next.
        let (next, nextPeer) = try Self.pair()
        #expect(dup2(next, number) == number)
        close(next)
        let second = Task { try await pool.suspendSocket(socket, untilReadyFor: .read) }
        _ = await waits.next()
        #expect(write(nextPeer, "x", 1) == 1)
        try await second.value

        // Whoever waited for the first is not sent to read from the second.
        close(peer)
        await #expect(throws: SocketError.disconnected) { try await first.value }
        close(nextPeer)
        close(number)
    }

    @Test func `a cancelled wait ends`() async throws {
        let (added, continuation) = AsyncStream<Void>.makeStream()
        var waits = added.makeAsyncIterator()
        let pool = BackendSocketPool(SocketPool(queue: ToldQueue(added: continuation)))
        try await pool.prepare()
        let running = Task { try await pool.run() }
        defer { running.cancel() }

        let (number, peer) = try Self.pair()
        let socket = Socket(file: .init(rawValue: number))
        let waiting = Task { try await pool.suspendSocket(socket, untilReadyFor: .read) }
        _ = await waits.next()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        close(peer)
        close(number)
    }

    @Test func `frames that nobody writes any more end the reading`() async {
        // Who wrote them has met an error, and has let go of them.
        let socket = ChatSocket.make().socket
        let (client, continuation) = AsyncThrowingStream<WSFrame, any Error>.makeStream()
        await withCheckedContinuation { ended in
            socket.read(client) { _ in
                true
            } end: {
                ended.resume()
            }
        }
        continuation.finish()
    }
}
