import Foundation
public import PaginatorCore

extension PushSource {
    /// A source of server-sent events: the section "Server-sent events" of WHATWG's HTML standard.
    ///
    /// ```swift
    /// let changes = PushSource<PostChange>.serverSentEvents("https://api.example.com/posts/events") { name, data in
    ///     switch name {
    ///     case "post": .change(try JSONDecoder().decode(PostChange.self, from: Data(data.utf8)))
    ///     case "new-posts": .newRows(Int(data) ?? 1)
    ///     case "reset": .missed
    ///     default: nil
    ///     }
    /// }
    /// ```
    ///
    /// After a lost connection the last event's id is sent as `Last-Event-ID`, not before the time that the server asks for by
    /// its field `retry` or by `Retry-After`. A status that would mean that a cursor has expired means that id here, as if the
    /// server had sent ``/PaginatorCore/PushEvent/missed``; 204 ends the stream for good.
    ///
    /// - Parameters:
    ///   - endpoint: the request.
    ///   - options: authentication, session, clock, and what failures mean; the others have no effect. Of the limits,
    ///     `bodyBytes` is the most of one event. A connection is given up when nothing has come for `slowestInterval`, and for
    ///     at least a minute: most servers send a line of comment more often; of others, make it longer.
    ///   - read: says what an event means, by its name, which is `message` where the server gives none, and its data; `nil`
    ///     for nothing. Called on any thread, one at a time. What it throws ends the stream for good.
    public static func serverSentEvents(
        _ endpoint: HTTPEndpoint, options: HTTPSourceOptions = HTTPSourceOptions(),
        read: @escaping @Sendable (_ name: String, _ data: String) throws -> PushEvent<Change>?
    ) -> PushSource {
        // What the server said last counts for later connections, too.
        let retryDelay = Guarded<Duration?>(nil)
        return PushSource { lastEventID, tell in
            let task = Task {
                let end = await options.session.events(
                    of: endpoint, after: lastEventID ?? "", authentication: options.authentication,
                    limits: options.limits.ofEvents, secretParameters: options.secretParameters,
                    onOpen: { tell(.opened()) },
                    onEvent: { event in
                        do {
                            let told = try read(event.name, event.data)
                            // An identity may come without an event, before this one.
                            if !event.hasOwnID || told == nil { tell(.opened(id: event.lastID)) }
                            if let told { tell(event.hasOwnID ? told.identified(by: event.lastID) : told) }
                        } catch {
                            tell(.closed(.fatal(error)))
                        }
                    })
                // Or behind the last one.
                if end.lastID != lastEventID ?? "" { tell(.opened(id: end.lastID)) }
                let delay = retryDelay.withLock { known in
                    known = end.retryDelay ?? known
                    return known
                }
                tell(end.event(after: delay, of: endpoint, isFirst: lastEventID == nil, options))
            }
            return SourceCancellation { task.cancel() }
        }
    }
}

extension HTTPLimits {
    fileprivate var ofEvents: HTTPLimits {
        var limits = self
        limits.slowestInterval = max(slowestInterval, .minutes(1))
        limits.slowestBytes = 1
        return limits
    }
}

extension HTTPSession.EventStreamEnd {
    fileprivate func event<Change>(
        after delay: Duration?, of endpoint: HTTPEndpoint, isFirst: Bool, _ options: HTTPSourceOptions
    ) -> PushEvent<Change> {
        if isOver { return .ended }
        var source = SourceRequest(identity: PageIdentity(key: "", pageSize: 1))
        source.isFirst = isFirst
        // Where the endpoint makes no request, that is the error.
        guard let error, let request = try? HTTPPageRequest(source, at: endpoint) else {
            let error = self.error ?? HTTPSourceError(.endedEarly, "The server closed the stream.")
            return .closed(self.error == nil ? .retry(error, after: delay) : .fatal(error))
        }
        let asked = RetryHint.delay(headers, now: options.clock.wallTime.timeIntervalSince1970)
        let failure = HTTPFailure(
            error: error, request: request, isIdempotent: true,
            statedDelay: asked.map { max(.clamped(seconds: $0), delay ?? .zero) } ?? delay)
        return .closed(failure.sourceError(options))
    }
}
