import Foundation
import PaginatorCore

extension HTTPSession {
    /// What one connection to a stream of events came to.
    struct EventStreamEnd: Sendable {
        /// The id to go on from with the next connection; empty for none.
        var lastID: String
        /// How long to wait before it; `nil` where the server has not said.
        var retryDelay: Duration?
        /// Why it ended; `nil` where the server closed it.
        var error: HTTPSourceError?
        /// Whether the server wants no further connection: it answered 204.
        var isOver = false
        /// The header fields of a refusal, which may state a delay.
        var headers: HTTPHeaderFields = [:]
    }

    /// Asks for a stream of server-sent events, and returns when it ends; the caller asks again.
    ///
    /// A cancel of the task cancels the connection. A stream has no limit of bytes; one event has
    /// ``HTTPLimits/bodyBytes``. In each ``HTTPLimits/slowestInterval`` there must be ``HTTPLimits/slowestBytes``, of which
    /// the lines that servers send to keep a connection open are a few.
    ///
    /// - Parameters:
    ///   - lastID: the id of the last event that is known; empty for none.
    ///   - onOpen: is told once that the server has accepted the connection.
    ///   - onEvent: takes each event, in order. As `onOpen`, it is called on the session's queue, and waits for nobody.
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
            guard header.isEventStream else { return .wrongType("header Content-Type", "text/event-stream") }
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
