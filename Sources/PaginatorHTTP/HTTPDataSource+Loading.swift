import Foundation
package import PaginatorCore

// One call of the source, step by step.
extension HTTPDataSource {
    /// Loads a page.
    func load(_ source: SourceRequest) async -> Result<PaginatorPage<Item>, SourceError> {
        do {
            let request = try makeRequest(source)
            return await load(request)
        } catch {
            return .failure(.fatal(error))
        }
    }

    /// Makes the request of a page, without what the authentication adds.
    package func makeRequest(_ source: SourceRequest) throws(HTTPSourceError) -> HTTPPageRequest {
        var source = source
        source.isFirst = source.key.hasSameBytes(as: style.firstKey)
        let start = source.isFirst ? firstEndpoint : endpoint
        let url = try start.url()
        var request = HTTPPageRequest(source, endpoint: start, url: url, endpointURL: url)
        options.prepare?(&request)
        try style.prepare(&request)
        guard let origin = HTTPOrigin(request.url) else {
            throw HTTPSourceError(.badKey, "The key leads to no address of HTTP.", field: "key")
        }
        guard origin != HTTPOrigin(url) else { return request }
        guard options.allowedOrigins.contains(origin), request.method.uppercased() == "GET" else {
            throw HTTPSourceError(
                .otherOrigin, "The key leads to another host, scheme or port, which is not allowed.", field: "key")
        }
        request.headers = [:]
        request.body = nil
        return request
    }

    private func load(_ request: HTTPPageRequest) async -> Result<PaginatorPage<Item>, SourceError> {
        let known = knownPage(request)
        var asked = request
        if let known {
            asked.headers["If-None-Match"] = known.validators.etag
            asked.headers["If-Modified-Since"] = known.validators.lastModified
        }
        switch await answer(to: asked) {
        case .failure(let error):
            return .failure(advise(error, on: nil, to: request))
        case .success(let response):
            pauseSource(after: response, to: request)
            if response.status == 304 { return renewed(known, by: response, request) }
            if style.endStatuses.contains(response.status), !request.isFirst { return .success(end(request)) }
            guard (200..<300).contains(response.status) else {
                return .failure(advise(Self.failed(response), on: response, to: request))
            }
            return page(in: response, to: request)
        }
    }

    /// The page that the paginator has, if the server has told how to ask whether it has changed.
    private func knownPage(_ request: HTTPPageRequest) -> KnownPage? {
        guard options.revalidates, let page = request.source.cachedPage(of: Item.self),
            let validators = page.revision.flatMap({ HTTPValidators(revision: $0, of: request) })
        else { return nil }
        return (page, validators)
    }

    private typealias KnownPage = (page: PaginatorPage<Item>, validators: HTTPValidators)

    /// Tells the paginator when a rate limit is spent, before it has the answer.
    private func pauseSource(after response: TransferResponse, to request: HTTPPageRequest) {
        let now = options.clock.wallTime.timeIntervalSince1970
        guard let seconds = RetryHint.pause(status: response.status, response.headers, now: now) else { return }
        request.source.pauseSource(for: .clamped(seconds: seconds))
    }

    /// Sends a request; after a refusal once more, with what the refresh brought.
    private func answer(to request: HTTPPageRequest) async -> Result<TransferResponse, HTTPSourceError> {
        let rules = TransferRules(
            limits: options.limits, itemsPath: reading.itemsPath, allowedOrigins: options.allowedOrigins)
        guard let authentication = options.authentication,
            HTTPOrigin(request.url) == HTTPOrigin(request.endpointURL)
        else { return await options.session.transfer(request, rules: rules) }
        do {
            var adapted = request
            let generation = try await adapt(&adapted, by: authentication)
            let response = await options.session.transfer(adapted, rules: rules)
            guard case .success(let refusal) = response, refusal.status == 401,
                try await authentication.renew(after: generation)
            else { return response }
            options.onEvent?(HTTPSourceEvent(.refreshed, scope: request.source.scope))
            var repeated = request
            _ = try await adapt(&repeated, by: authentication)
            return await options.session.transfer(repeated, rules: rules)
        } catch {
            return .failure(
                error as? HTTPSourceError
                    ?? HTTPSourceError(
                        .authenticationFailed, "The authentication failed (\(type(of: error))).", underlying: error))
        }
    }

