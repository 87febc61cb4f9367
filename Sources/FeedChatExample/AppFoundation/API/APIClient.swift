package import Foundation
import PaginatorCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Calls the backend: JSON over HTTP with a bearer token, and failures as values.
///
///     let api = APIClient(baseURL: url) { session.token }
///     let feed = try await api.get(FeedApiResponse.self, APIRequest("GET", "/v1/feed", query: [("limit", "30")]))
///     try await api.send("POST", "/v1/posts", body: request)
///
/// Every call runs and decodes off the caller's actor. Requests are idempotent by a request id in the body, made once
/// (``RequestIDs``) and stored with the pending row. Redirects are not followed, so that only the backend gets the
/// token. A cancelled task stops its transfer.
package final class APIClient: Sendable {
    package let baseURL: URL
    private let session: URLSession
    private let delegate: TransferDelegate
    private let timeoutLimit: Duration
    private let unreachable: @Sendable () -> Void
    private let token: @Sendable () async -> String?
    private let tokenRefused: @Sendable (_ token: String) async -> Void

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: the base address of the paths.
    ///   - bodyLimit: the maximum bytes of an answer.
    ///   - timeoutLimit: the longest timeout of a call, whatever its request says; none by default.
    ///   - unreachable: called after each call that did not reach the server, or timed out.
    ///   - tokenRefused: called with the current token when the server answered 401.
    ///   - token: the current token; `nil` while no user is signed in.
    package init(
        baseURL: URL, bodyLimit: Int = 64 << 20, timeoutLimit: Duration = .seconds(Int64.max),
        unreachable: @escaping @Sendable () -> Void = {},
        tokenRefused: @escaping @Sendable (_ token: String) async -> Void = { _ in },
        token: @escaping @Sendable () async -> String?
    ) {
        self.baseURL = baseURL
        self.timeoutLimit = timeoutLimit
        self.unreachable = unreachable
        self.token = token
        self.tokenRefused = tokenRefused
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 8
        delegate = TransferDelegate(bodyLimit: bodyLimit)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Makes a call. If its token was replaced meanwhile, the call is repeated with the new one.
    ///
    /// - Returns: the answer, if its status is 2xx.
    @concurrent
    package func send(_ request: APIRequest) async throws(APIError) -> APIResponse {
        let token = await token()
        do {
            return try await send(request, token)
        } catch  where error.kind == .tokenRefused {
            guard let present = await self.token(), present != token else { throw error }
            return try await send(request, present)
        }
    }

    private func send(_ request: APIRequest, _ token: String?) async throws(APIError) -> APIResponse {
        var request = request
        request.timeout = min(request.timeout, timeoutLimit)
        let made = try request.urlRequest(base: baseURL, token: token)
        let response: APIResponse
        switch await transfer(made) {
        case .success(let value) where !value.isOfNetwork: response = value
        case .success:
            unreachable()
            throw APIError(.unreachable)
        case .failure(let error):
            if error.kind == .unreachable || error.kind == .timedOut { unreachable() }
            throw error
        }
        switch response.status {
        case 200...299: return response
        case 401:
            if let token { await tokenRefused(token) }
            throw APIError(.tokenRefused, status: 401, body: response.body)
        default:
            throw APIError(
                .status, status: response.status, body: response.body, retryAfter: response.statedDelay)
        }
    }

    /// Makes a call with a JSON body.
    @concurrent @discardableResult
    package func send(
        _ method: String, _ path: String, body: some Encodable & Sendable, timeout: Duration = .seconds(20)
    ) async throws(APIError) -> APIResponse {
        var request = APIRequest(method, path, headers: ["Content-Type": "application/json"], timeout: timeout)
        do {
            request.body = try WireCoding.encoder().encode(body)
        } catch {
            throw APIError(.badRequest)
        }
        return try await send(request)
    }

    /// Makes a call and decodes its answer.
    @concurrent
    package func get<Value: Decodable & Sendable>(
        _ type: Value.Type, _ request: APIRequest
    ) async throws(APIError) -> Value {
        try await send(request).decoded(type)
    }

    private func transfer(_ request: URLRequest) async -> Result<APIResponse, APIError> {
        let task = session.dataTask(with: request)
        let (id, delegate) = (task.taskIdentifier, delegate)
        // A cancelled call ends at once, even if the system reports it later.
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                delegate.add(id) { continuation.resume(returning: $0) }
                task.resume()
                if Task.isCancelled { delegate.cancel(id) }
            }
        } onCancel: {
            task.cancel()
            delegate.cancel(id)
        }
    }
}

extension APIResponse {
    /// Whether a network that asks its users to sign in, or a gateway, answered for the server, which neither
    /// redirects temporarily nor sends web pages.
    fileprivate var isOfNetwork: Bool {
        switch status {
        case 302, 303, 307, 511: true
        case 200...299: headers["content-type"]?.lowercased().hasPrefix("text/html") ?? false
        default: false
        }
    }

    /// The delay that `Retry-After` states, in seconds or as a date (RFC 9110, section 10.2.3). More than an hour is
    /// taken for a mistake.
    fileprivate var statedDelay: Duration? {
        guard let field = headers["retry-after"] else { return nil }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        // If the server tells its time, a wrong clock of the device does not matter.
        let present = headers["date"].flatMap { format.date(from: $0) } ?? Date()
        let seconds = Double(field) ?? format.date(from: field)?.timeIntervalSince(present)
        return seconds.map { Duration.clamped(seconds: min(max(0, $0.rounded(.up)), 3_600)) }
    }

    /// Decodes the body; call it off the main thread.
    package func decoded<Value: Decodable>(_ type: Value.Type) throws(APIError) -> Value {
        do {
            return try WireCoding.decoder().decode(type, from: body)
        } catch {
            throw APIError(.undecodable, status: status)
        }
    }
}
