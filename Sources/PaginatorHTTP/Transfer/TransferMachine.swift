package import Foundation
package import PaginatorCore

/// What one transfer may do, and where it may go.
package struct TransferRules: Sendable {
    package var limits: HTTPLimits
    package var itemsPath: JSONPath
    package var allowedOrigins: Set<HTTPOrigin>

    package init(limits: HTTPLimits = HTTPLimits(), itemsPath: JSONPath = .root, allowedOrigins: Set<HTTPOrigin> = []) {
        self.limits = limits
        self.itemsPath = itemsPath
        self.allowedOrigins = allowedOrigins
    }
}

/// A response whose body has come.
package struct TransferResponse: Sendable, Equatable {
    package var status: Int
    package var headers: HTTPHeaderFields
    package var url: URL
    package var body: [UInt8]

    package init(status: Int, headers: HTTPHeaderFields, url: URL, body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.url = url
        self.body = body
    }
}

/// One transfer: takes what the connection reports, and says when to stop, and why.
///
/// A pure machine: no connection, no time, no lock.
package struct TransferMachine: Sendable {
    /// What to do with the next request of a redirect.
    package enum Redirect: Equatable, Sendable {
        /// Follow it as it is.
        case follow
        /// Follow it with no header field that may be secret.
        case followBare
        /// End the transfer.
        case refuse(HTTPSourceError.Code)
    }

    /// What to do after bytes have come.
    package enum Step: Equatable, Sendable {
        case go
        /// What comes after this is not needed.
        case enough
    }

    private let rules: TransferRules
    private let origin: HTTPOrigin?
    private let isBodyLess: Bool
    private var current: HTTPOrigin?
    private var redirects = 0
    private var isBare = false
    private var response: TransferResponse?
    private var expectedBytes: Int?
    private var streamGuard: JSONStreamGuard
    private var pace: TransferPace

    /// Starts a transfer.
    ///
    /// - Parameters:
    ///   - url: the address.
    ///   - hasBody: whether the request has a body, which a redirect must not lose.
    ///   - rules: what it may do.
    package init(url: URL, hasBody: Bool, rules: TransferRules) {
        self.rules = rules
        origin = HTTPOrigin(url)
        current = origin
        isBodyLess = !hasBody
        streamGuard = JSONStreamGuard(
            items: rules.itemsPath, maxDepth: rules.limits.jsonDepth, maxItems: rules.limits.itemsPerPage)
        pace = TransferPace(interval: rules.limits.slowestInterval, leastBytes: rules.limits.slowestBytes)
    }

    /// When ``ticked(at:)`` is to be called next.
    package var deadline: PaginatorInstant? { pace.deadline }

    /// The server redirects.
    package mutating func redirected(status: Int, to url: URL?) -> Redirect {
        redirects += 1
        guard redirects <= rules.limits.redirects, let url, let target = HTTPOrigin(url) else {
            return .refuse(.redirect)
        }
        // Other statuses turn a POST into a GET, which asks for something else.
        guard isBodyLess || status == 307 || status == 308 else { return .refuse(.redirect) }
        guard target != origin || isBare else { return .follow }
        guard target == origin || rules.allowedOrigins.contains(target), isBodyLess else {
            return .refuse(.otherOrigin)
        }
        // What was left out stays out, also on the way back.
        isBare = true
        return .followBare
    }

    /// The header has come.
    package mutating func received(
        status: Int, headers: HTTPHeaderFields, url: URL, at now: PaginatorInstant
    ) throws(HTTPSourceError) {
        guard headers.byteCount <= rules.limits.headerBytes else {
            throw Self.beyond(.headerTooLarge, "header", "headerBytes", rules.limits.headerBytes, status)
        }
        response = TransferResponse(status: status, headers: headers, url: url)
        let isEncoded = headers["Content-Encoding"].map { $0.lowercased() != "identity" } ?? false
        if !isEncoded, let length = headers["Content-Length"].flatMap({ Int($0) }) { expectedBytes = length }
        if isPage, let expectedBytes, expectedBytes > rules.limits.bodyBytes { throw tooLarge }
        pace.begin(at: now)
    }

    /// Bytes of the body have come.
    package mutating func received(_ bytes: some Collection<UInt8>) throws(HTTPSourceError) -> Step {
        guard var response else { return .go }
        self.response = nil
        pace.received(bytes.count)
        guard bytes.count <= rules.limits.bodyBytes - response.body.count else {
            self.response = response
            if isPage { throw tooLarge }
            return .enough
        }
        response.body.append(contentsOf: bytes)
        self.response = response
        if isPage, let refusal = streamGuard.take(bytes) { throw error(for: refusal) }
        return .go
    }

    /// The deadline may be reached.
    package mutating func ticked(at now: PaginatorInstant) throws(HTTPSourceError) {
        guard pace.isTooSlow(at: now) else { return }
        throw HTTPSourceError(
            .tooSlow,
            "The body came with less than \(rules.limits.slowestBytes) bytes in \(rules.limits.slowestInterval).",
            field: "slowestBytes", status: response?.status)
    }

    /// The transfer has ended.
    ///
    /// - Parameter failure: why the connection failed; `nil` when it did not.
    package func ended(_ failure: URLError.Code?) throws(HTTPSourceError) -> TransferResponse {
        if let failure {
            if let response, !response.body.isEmpty { throw Self.endedEarly(response, failure) }
            throw HTTPSourceError(
                .connection, "The connection failed with the system's code \(failure.rawValue).",
                status: response?.status, urlErrorCode: failure)
        }
        guard let response else {
            throw HTTPSourceError(
                .connection, "The connection ended without an answer.", urlErrorCode: .badServerResponse)
        }
        if let expectedBytes, response.body.count < expectedBytes, response.status != 304 {
            throw Self.endedEarly(response, .networkConnectionLost)
        }
        return response
    }

    /// Whether the body is a page, and not the text of a failure.
    private var isPage: Bool { response.map { (200..<300).contains($0.status) } ?? false }

    private var tooLarge: HTTPSourceError {
        Self.beyond(.bodyTooLarge, "body", "bodyBytes", rules.limits.bodyBytes, response?.status)
    }

    private func error(for refusal: JSONStreamGuard.Refusal) -> HTTPSourceError {
        switch refusal {
        case .notJSON: PageReading.notJSON(status: response?.status)
        case .tooDeep: PageReading.tooDeep(rules.limits.jsonDepth, status: response?.status)
        case .tooManyItems: PageReading.tooManyItems(rules.limits.itemsPerPage, rules.itemsPath, response?.status)
        }
    }

    private static func beyond(
        _ code: HTTPSourceError.Code, _ what: String, _ limit: String, _ bytes: Int, _ status: Int?
    ) -> HTTPSourceError {
        HTTPSourceError(
            code, "The \(what) of the response is larger than \(bytes) bytes, the limit \(limit).", field: limit,
            status: status)
    }

    private static func endedEarly(_ response: TransferResponse, _ code: URLError.Code) -> HTTPSourceError {
        HTTPSourceError(
            .endedEarly, "The body ended after \(response.body.count) bytes, before it was whole.", field: "body",
            status: response.status, urlErrorCode: code)
    }
}
