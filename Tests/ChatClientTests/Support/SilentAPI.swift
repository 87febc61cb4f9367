import AppFoundation
import ChatClient
import ChatWire
import Foundation
import PaginatorTesting

/// A server that takes the beginning of a file, and then says nothing for as long as the test wants.
final class SilentAPI: ChatAPI {
    private struct State: Sendable {
        var uploads = 0
        var discards = 0
        var calls: [AsyncStream<Never>.Continuation] = []
    }

    private let state = Handshake(State())

    func waitForUpload() async throws { try await state.wait { $0.uploads > 0 } }
    func waitForDiscard() async throws { try await state.wait { $0.discards > 0 } }

    /// Ends every call.
    func end() { for call in state.read(\.calls) { call.finish() } }

    private func hang(_ count: @Sendable (inout State) -> Void) async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        state.update { state in
            count(&state)
            state.calls.append(continuation)
        }
        for await _ in stream {}
    }

    func upload(
        _ file: URL, type: String, requestID: String,
        progress: @escaping @Sendable (_ share: Double, _ uploadID: Int64) async throws -> Void
    ) async throws -> String {
        try await progress(0.1, 7)
        await hang { $0.uploads += 1 }
        throw APIError(.unreachable)
    }

    func discard(upload: Int64) async throws { await hang { $0.discards += 1 } }

    func send(_ messages: [SendMessageBody]) async throws -> [SentMessage] { throw APIError(.unreachable) }
    func send(_ body: ReceiptsBody) async throws { throw APIError(.unreachable) }
    func change(_ messageId: Int64, to content: String?, requestId: String) async throws -> MessageRevision {
        throw APIError(.unreachable)
    }
    func sync(after place: Int64, limit: Int) async throws -> SyncPage { throw APIError(.unreachable) }
    func contacts() async throws -> [ChatContact] { throw APIError(.unreachable) }
    func groups() async throws -> [ChatGroup] { throw APIError(.unreachable) }
    func makeGroup(_ body: NewGroupBody) async throws -> ChatGroup { throw APIError(.unreachable) }
    func renameGroup(_ id: String, to title: String) async throws -> ChatGroup { throw APIError(.unreachable) }
    func setRole(_ role: GroupRole, of userId: String, in groupId: String) async throws -> ChatGroup {
        throw APIError(.unreachable)
    }
    func removeMember(_ userId: String, from groupId: String) async throws -> ChatGroup {
        throw APIError(.unreachable)
    }
    func register(_ device: DeviceBody) async throws { throw APIError(.unreachable) }
    func unregister(deviceId: String) async throws { throw APIError(.unreachable) }
}
