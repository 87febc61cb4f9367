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
    /// server had sent ``/PaginatorCore/PushEvent/missed``; 204 ends the stream for good. What may stand in the way for a
    /// while, such as another type's answer, a redirect or a certificate, is waited out, for a minute or more each time.
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
            let named = Guarded(lastEventID ?? "")
            // After what it stands behind. An event that is not told may have named one, or a block without an event.
            @Sendable func name(_ id: String, isOwn: Bool) {
                let isNew = named.withLock { last in
                    defer { last = id }
                    return !last.hasSameBytes(as: id)
                }
                if isOwn || isNew { tell(.opened(id: id)) }
            }
            let task = Task {
                let end = await options.session.events(
                    of: endpoint, after: lastEventID ?? "", authentication: options.authentication,
                    limits: options.limits.ofEvents, secretParameters: options.secretParameters,
                    onOpen: { tell(.opened()) },
                    onEvent: { event in
                        do {
                            let told = try read(event.name, event.data)
                            let identified = event.hasOwnID ? told?.identified(by: event.lastID) : told
                            if let identified { tell(identified) }
                            name(event.lastID, isOwn: event.hasOwnID && identified?.id == nil)
                        } catch {
                            tell(.closed(.fatal(error)))
                        }
                    })
                name(end.lastID, isOwn: false)
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
        let advice = failure.sourceError(options)
        guard failure.isOfPortal || (!advice.isRetryable && !advice.isKeyExpired && mayPass(error, options)),
            options.decide?(error, request) == nil
        else { return .closed(advice) }
        return .closed(.retry(error, after: max(failure.statedDelay ?? .zero, .minutes(1))))
    }

    // A portal's page, a gateway without the server behind it, or a certificate: nobody but this asks again.
    private func mayPass(_ error: HTTPSourceError, _ options: HTTPSourceOptions) -> Bool {
        switch error.code {
        case .wrongType, .connection, .redirect, .otherOrigin: true
        case .status: options.expiredStatuses.contains(error.status ?? 0)
        default: false
        }
    }
}
