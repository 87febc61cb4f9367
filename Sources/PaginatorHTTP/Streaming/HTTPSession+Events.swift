import Foundation
import PaginatorCore

extension HTTPSession {
    /// The end of one connection to an event stream.
    struct EventStreamEnd: Sendable {
        /// The id for the next connection; empty for none.
        var lastID: String
        /// The delay before it; `nil` if the server has not stated one.
        var retryDelay: Duration?
        /// The error; `nil` if the server closed the connection.
        var error: HTTPSourceError?
        /// Whether the server wants no further connection, by answering 204.
        var isOver = false
        /// The header fields of a refusal, which may state a delay.
        var headers: HTTPHeaderFields = [:]
    }

    /// Requests a stream of server-sent events, and returns when it ends; the caller requests it again.
    ///
    /// Cancelling the task cancels the connection. A stream has no limit of bytes; one event is limited to
    /// ``HTTPLimits/bodyBytes``. ``HTTPLimits/slowestBytes`` must arrive in each ``HTTPLimits/slowestInterval``; lines
    /// that servers send to keep a connection open count.
    ///
    /// - Parameters:
    ///   - lastID: the id of the last known event; empty for none.
    ///   - onOpen: called once when the server has accepted the connection.
    ///   - onEvent: called with each event, in order. Like `onOpen` it runs on the session's queue, and must not wait.
    func events(
        of endpoint: HTTPEndpoint, after lastID: String = "", authentication: HTTPAuthentication? = nil,
        limits: HTTPLimits = HTTPLimits(), secretParameters: Set<String> = [],
        onOpen: @escaping @Sendable () -> Void = {}, onEvent: @escaping @Sendable (ServerSentEvent) -> Void
    ) async -> EventStreamEnd {
        var request: HTTPPageRequest
        do {
            request = try HTTPPageRequest(
                SourceRequest(identity: PageIdentity(key: "", pageSize: 1)), at: endpoint)
        } catch {
            return EventStreamEnd(lastID: lastID, error: error)
        }
        request.secrets.add(
            of: request.url, named: QuerySecrets.usualNames.union(secretParameters.map { $0.lowercased() }))
        request.accepts = "text/event-stream"
        request.headers["Cache-Control"] = "no-store"
        request.headers["Last-Event-ID"] = lastID.isEmpty ? nil : lastID
        let parser = Guarded(ServerSentEventParser(lastID: lastID, maxBytes: limits.bodyBytes))
        var rules = TransferRules(limits: limits, expectsJSON: false)
        rules.limits.bodyBytes = .max
        rules.keepsBody = false
        rules.receiver = { header, piece in
            guard header.status == 200 else { return nil }
            guard header.isEventStream else { return .noEventStream }
            if piece.isEmpty { onOpen() }
            let events = parser.withLock { parser in
                Result { () throws(ServerSentEventParser.TooLong) in try parser.take(piece) }
            }
            switch events {
            case .success(let events): events.forEach(onEvent)
            case .failure(let tooLong):
                tooLong.before.forEach(onEvent)
                return .limitExceeded(
                    "bodyBytes", "An event has more than \(limits.bodyBytes) bytes", status: header.status)
            }
            return nil
        }
        let answer = await answer(to: &request, authentication, rules: rules)
        let (last, delay) = parser.withLock { ($0.lastID, $0.retryDelay) }
        var end = EventStreamEnd(lastID: last, retryDelay: delay)
        switch answer {
        case .failure(let error): end.error = error
        case .success(let response):
            end.headers = response.headers
            end.isOver = response.status == 204
            if response.status != 200, !end.isOver { end.error = .failed(response) }
        }
        return end
    }
}

extension TransferResponse {
    var isEventStream: Bool { mediaType == "text/event-stream" }
}
