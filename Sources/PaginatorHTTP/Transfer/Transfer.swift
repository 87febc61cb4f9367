import Dispatch
import Foundation
import PaginatorCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A running request: passes reports to its machine, and ends it once.
final class Transfer: Sendable {
    typealias Completion = @Sendable (Result<TransferResponse, HTTPSourceError>) -> Void

    private struct State: Sendable {
        var machine: TransferMachine
        /// `nil` after the transfer has ended.
        var running: Running?
    }

    private struct Running: Sendable {
        let completion: Completion
        var task: URLSessionTask?
        var timer: (any PaginatorTimer)?
    }

    private let state: Guarded<State>
    private let clock: any PaginatorClock

    init(_ machine: TransferMachine, clock: any PaginatorClock, completion: @escaping Completion) {
        state = Guarded(State(machine: machine, running: Running(completion: completion)))
        self.clock = clock
    }

    /// Starts the task, unless the transfer was cancelled meanwhile.
    func start(_ task: URLSessionTask) {
        let isWanted = state.withLock { state in
            guard state.running != nil else { return false }
            state.running?.task = task
            return true
        }
        if isWanted { task.resume() } else { task.cancel() }
    }

    /// Stops the connection.
    func cancel() {
        end(.failure(.cancelledCall))
    }

    /// Handles a redirect, and answers the system.
    ///
    /// The answer is given under the lock, so that the task is never cancelled before it: on Linux the process traps if
    /// an answer comes for a task that was cancelled meanwhile.
    func redirected(status: Int, to request: URLRequest, answer: @escaping @Sendable (URLRequest?) -> Void) {
        let refusal = state.withLock { state -> HTTPSourceError.Code? in
            guard let running = state.running else {
                Self.answerCancelledTask { answer(nil) }
                return nil
            }
            switch state.machine.redirected(status: status, to: request.url) {
            case .follow:
                answer(Self.complete(request, with: running.task?.originalRequest?.allHTTPHeaderFields ?? [:]))
            case .followBare:
                answer(Self.bare(request))
            case .refuse(let code):
                answer(nil)
                return code
            }
            return nil
        }
        guard let refusal else { return }
        let text =
            refusal == .otherOrigin
            ? "A redirect leads to another host, scheme or port, which is not allowed."
            : "The server redirects too often, or so that the request would be lost."
        end(.failure(HTTPSourceError(refusal, text, field: "header Location", status: status)))
    }

    private static func answerCancelledTask(_ answer: () -> Void) {
        #if !canImport(FoundationNetworking)
            answer()
        #endif
    }

    /// Adds the header fields that the system has left out of a redirect within the origin: Apple's drops
    /// `Authorization`.
    static func complete(_ request: URLRequest, with sent: [String: String]) -> URLRequest {
        var complete = request
        for (name, value) in sent where complete.value(forHTTPHeaderField: name) == nil {
            complete.setValue(value, forHTTPHeaderField: name)
        }
        return complete
    }

    /// Removes every header field that may be secret.
    static func bare(_ request: URLRequest) -> URLRequest {
        var bare = request
        for name in (request.allHTTPHeaderFields ?? [:]).keys where !harmlessFields.contains(name.lowercased()) {
            bare.setValue(nil, forHTTPHeaderField: name)
        }
        return bare
    }

    private static let harmlessFields: Set<String> = [
        "accept", "accept-encoding", "accept-language", "user-agent",
    ]

    /// Handles the header, and answers the system under the lock, as for redirects.
    func received(
        _ response: HTTPURLResponse, answer: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let fields = HTTPHeaderFields(response)
        let status = response.statusCode
        let url = response.url ?? URL(filePath: "/")
        let now = clock.now
        let result = state.withLock { state -> Result<Void, HTTPSourceError>? in
            guard state.running != nil else {
                Self.answerCancelledTask { answer(.cancel) }
                return nil
            }
            let result = Result { () throws(HTTPSourceError) in
                try state.machine.received(status: status, headers: fields, url: url, at: now)
            }
            answer(.allow)
            return result
        }
        switch result {
        case nil: break
        case .success:
            armTimer()
            handOn(Data())
        case .failure(let error): end(.failure(error))
        }
    }

    /// Handles bytes of the body.
    func received(_ data: Data) {
        let result = state.withLock { state -> Result<TransferMachine.Step, HTTPSourceError> in
            guard state.running != nil else { return .success(.go) }
            return Result { () throws(HTTPSourceError) in try state.machine.received(data) }
        }
        switch result {
        case .success(.go): handOn(data)
        // As if the connection had ended here; cancelling refuses what the server still sends.
        case .success(.enough): ended(nil, isConnected: true)
        case .failure(let error): end(.failure(error))
        }
    }

    // Without the lock, because the receiver is the caller's. Reports come one at a time, so pieces keep their order.
    private func handOn(_ piece: Data) {
        let streaming = state.withLock { $0.running == nil ? nil : $0.machine.streaming }
        guard let (receiver, header) = streaming, let error = receiver(header, piece) else { return }
        end(.failure(error))
    }

    /// Handles the end of the connection, or of what is needed of it.
    func ended(_ error: (any Error)?, isConnected: Bool = false) {
        let code = error.map { ($0 as? URLError)?.code ?? .unknown }
        let result = state.withLock { state in
            Result { () throws(HTTPSourceError) in try state.machine.ended(code) }
        }
        end(result, isConnected: isConnected)
    }

    private func armTimer() {
        // Weak, because the transfer's state contains the timer.
        let timer = clock.makeTimer { [weak self] in self?.ticked() }
        let deadline = state.withLock { state -> PaginatorInstant? in
            guard state.running != nil else { return nil }
            // Set under the lock, only while the transfer runs, so that `end` always finds it.
            state.running?.timer = timer
            return state.machine.deadline
        }
        if let deadline { timer.arm(at: deadline) }
    }

    private func ticked() {
        let now = clock.now
        let (result, timer) = state.withLock { state in
            let result = Result { () throws(HTTPSourceError) in try state.machine.ticked(at: now) }
            return (result.map { state.machine.deadline }, state.running?.timer)
        }
        switch result {
        case .success(let deadline): if let deadline { timer?.arm(at: deadline) }
        case .failure(let error): end(.failure(error))
        }
    }

    // On Linux a cancel waits for the session, which may wait for reports to be handled. With a thread for each cancel,
    // all of the system's threads could wait here, and none would be left to handle reports.
    private static let cancels = DispatchQueue(label: "paginator.http.cancels")

    private func end(_ result: Result<TransferResponse, HTTPSourceError>, isConnected: Bool = true) {
        // The first call ends the transfer; later ones find that it has ended.
        guard let running = state.withLock({ $0.running.take() }) else { return }
        running.timer?.disarm()
        // Not here, because the session may wait for this report to return.
        if isConnected, let task = running.task { Self.cancels.async { task.cancel() } }
        running.completion(result)
    }
}
