public import Foundation
import PaginatorCore

// Requests with credentials: those of sources, and the app's own.
extension HTTPSession {
    /// Sends a request of your own, with the connections and the authentication of the sources.
    ///
    /// ```swift
    /// let like = HTTPEndpoint("https://api.example.com/posts/1/like", method: "PUT", body: "{}")
    /// _ = try await session.send(like, authentication: account)
    /// ```
    ///
    /// It is sent once, and once more if the server answers 401, or 400 or 500 with an error code such as
    /// `UNAUTHENTICATED`, and the authentication has newer credentials. Nothing else is repeated or cached, and no
    /// scheduler limits the number of requests. The app itself reads an error in a body with status 200, such as
    /// GraphQL's. It accepts JSON, unless the endpoint has its own `Accept`. A web page that it does not accept is the
    /// answer of a network that asks its users to sign in, and not the server's. A redirect to another origin, or one
    /// that would turn the request into a `GET`, is refused.
    ///
    /// - Parameters:
    ///   - endpoint: the request.
    ///   - authentication: adds credentials, and refreshes them; `nil`, the default, for none.
    ///   - limits: the limits for what the server may send; those of JSON do not apply.
    ///   - secretParameters: further names of query parameters that no ``HTTPExchange`` shows, beside the usual ones.
    /// - Returns: the status, from 200 to 299 or 304; the header fields, with names in lower case; and the body.
    /// - Throws: ``HTTPSourceError/Code/status`` for other statuses, ``HTTPSourceError/Code/unauthorized`` for refused
    ///   credentials, with the response's body in ``HTTPSourceError/body``; ``HTTPSourceError/Code/webPage``; the codes
    ///   of connections, limits and redirects; ``HTTPSourceError/Code/cancelled`` if the task is cancelled.
    public func send(
        _ endpoint: HTTPEndpoint, authentication: HTTPAuthentication? = nil, limits: HTTPLimits = HTTPLimits(),
        secretParameters: Set<String> = []
    ) async throws(HTTPSourceError) -> (status: Int, headers: [String: String], body: Data) {
        // There is no page: key and size are not used.
        var request = try HTTPPageRequest(
            SourceRequest(identity: PageIdentity(key: "", pageSize: 1)), at: endpoint)
        request.secrets.add(
            of: request.url, named: QuerySecrets.usualNames.union(secretParameters.map { $0.lowercased() }))
        let rules = TransferRules(limits: limits, expectsJSON: false)
        let response = try await answer(to: &request, authentication, rules: rules).get()
        guard (200..<300).contains(response.status) || response.status == 304 else {
            var error = HTTPSourceError.failed(response)
            error.body = HTTPErrorBody(
                response.body, headers: response.headers, limit: limits.errorBodyBytes,
                code: BodyError.find(in: response)?.code)
            throw error
        }
        if response.isUnaskedWebPage(request.headers["Accept"]) { throw .notJSON(response) }
        var headers: [String: String] = [:]
        for (name, value) in response.headers.fields { headers[name.lowercased()] = value }
        return (response.status, headers, Data(response.body))
    }

    /// Sends a request, and once more after a refusal with refreshed credentials.
    ///
    /// - Parameter isRefusal: whether an answer refuses the credentials though its status does not.
    func answer(
        to request: inout HTTPPageRequest, _ authentication: HTTPAuthentication?, rules: TransferRules,
        isRefusal: @Sendable (TransferResponse) -> Bool = { _ in false }
    ) async -> Result<TransferResponse, HTTPSourceError> {
        guard let authentication, HTTPOrigin(request.url) == HTTPOrigin(request.endpointURL) else {
            return await transfer(request, rules: rules)
        }
        do {
            let (adapted, generation) = try await Self.adapt(&request, by: authentication)
            let response = await transfer(adapted, rules: rules)
            guard case .success(let refusal) = response, authentication.renewal != nil,
                refusal.refusesCredentials || isRefusal(refusal),
                try await Self.renew(authentication, after: generation)
            else { return response }
            let repeated = try await Self.adapt(&request, by: authentication)
            return await transfer(repeated.request, rules: rules)
        } catch {
            return .failure(Task.isCancelled ? .cancelledCall : error)
        }
    }

    private static func renew(
        _ authentication: HTTPAuthentication, after generation: Int
    ) async throws(HTTPSourceError) -> Bool {
        do {
            return try await authentication.renew(after: generation)
        } catch {
            throw .authenticationFailed(error)
        }
    }

    /// Adapts a copy of a request, which must stay at its origin, and records in the request what was added to the
    /// address.
    private static func adapt(
        _ request: inout HTTPPageRequest, by authentication: HTTPAuthentication
    ) async throws(HTTPSourceError) -> (request: HTTPPageRequest, generation: Int) {
        var adapted = request
        let generation: Int
        do {
            generation = try await authentication.adapt(&adapted)
        } catch {
            throw .authenticationFailed(error)
        }
        guard HTTPOrigin(adapted.url) == HTTPOrigin(request.endpointURL) else {
            throw HTTPSourceError(
                .otherOrigin, "The authentication leads to another host, scheme or port, which is not allowed.",
                field: "adapt")
        }
        request.secrets.add(between: request.url, and: adapted.url)
        // So that a report of the exchange does not show what was added.
        adapted.secrets = request.secrets
        return (adapted, generation)
    }
}

extension HTTPSourceError {
    /// The error of an authentication that threw. Never the thrown error itself, which may be about another server: a
    /// token that it refuses with 400 is no expired cursor.
    fileprivate static func authenticationFailed(_ error: any Error) -> HTTPSourceError {
        HTTPSourceError(
            .authenticationFailed, "The authentication failed (\(type(of: error))).", underlying: error,
            urlErrorCode: (error as? URLError)?.code ?? (error as? HTTPSourceError)?.urlErrorCode)
    }

    /// The error of a response with a failure status.
    static func failed(_ response: TransferResponse) -> HTTPSourceError {
        response.refusesCredentials
            ? .unauthorized(status: response.status)
            : HTTPSourceError(
                .status, "The server answered with the status \(response.status).", status: response.status)
    }

    /// The error of a response whose body is no JSON.
    static func notJSON(_ response: TransferResponse) -> HTTPSourceError {
        // Only now: some servers label their JSON as a page.
        guard response.isLabelledAsWebPage else {
            return HTTPSourceError(.notJSON, "The body is not JSON.", field: "body", status: response.status)
        }
        return HTTPSourceError(
            .webPage, "The answer is a web page, as of a network that asks its users to sign in.",
            field: "header Content-Type", status: response.status)
    }
}

extension TransferResponse {
    /// Whether its status refuses the credentials: 401, or where Apollo Server's context refuses them 400, in later
    /// versions 500, with a code in the body. 403 refuses what they may do.
    fileprivate var refusesCredentials: Bool {
        status == 401 || ([400, 500].contains(status) && BodyError.find(in: self)?.refusesCredentials == true)
    }
}

extension BodyError {
    /// Finds the error that a whole response reports.
    static func find(in response: TransferResponse) -> BodyError? { document(of: response).flatMap { find(in: $0) } }

    /// Whether a whole response explains an error as Django REST framework does.
    static func hasDetail(_ response: TransferResponse) -> Bool { document(of: response)?.value(at: "detail") != nil }

    private static func document(of response: TransferResponse) -> JSONDocument? {
        // A body that is not JSON has only an error text for people.
        try? JSONDocument(response.body, maxDepth: HTTPErrorBody.maxDepth)
    }
}
