import Foundation
import PaginatorCore

// A call of the source, step by step.
extension HTTPDataSource {
    /// Loads a page.
    func load(_ source: SourceRequest) async -> Result<PaginatorPage<Item>, SourceError> {
        do {
            let portion =
                decoding.body == nil
                ? try HTTPPortion.wanted(source, of: style, itemBytes: memory.itemBytes) : nil
            var request = try makeRequest(portion?.source ?? source)
            request.itemsBefore = portion?.before ?? 0
            return await load(request, as: portion, of: source)
        } catch {
            // A page that cannot be continued is loaded from its start.
            return .failure(source.continuation == nil ? .fatal(error) : .keyExpired(error))
        }
    }

    /// Makes the request of a page, before authentication.
    func makeRequest(_ source: SourceRequest) throws(HTTPSourceError) -> HTTPPageRequest {
        var source = source
        source.isFirst = source.key.hasSameBytes(as: style.firstKey)
        let later = try beginRequest(source, at: endpoint)
        let first = hasOwnFirst ? try beginRequest(source, at: firstEndpoint) : later
        var request = source.isFirst ? first : later
        request.hasOwnEndpoint = hasOwnFirst && source.isFirst
        request.laterURL = later.url
        request.accepts = decoding.body == nil ? reading.format.accepts : "*/*"
        for url in [later.url, first.url] { request.secrets.add(of: url, named: secretNames) }
        try style.prepare(&request)
        let url = request.endpointURL
        guard let origin = HTTPOrigin(request.url) else {
            throw HTTPSourceError(.badKey, "The key leads to no address of HTTP.", field: "key")
        }
        guard origin != HTTPOrigin(url) else { return request }
        guard allowedOrigins.contains(origin), request.method.uppercased() == "GET" else {
            throw HTTPSourceError(
                .otherOrigin, "The key leads to another host, scheme or port, which is not allowed.", field: "key")
        }
        request.headers = [:]
        request.content = .none
        return request
    }

    /// Begins a request to an endpoint, before the style adds the page.
    private func beginRequest(
        _ source: SourceRequest, at start: HTTPEndpoint
    ) throws(HTTPSourceError) -> HTTPPageRequest {
        var request = try HTTPPageRequest(source, at: start)
        options.prepare?(&request)
        return request
    }

    private func load(
        _ made: HTTPPageRequest, as portion: HTTPPortion?, of source: SourceRequest
    ) async -> Result<PaginatorPage<Item>, SourceError> {
        let known = portion == nil ? knownPage(made) : nil
        var (request, asked) = (made, made)
        if let known {
            asked.headers["If-None-Match"] = known.validators.etag
            asked.headers["If-Modified-Since"] = known.validators.lastModified
        }
        var rules = TransferRules(
            limits: options.limits, itemsPath: reading.itemsPath, allowedOrigins: allowedOrigins,
            expectsJSON: decoding.body == nil && [.json, .streamedJSON].contains(reading.format))
        let early = Guarded<EarlyItems<Item>?>(nil)
        if reading.format.isStreamed { rules.receiver = receiver(of: made, of: source, keeping: early) }
        let answer = await options.session.answer(to: &asked, options.authentication, rules: rules) { response in
            guard decoding.body == nil, reading.refusesCredentials(response, to: made) else { return false }
            // The answer to the repeated request is another body.
            early.replace(with: nil)
            return true
        }
        request.secrets = asked.secrets
        switch answer {
        case .failure(let error):
            return .failure(advise(error, on: nil, to: request))
        case .success(let response):
            pauseSource(after: response, to: request)
            if response.status == 304 { return renewed(known, by: response, request) }
            // 204 and 205 have no content, RFC 9110, section 15.3.5.
            if [204, 205].contains(response.status) || (!request.isFirst && isPastEnd(response, request)) {
                return emptyPage(in: response, to: request, of: source)
            }
            // Accepted, but not carried out yet, RFC 9110, section 15.3.3.
            guard response.isPage, response.status != 202 || !options.retryableStatuses.contains(202) else {
                return .failure(advise(.failed(response), on: response, to: request))
            }
            return page(in: response, to: request, as: portion, of: source)
        }
    }

    /// Whether a response says that there is no such page. WordPress says it with 400 and an error code.
    private func isPastEnd(_ response: TransferResponse, _ request: HTTPPageRequest) -> Bool {
        if style.endStatuses.contains(response.status) { return true }
        // The addresses of Django's pages have numbers, which do not expire. Other servers answer 404 where access is
        // lost.
        if response.status == 404, style is AddressStyle, BodyError.hasDetail(response) {
            return QueryEditor.parameters(of: request.url).contains {
                ["page", "page[number]"].contains($0.name.lowercased()) && Int($0.value) != nil
            }
        }
        guard response.status == 400, let code = BodyError.find(in: response)?.code else { return false }
        return code.hasPrefix("rest_") && code.hasSuffix("_invalid_page_number")
    }

