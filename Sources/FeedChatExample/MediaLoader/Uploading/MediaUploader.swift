package import AppFoundation
package import Foundation
package import PaginatorCore

/// The first of two steps of a post with media: each file is uploaded in chunks, and the post names its path.
///
///     let uploader = MediaUploader(api, clock: clock)
///     let location = try await uploader.upload(file, type: "image", requestID: "\(request.id)-0") { progress in ... }
///
/// The request id makes it idempotent: the same id is the same upload, with its progress, so after a kill it continues
/// where it stopped. Cancelling the task stops the upload and keeps its progress; ``discard(_:)`` deletes it.
package struct MediaUploader: Sendable {
    private let api: APIClient
    private let clock: any PaginatorClock
    private let policy: UploadMachine.Policy

    package init(
        _ api: APIClient, clock: any PaginatorClock = SystemPaginatorClock(),
        policy: UploadMachine.Policy = UploadMachine.Policy()
    ) {
        self.api = api
        self.clock = clock
        self.policy = policy
    }

    /// Uploads a file.
    ///
    /// - Parameters:
    ///   - file: the file, of which one chunk is in memory at a time.
    ///   - type: `image` or `video`.
    ///   - requestID: the upload's own id, the same for every attempt.
    ///   - progress: called with the backend's share, 0 to 1, whenever it has grown.
    /// - Returns: the path on the backend, such as `/cdn/uploads/7`.
    /// - Throws: an ``APIError`` after the last attempt, `CancellationError` if the task is cancelled, or the error of
    ///   the file.
    @concurrent
    package func upload(
        _ file: URL, type: String, requestID: String,
        progress: @Sendable (_ share: Double, _ uploadID: Int64) async throws -> Void = { _, _ in }
    ) async throws -> String {
        let handle = try FileHandle(forReadingFrom: file)
        defer {
            // Nothing was written, so a failed close loses nothing.
            try? handle.close()
        }
        let byteCount = Int(clamping: try handle.seekToEnd())
        var machine = UploadMachine(byteCount: byteCount, policy: policy, seed: .random(in: 0 ... .max))
        var action = machine.start()
        var uploadID: Int64?
        var lastError = APIError(.unreachable)
        while true {
            try Task.checkCancellation()
            do throws(APIError) {
                var answer: Answer?
                switch action {
                case .begin:
                    let body = NewUpload(requestId: requestID, type: type, byteCount: byteCount)
                    answer = try await api.send("POST", "/v1/uploads", body: body).decoded(Answer.self)
                case .send(let range):
                    let chunk = try Self.read(range, of: handle)
                    answer = try await send(chunk, at: range.lowerBound, to: uploadID ?? 0)
                case .wait(let delay):
                    await clock.wait(for: delay)
                    action = machine.handle(.waited)
                case .finish(let location): return location
                case .giveUp: throw lastError
                }
                guard let answer else { continue }
                uploadID = answer.uploadId
                action = machine.handle(.answered(received: answer.received, location: answer.contentUrl))
            } catch {
                if action == .giveUp { throw error }
                if error.kind == .cancelled { throw CancellationError() }
                lastError = error
                let kind = error.outboxFailure.kind
                action = machine.handle(
                    .failed(isFinal: kind == .refused || kind == .signedOut, statedDelay: error.retryAfter))
                continue
            }
            if let uploadID { try await progress(machine.progress, uploadID) }
        }
    }

    /// Discards an upload; a missing one is no error.
    @concurrent
    package func discard(_ uploadID: Int64) async throws(APIError) {
        do throws(APIError) {
            _ = try await api.send(APIRequest("DELETE", "/v1/uploads/\(uploadID)"))
        } catch {
            guard error.status == 404 else { throw error }
        }
    }

    private func send(_ chunk: Data, at offset: Int, to id: Int64) async throws(APIError) -> Answer {
        let request = APIRequest(
            "PATCH", "/v1/uploads/\(id)", query: [("offset", "\(offset)")],
            headers: ["Content-Type": "application/octet-stream"], body: chunk)
        do throws(APIError) {
            return try await api.send(request).decoded(Answer.self)
        } catch {
            // The backend has another offset, and states it.
            guard error.status == 409 else { throw error }
            return try await api.get(Answer.self, APIRequest("GET", "/v1/uploads/\(id)"))
        }
    }

    /// Reads a chunk; a file that changes during the upload cannot be sent.
    private static func read(_ range: Range<Int>, of handle: FileHandle) throws(APIError) -> Data {
        do {
            try handle.seek(toOffset: UInt64(range.lowerBound))
            if let data = try handle.read(upToCount: range.count), data.count == range.count { return data }
        } catch {
            throw APIError(.badRequest)
        }
        throw APIError(.badRequest)
    }

    private struct NewUpload: Encodable, Sendable {
        let requestId: String
        let type: String
        let byteCount: Int
    }

    private struct Answer: Decodable, Sendable {
        let uploadId: Int64
        let received: Int
        let contentUrl: String?
    }
}

extension PaginatorClock {
    /// Waits on this clock; returns early when the task is cancelled.
    fileprivate func wait(for delay: Duration) async {
        let resumption = Resumption()
        let timer = makeTimer { resumption.resume() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                resumption.set(continuation)
                timer.arm(at: now.advanced(by: delay))
            }
        } onCancel: {
            resumption.resume()
        }
        timer.disarm()
    }
}

/// A continuation that the first of a timer and a cancellation resumes.
private final class Resumption: Sendable {
    private enum State {
        case waiting(CheckedContinuation<Void, Never>?)
        case done
    }

    private let state = Guarded(State.waiting(nil))

    func set(_ continuation: CheckedContinuation<Void, Never>) {
        let isDone = state.withLock { state in
            if case .done = state { return true }
            state = .waiting(continuation)
            return false
        }
        if isDone { continuation.resume() }
    }

    func resume() {
        let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard case .waiting(let continuation) = state else { return nil }
            state = .done
            return continuation
        }
        continuation?.resume()
    }
}
