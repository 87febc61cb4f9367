import Foundation
public import PaginatorCore

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A `URLSession` whose connections data sources share.
///
/// Bodies are received in pieces, so that a limit or a cancellation stops a transfer at once.
public final class HTTPSession: Sendable {
    /// The session of all sources that are not given another one; it has no cookies, stored credentials or cache.
    public static let shared: HTTPSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        return HTTPSession(configuration: configuration)
    }()

    private let session: URLSession
    private let delegate = TransferDelegate()
    private let clock: any PaginatorClock
    private let additionalHeaders: HTTPHeaderFields

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - configuration: how the system connects. Its cache is not used, because pages are cached by the paginator.
    ///     Its additional header fields are sent to each endpoint's own origin only.
    ///   - clock: measures ``HTTPLimits/slowestInterval``; the device's by default.
    public init(configuration: URLSessionConfiguration, clock: any PaginatorClock = SystemPaginatorClock()) {
        var headers: [String: String] = [:]
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        additionalHeaders = HTTPHeaderFields(headers)
        configuration.httpAdditionalHeaders = nil
        // Pages are cached by the paginator alone: a second cache would answer what was just found stale.
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        self.clock = clock
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: DeliveryQueue())
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// The transfers under way.
    var transferCount: Int { delegate.count }

    /// Makes a request, and answers once, on any thread; also when the task is cancelled.
    func transfer(
        _ request: HTTPPageRequest, rules: TransferRules
    ) async -> Result<TransferResponse, HTTPSourceError> {
        let handle = Guarded<Transfer?>(nil)
        let isCancelled = OnceFlag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let made = urlRequest(request)
                let machine = TransferMachine(url: request.endpointURL, hasBody: made.httpBody != nil, rules: rules)
                let transfer = Transfer(machine, clock: clock) { continuation.resume(returning: $0) }
                handle.withLock { $0 = transfer }
                // The task may be cancelled before the handle is set: then `onCancel` found nothing to cancel.
                guard !isCancelled.isTaken else { return transfer.cancel() }
                let task = session.dataTask(with: made)
                // Before the task starts, so that its first report finds the transfer.
                delegate.add(transfer, as: task.taskIdentifier)
                transfer.start(task)
            }
        } onCancel: {
            _ = isCancelled.take()
            handle.withLock { $0 }?.cancel()
        }
    }

    private func urlRequest(_ request: HTTPPageRequest) -> URLRequest {
        var made = URLRequest(url: request.url)
        made.httpMethod = request.method
        // Other forms of JSON have types of their own, and strict servers refuse who does not accept them. Not `*/*`: Ruby
        // on Rails takes that for a browser, and answers with HTML.
        made.setValue("application/json, application/*;q=0.5", forHTTPHeaderField: "Accept")
        if let body = request.body {
            made.httpBody = body
            made.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        if HTTPOrigin(request.url) == HTTPOrigin(request.endpointURL) {
            for (name, value) in additionalHeaders.fields { made.setValue(value, forHTTPHeaderField: name) }
        }
        for (name, value) in request.headers.fields { made.setValue(value, forHTTPHeaderField: name) }
        return made
    }
}