    /// The paginator's page, if the server gave validators with it. Other methods than `GET` would be refused with 412
    /// where the page has not changed, RFC 9110, section 13.1.2.
    private func knownPage(_ request: HTTPPageRequest) -> KnownPage? {
        guard options.revalidates, request.method.uppercased() == "GET",
            let page = request.source.cachedPage(of: Item.self),
            let validators = page.revision.flatMap({ HTTPValidators(revision: $0, of: request) })
        else { return nil }
        return (page, validators)
    }

    private typealias KnownPage = (page: PaginatorPage<Item>, validators: HTTPValidators)

    /// Pauses the source before the answer if a rate limit is spent.
    private func pauseSource(after response: TransferResponse, to request: HTTPPageRequest) {
        guard let seconds = RetryHint.pause(status: response.status, response.headers, now: now) else { return }
        let delay = Duration.clamped(seconds: seconds)
        request.source.pauseSource(for: delay, because: HTTPSourceError.rateLimited(response.status, for: delay))
    }

    /// Reads the page of a successful response.
    func page(
        in response: TransferResponse, to request: HTTPPageRequest, as portion: HTTPPortion? = nil,
        of source: SourceRequest? = nil
    ) -> Result<PaginatorPage<Item>, SourceError> {
        let source = source ?? request.source
        var request = request
        request.secrets.add(redirectedFrom: request.url, to: response.url, named: secretNames)
        do {
            let (read, decoded) = try source.decoding { () throws(HTTPSourceError) in
                try decoding.read(response, to: request, by: reading, skipsBroken: options.skipsBrokenItems)
            }
            // Mastodon's, while it makes the feed: not the part that was asked for, RFC 9110, section 15.3.7.
            if response.status == 206, read.itemCount == 0, response.headers["Content-Range"] == nil,
                options.retryableStatuses.contains(206)
            {
                return .failure(advise(.failed(response), on: response, to: request))
            }
            var keys = try reading.keys(of: read)
            memory.note(items: read.itemCount, bytes: response.body.count)
            var items = read.itemCount
            var continuation: String?
            if let portion {
                // Items that the server leaves out have their offsets, too.
                let asked = portion.source.pageSize
                let end = style.key(behind: portion.before + asked, of: source.key)
                if let next = keys.next, end?.hasSameBytes(as: next) == true { items = max(items, asked) }
                items += portion.before
                keys.previous = previousKey(of: source) ?? keys.previous
                // After the whole page its own next key continues, and after an answer without items, too.
                if items < source.pageSize, !decoded.items.isEmpty, let next = keys.next {
                    continuation = HTTPPortion.continuation(behind: items, at: next)
                    keys.next = nil
                }
            }
            if continuation == nil { try memory.note(next: keys.next, of: source) }
            for error in decoded.skipped { options.onSkippedItem?(error, request.scope) }
            let page = PaginatorPage(
                content: decoded.items, key: source.key, expirationTime: expiration(response.headers),
                prevKey: keys.previous, nextKey: keys.next, byteCount: response.body.count,
                // A part's entity tag is not the page's. A page with skipped items is loaded in full again, because the
                // next version of the app may decode them.
                revision: portion == nil && decoded.skipped.isEmpty
                    ? HTTPValidators(response.headers, now: now)?.revision(of: request) : nil,
                isStorable: isStorable(response, request), total: keys.total, tags: try options.tags?(read) ?? [],
                continuation: continuation)
            return .success(page)
        } catch {
            return .failure(advise(error, on: response, to: request))
        }
    }

    /// The unchanged page, fresh again.
    private func renewed(
        _ known: KnownPage?, by response: TransferResponse, _ request: HTTPPageRequest
    ) -> Result<PaginatorPage<Item>, SourceError> {
        guard let (page, validators) = known else {
            return .failure(
                .fatal(
                    HTTPSourceError(
                        .status, "The server says that the page has not changed, and was not asked.",
                        status: 304)))
        }
        let updated = validators.updated(by: response.headers, now: now)
        do {
            let keys = try renewedKeys(of: page, by: response, request)
            try memory.note(next: keys.next, of: request.source)
            return .success(
                PaginatorPage(
                    content: page.content, key: page.key,
                    expirationTime: expiration(response.headers, lifetime: updated.lifetime),
                    prevKey: keys.previous, nextKey: keys.next, byteCount: page.byteCount,
                    revision: updated.revision(of: request),
                    isStorable: isStorable(response, request)
                        && (page.isStorable || response.headers["Cache-Control"] != nil),
                    total: keys.total, tags: page.tags))
        } catch {
            return .failure(advise(error, on: response, to: request))
        }
    }

    /// The keys and the total of an unchanged page: what header fields say may have changed without the body, RFC 9111,
    /// section 3.2.
    private func renewedKeys(
        of page: PaginatorPage<Item>, by response: TransferResponse, _ request: HTTPPageRequest
    ) throws(HTTPSourceError) -> HTTPPageKeys {
        var request = request
        request.secrets.add(redirectedFrom: request.url, to: response.url, named: secretNames)
        var read = try withoutBody(response, to: request)
        guard style.headerTellsKeys(in: read) else {
            return HTTPPageKeys(previous: page.prevKey, next: page.nextKey, total: page.total)
        }
        read.readByClosure = (Data(), page.content.count)
        let told = try reading.keys(of: read)
        return HTTPPageKeys(
            previous: told.previous ?? page.prevKey, next: told.next, total: told.total ?? page.total)
    }