    /// Adapts a request, which must stay at its origin.
    private func adapt(_ request: inout HTTPPageRequest, by authentication: HTTPAuthentication) async throws -> Int {
        let generation = try await authentication.adapt(&request)
        guard HTTPOrigin(request.url) == HTTPOrigin(request.endpointURL) else {
            throw HTTPSourceError(
                .otherOrigin, "The authentication leads to another host, scheme or port, which is not allowed.",
                field: "adapt")
        }
        return generation
    }

    /// Reads the page of a response that is no failure.
    package func page(
        in response: TransferResponse, to request: HTTPPageRequest
    ) -> Result<PaginatorPage<Item>, SourceError> {
        do {
            let body = try PageReading.document(response, limits: options.limits)
            let read = try reading.response(response, body, to: request)
            let decoded = try decoding.decode(read, skipsBroken: options.brokenItems.skips)
            let keys = try reading.keys(of: read)
            try memory.note(next: keys.next, of: request.source)
            report(decoded.skipped, total: keys.total, scope: request.source.scope)
            let page = PaginatorPage(
                content: decoded.items, key: request.key, expirationTime: expiration(response.headers),
                prevKey: keys.previous, nextKey: keys.next, byteCount: response.body.count,
                revision: HTTPValidators(response.headers)?.revision(of: request))
            return .success(page)
        } catch {
            return .failure(advise(error, on: response, to: request))
        }
    }

    private func report(_ skipped: [HTTPSourceError], total: Int?, scope: String) {
        for error in skipped { options.onEvent?(HTTPSourceEvent(.itemSkipped, scope: scope, error: error)) }
        if let total, memory.setTotal(total, scope: scope) {
            options.onEvent?(HTTPSourceEvent(.total, scope: scope, count: total))
        }
    }

    /// The page as it was, fresh again.
    private func renewed(
        _ known: KnownPage?, by response: TransferResponse, _ request: HTTPPageRequest
    ) -> Result<PaginatorPage<Item>, SourceError> {
        guard let (page, validators) = known else {
            return .failure(
                .fatal(
                    HTTPSourceError(
                        .unexpectedNotModified, "The server says that the page has not changed, and was not asked.",
                        status: 304)))
        }
        options.onEvent?(HTTPSourceEvent(.revalidated, scope: request.source.scope))
        return .success(
            PaginatorPage(
                content: page.content, key: page.key, expirationTime: expiration(response.headers),
                prevKey: page.prevKey, nextKey: page.nextKey, byteCount: page.byteCount,
                revision: validators.updated(by: response.headers).revision(of: request)))
    }

    /// The empty page past the last one.
    private func end(_ request: HTTPPageRequest) -> PaginatorPage<Item> {
        let neighbors = style.neighborKeys(of: request.key, pageSize: request.pageSize)
        return PaginatorPage(content: [], key: request.key, prevKey: neighbors?.previous)
    }

    private func expiration(_ headers: HTTPHeaderFields) -> Date? {
        let now = options.clock.wallTime
        switch options.freshness.kind {
        case .forever: return nil
        case .lasting(let duration): return now.addingTimeInterval(duration.inSeconds)
        case .stated:
            return CacheControl.freshness(headers, now: now.timeIntervalSince1970).map { now.addingTimeInterval($0) }
        }
    }

    private static func failed(_ response: TransferResponse) -> HTTPSourceError {
        if response.status == 401 {
            return HTTPSourceError(.unauthorized, "The server does not accept who asks.", status: 401)
        }
        return HTTPSourceError(
            .status, "The server answered with the status \(response.status).", status: response.status)
    }

    private func advise(
        _ error: HTTPSourceError, on response: TransferResponse?, to request: HTTPPageRequest
    ) -> SourceError {
        var bodyError: BodyError?
        if let response, [.status, .refusedInBody].contains(error.code),
            case .success(let body) = Result(catching: { try JSONDocument(response.body, maxDepth: 32) })
        {
            bodyError = BodyError.find(in: body)
        }
        let headers = response?.headers ?? [:]
        let now = options.clock.wallTime.timeIntervalSince1970
        let isIdempotent = request.isFirst ? firstEndpoint.isIdempotent : endpoint.isIdempotent
        let failure = HTTPFailure(
            error: error, isFirst: request.isFirst, isIdempotent: isIdempotent, headers: headers,
            errorCode: bodyError?.code, statedDelay: RetryHint.delay(headers, now: now).map { .clamped(seconds: $0) },
            speaksOfCursor: bodyError?.speaksOfCursor ?? false)
        return failure.sourceError(options.failures)
    }
}
