import Foundation
public import PaginatorCore

extension PushSource {
    /// Creates a source of server-sent events (WHATWG HTML standard, section "Server-sent events").
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
    /// After a lost connection the last event's id is sent as `Last-Event-ID`, not before the delay that the server
    /// states in its field `retry` or in `Retry-After`. A status of an expired cursor means here that the id has
    /// expired, like ``/PaginatorCore/PushEvent/missed``; 204 ends the stream for good. Failures that may be temporary,
    /// such as an answer of another type, a redirect or a certificate, are retried after a minute or more.
    ///
    /// An event with one of the last 1,024 ids is skipped as a repeat, so ids must be unique, and must not start again
    /// at the first one. Only events in a row may share an id, but of those only the first is known as a repeat: if the
    /// server sends them again after a lost connection, the others are applied again.
    ///
    /// A connection without data is given up after 5 minutes, as it may be lost. If no event had an id until then, it
    /// is unknown what was missed. So each event should have one, and the server should send a comment line every 15
    /// seconds.
    ///
    /// - Parameters:
    ///   - endpoint: the request.
    ///   - options: authentication, session, clock, and the meaning of failures; other options have no effect. The
    ///     limit `bodyBytes` applies to one event. If `slowestInterval` is not its default, a connection without data
    ///     is given up after that interval instead, at least a minute.
    ///   - read: returns the meaning of an event from its name, `message` if the server gives none, and its data; `nil`
    ///     ignores the event. Called on any thread, one at a time. An error ends the stream for good.
    public static func serverSentEvents(
        _ endpoint: HTTPEndpoint, options: HTTPSourceOptions = HTTPSourceOptions(),
        read: @escaping @Sendable (_ name: String, _ data: String) throws -> PushEvent<Change>?
    ) -> PushSource {
        // The server's last statement also applies to later connections.
        let retryDelay = Guarded<Duration?>(nil)
        return PushSource { lastEventID, tell in
            let named = Guarded(lastEventID ?? "")
            let lastOwnID = Guarded<String?>(nil)
            // After the event that it follows. An ignored event may have an id, and so may a block without an event.
            @Sendable func name(_ id: String, isOwn: Bool) {
                let isNew = !named.replace(with: id).hasSameBytes(as: id)
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
                            // Events of one transaction may share an id: only the first of them can be known as a
                            // repeat later.
                            let isIdentified =
                                event.hasOwnID
                                && lastOwnID.replace(with: event.lastID)?.hasSameBytes(as: event.lastID) != true
                            let identified = isIdentified ? told?.identified(by: event.lastID) : told
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
        let isDefault = slowestInterval == HTTPLimits().slowestInterval
        limits.slowestInterval = isDefault ? .minutes(5) : max(slowestInterval, .minutes(1))
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
        // If the endpoint makes no request, that is the error.
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

    // A captive portal's page, a gateway without its server, or a certificate: no other code would try again.
    private func mayPass(_ error: HTTPSourceError, _ options: HTTPSourceOptions) -> Bool {
        switch error.code {
        case .wrongType, .connection, .redirect, .otherOrigin: true
        case .status: options.expiredStatuses.contains(error.status ?? 0)
        default: false
        }
    }
}