    /// A response of which only the header is read.
    private func withoutBody(
        _ response: TransferResponse, to request: HTTPPageRequest
    ) throws(HTTPSourceError) -> HTTPPageResponse {
        var nothing = response
        nothing.body = Array("null".utf8)
        return HTTPPageResponse(
            request: request, url: response.url, status: response.status, headers: response.headers,
            document: try PageReading.document(nothing, limits: options.limits), itemsPath: .root, elements: [])
    }

    /// The empty page for an answer without content, as past the last page.
    private func emptyPage(
        in response: TransferResponse, to request: HTTPPageRequest, of source: SourceRequest
    ) -> Result<PaginatorPage<Item>, SourceError> {
        do {
            let read = try withoutBody(response, to: request)
            return .success(
                PaginatorPage(
                    content: [], key: source.key, expirationTime: expiration(response.headers),
                    prevKey: previousKey(of: source), byteCount: 0,
                    isStorable: isStorable(response, request), tags: try options.tags?(read) ?? []))
        } catch {
            return .failure(advise(error, on: response, to: request))
        }
    }

    private func previousKey(of source: SourceRequest) -> String? {
        style.previousKey(of: source.key, pageSize: source.pageSize)
    }

    /// Previews the items of a body as they arrive: the first at once, then whenever there are a quarter more, so that
    /// the previews cost no more than the page.
    private func receiver(
        of request: HTTPPageRequest, of source: SourceRequest, keeping early: Guarded<EarlyItems<Item>?>
    ) -> BodyReceiver {
        let (before, wanted) = (request.itemsBefore, request.asksForSize ? request.pageSize : Int.max)
        return { header, piece in
            // Pieces arrive one at a time. The decoder is the user's code, and runs without the lock.
            var items = early.withLock { $0.take() } ?? EarlyItems(reading, header)
            let hasNews = items.take(piece, decoding, skipsBroken: options.skipsBrokenItems)
            if hasNews, items.count <= wanted {
                // Tags are read from the whole page, so a beginning without them is not continued.
                let mayContinue = options.tags == nil && style.givesAllItems
                let next = mayContinue ? style.key(behind: before + items.count, of: source.key) : nil
                source.preview(
                    PaginatorPage(
                        content: items.items, key: source.key, expirationTime: expiration(header.headers),
                        prevKey: previousKey(of: source), byteCount: items.bytes,
                        isStorable: isStorable(header, request),
                        continuation: next.map { HTTPPortion.continuation(behind: before + items.count, at: $0) } ?? "")
                )
            }
            early.withLock { [items] in $0 = items }
            return nil
        }
    }

    /// Whether caches may keep a response (RFC 9111, section 3): unless it or its request has `no-store`.
    private func isStorable(_ response: TransferResponse, _ request: HTTPPageRequest) -> Bool {
        guard options.obeysNoStore else { return true }
        return !CacheControl.forbidsStorage(response.headers) && !CacheControl.forbidsStorage(request.headers)
    }

    /// When a page expires, by the lifetime that its header states, or an earlier answer's.
    private func expiration(_ headers: HTTPHeaderFields, lifetime: Double? = nil) -> Date? {
        let stated = lifetime ?? CacheControl.lifetime(headers, now: now)
        let seconds =
            (options.obeysFreshness ? stated.map { CacheControl.remaining($0, headers) } : nil)
            ?? options.lifetime.map { max(.zero, $0).inSeconds }
        return seconds.map { options.clock.wallTime.addingTimeInterval($0) }
    }

    /// The seconds since 1970.
    private var now: Double { options.clock.wallTime.timeIntervalSince1970 }

    private func advise(
        _ error: HTTPSourceError, on response: TransferResponse?, to request: HTTPPageRequest
    ) -> SourceError {
        var error = error
        var bodyError: BodyError?
        if let response, [.status, .unauthorized, .refusedInBody].contains(error.code) {
            bodyError = BodyError.find(in: response)
            error.body = HTTPErrorBody(
                response.body, headers: response.headers, limit: options.limits.errorBodyBytes, code: bodyError?.code)
        }
        let headers = response?.headers ?? [:]
        let statedDelay = RetryHint.delay(headers, now: now).map { Duration.clamped(seconds: $0) }
        if error.code == .status { error.retryAfter = statedDelay }
        let isIdempotent = request.isFirst ? firstEndpoint.isIdempotent : endpoint.isIdempotent
        let failure = HTTPFailure(
            error: error, request: request, isIdempotent: isIdempotent, bodyError: bodyError, statedDelay: statedDelay,
            keysExpire: style.keyRule == nil || request.itemsBefore > 0)
        return failure.sourceError(options)
    }
}
