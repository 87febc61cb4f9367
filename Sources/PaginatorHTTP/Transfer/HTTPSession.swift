public import Foundation
public import PaginatorCore

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Connections that data sources share, and that an app can use for its own requests.
///
/// Bodies are received in pieces, so that a limit or a cancellation stops a transfer at once.
public final class HTTPSession: Sendable {
    /// The default session of all sources.
    public static let shared = HTTPSession()

    /// The transport: the system's, or one of the app.
    private enum Transport: Sendable {
        case system(URLSession, TransferDelegate)
        case own(@Sendable (URLRequest) async throws -> (Data, HTTPURLResponse))
        case files(HTTPRecordings, missingFrom: HTTPSession?)
    }

    private let transport: Transport
    private let clock: any PaginatorClock
    private let additionalHeaders: HTTPHeaderFields
    private let onExchange: (@Sendable (HTTPExchange) -> Void)?

    /// Creates a session with the system's connections.
    ///
    /// - Parameters:
    ///   - configuration: the system's configuration; `nil`, the default, is one without cookies, stored credentials
    ///     and cache, and with up to 64 connections to a host, so that `maxParallelCalls` of the schedulers limits
    ///     calls. Another configuration has its own `httpMaximumConnectionsPerHost`, beyond which requests wait inside
    ///     the system. Its cache is not used, because the paginator caches pages. Its additional header fields are only
    ///     sent to each endpoint's own origin.
    ///   - clock: the clock for ``HTTPLimits/slowestInterval`` and durations; the device's by default.
    ///   - onExchange: called with each request and its outcome, on any thread; `nil`, the default, for none.
    public init(
        configuration: URLSessionConfiguration? = nil, clock: any PaginatorClock = SystemPaginatorClock(),
        onExchange: (@Sendable (HTTPExchange) -> Void)? = nil
    ) {
        // A copy, because the caller's may serve other sessions.
        let configuration =
            configuration?.copy() as? URLSessionConfiguration ?? configuration ?? Self.standardConfiguration
        var headers: [String: String] = [:]
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        additionalHeaders = HTTPHeaderFields(headers)
        configuration.httpAdditionalHeaders = nil
        // Only the paginator caches pages: a second cache would answer with what was just found stale.
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        self.clock = clock
        self.onExchange = onExchange
        let delegate = TransferDelegate()
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: DeliveryQueue())
        transport = .system(session, delegate)
    }

    /// Creates a session with an HTTP client of your own.
    ///
    /// - Parameters:
    ///   - clock: the clock for durations; the device's by default.
    ///   - onExchange: called with each request and its outcome, on any thread; `nil`, the default, for none.
    ///   - transport: sends a request and returns the whole answer, decompressed, or throws, best a `URLError`, whose
    ///     code tells whether a retry may help. It stops when its task is cancelled. It must not follow redirects to
    ///     other origins, because the request may have credentials; an answer from one is refused. Limits of header and
    ///     body are checked afterwards.
    public init(
        clock: any PaginatorClock = SystemPaginatorClock(), onExchange: (@Sendable (HTTPExchange) -> Void)? = nil,
        transport: @escaping @Sendable (_ request: URLRequest) async throws -> (Data, HTTPURLResponse)
    ) {
        self.transport = .own(transport)
        self.clock = clock
        self.onExchange = onExchange
        additionalHeaders = [:]
    }

    /// Creates a session that answers from files in a folder, for tests with recorded answers and without a server.
    ///
    /// ```swift
    /// let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recordings")
    /// // `RECORD=1 swift test` asks the server for what is missing.
    /// let records = ProcessInfo.processInfo.environment["RECORD"] != nil
    /// var options = HTTPSourceOptions()
    /// options.session = HTTPSession(replaying: folder, recordingFrom: records ? .shared : nil)
    /// let posts = HTTPDataSource<Post>("https://api.example.com/posts", style: .linkHeader, options: options)
    /// ```
    ///
    /// Each file is one exchange as JSON: the method, the address, the status, the header fields, and the bodies as
    /// text or in Base64. A request is answered from the file of its method, its address without credentials and its
    /// body; the second such request of the session from the second such file, and so on. Without a file it fails with
    /// ``HTTPSourceError/Code/notRecorded``, which names the file, and is not retried. Delete files to record again.
    ///
    /// In a written file, `SECRET` replaces header fields that may be credentials, query parameters that
    /// ``HTTPExchange`` leaves out, and repetitions of both by the server. Other secrets in an answer, such as a token
    /// in its body, stay in the file: check it before you commit it. Failed connections, and bodies that are not kept,
    /// such as streams, are not recorded.
    ///
    /// - Parameters:
    ///   - folder: the folder of the files.
    ///   - session: makes an exchange whose file is missing, which is then written; `nil`, the default, for none.
    ///   - secretParameters: further names of query parameters that no file contains, beside the usual ones.
    ///   - clock: the clock for durations; the device's by default.
    ///   - onExchange: called with each request and its outcome, on any thread; `nil`, the default, for none.
    public init(
        replaying folder: URL, recordingFrom session: HTTPSession? = nil, secretParameters: Set<String> = [],
        clock: any PaginatorClock = SystemPaginatorClock(), onExchange: (@Sendable (HTTPExchange) -> Void)? = nil
    ) {
        transport = .files(HTTPRecordings(folder, secretNames: secretParameters), missingFrom: session)
        self.clock = clock
        self.onExchange = onExchange
        additionalHeaders = [:]
    }

    deinit {
        if case .system(let session, _) = transport { session.finishTasksAndInvalidate() }
    }

    static var standardConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        // Only the scheduler limits parallel calls. With the system's limit, usually 6, a request could wait behind
        // others without regard to priority.
        configuration.httpMaximumConnectionsPerHost = 64
        return configuration
    }

    /// The number of running transfers over the system's connections.
    var transferCount: Int {
        if case .system(_, let delegate) = transport { delegate.count } else { 0 }
    }

    /// Makes a request and answers once, on any thread, also if the task is cancelled.
    func transfer(
        _ request: HTTPPageRequest, rules: TransferRules
    ) async -> Result<TransferResponse, HTTPSourceError> {
        // Checked here, because the authentication may set a parameter, too.
        if case .conflict(let parameter) = request.content {
            return .failure(
                HTTPSourceError(
                    .notJSON, "The endpoint's body has no place for a parameter \(parameter).",
                    field: "endpoint"))
        }
        let began = clock.now
        let fields = fields(of: request)
        var made = URLRequest(url: request.url)
        made.httpMethod = request.method
        made.httpBody = request.body
        for (name, value) in fields.fields { made.setValue(value, forHTTPHeaderField: name) }
        // The system gives up a connection that is silent for a minute, which an event stream may well be.
        if !rules.keepsBody { made.timeoutInterval = max(60, rules.limits.slowestInterval.inSeconds) }
        let machine = TransferMachine(
            url: request.endpointURL, method: request.method, hasBody: made.httpBody != nil, rules: rules)
        let result =
            switch transport {
            case .system(let session, let delegate): await send(made, machine, session, delegate)
            case .own(let send): await Self.answer(of: send, to: made, machine, at: clock.now)
            case .files(let recordings, let session):
                await recordings.answer(
                    request, fields, to: machine, at: clock.now,
                    record: session.map { session in { await session.transfer(request, rules: rules) } })
            }
        onExchange?(HTTPExchange(request, fields, result, began.duration(to: clock.now)))
        return result
    }

    private func send(
        _ request: URLRequest, _ machine: TransferMachine, _ session: URLSession, _ delegate: TransferDelegate
    ) async -> Result<TransferResponse, HTTPSourceError> {
        let handle = Guarded<Transfer?>(nil)
        let isCancelled = OnceFlag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let transfer = Transfer(machine, clock: clock) { continuation.resume(returning: $0) }
                handle.withLock { $0 = transfer }
                // If the task was cancelled before the handle was set, `onCancel` found nothing to cancel.
                guard !isCancelled.isTaken else { return transfer.cancel() }
                let task = session.dataTask(with: request)
                // Before the task starts, so that its first report finds the transfer.
                delegate.add(transfer, as: task.taskIdentifier)
                transfer.start(task)
            }
        } onCancel: {
            _ = isCancelled.take()
            handle.withLock { $0 }?.cancel()
        }
    }

    private static func answer(
        of send: @Sendable (URLRequest) async throws -> (Data, HTTPURLResponse), to request: URLRequest,
        _ machine: TransferMachine, at now: PaginatorInstant
    ) async -> Result<TransferResponse, HTTPSourceError> {
        do {
            let (body, response) = try await send(request)
            return Result { () throws(HTTPSourceError) in try machine.whole(response, body, to: request, at: now) }
        } catch {
            if error is CancellationError || Task.isCancelled { return .failure(.cancelledCall) }
            return .failure(
                HTTPSourceError(
                    .connection, "The app's own transport failed (\(type(of: error))).", underlying: error,
                    urlErrorCode: (error as? URLError)?.code))
        }
    }

    /// The fields to send: the session's own only to the endpoint's origin, overridden by the request's.
    private func fields(of request: HTTPPageRequest) -> HTTPHeaderFields {
        // Other forms of JSON have their own types, and strict servers refuse clients that do not accept them. Not
        // `*/*`, for which Ruby on Rails assumes a browser and answers with HTML.
        var fields: HTTPHeaderFields = ["Accept": request.accepts ?? "application/json, application/*;q=0.5"]
        if HTTPOrigin(request.url) == HTTPOrigin(request.endpointURL) { fields.merge(additionalHeaders) }
        if let type = request.content.encoded?.type { fields["Content-Type"] = type }
        fields.merge(request.headers)
        return fields
    }
}

extension TransferMachine {
    /// Takes an answer that is complete, as if it had arrived in one piece.
    func whole(
        _ response: HTTPURLResponse, _ body: Data, to request: URLRequest, at now: PaginatorInstant
    ) throws(HTTPSourceError) -> TransferResponse {
        var machine = self
        let url = response.url ?? request.url
        guard let url, let origin = HTTPOrigin(url), allows(origin) else {
            let answer = TransferResponse(
                status: response.statusCode, headers: HTTPHeaderFields(response), url: url ?? URL(filePath: "/"))
            // A portal's, to which the app's own client was sent.
            if answer.isLabelledAsWebPage { throw .notJSON(answer) }
            throw HTTPSourceError(
                .otherOrigin, "A redirect led to another host, scheme or port, which is not allowed.",
                status: response.statusCode)
        }
        // The length in the header may be that of the compressed body.
        var headers = HTTPHeaderFields(response)
        headers["Content-Length"] = nil
        try machine.received(status: response.statusCode, headers: headers, url: url, at: now)
        _ = try machine.received(body)
        if let (receiver, header) = machine.streaming, let error = receiver(header, body) { throw error }
        return try machine.ended(nil)
    }
}
