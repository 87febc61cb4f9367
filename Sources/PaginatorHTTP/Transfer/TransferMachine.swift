import Foundation
import PaginatorCore

/// What a transfer may do, and where redirects may lead.
struct TransferRules: Sendable {
    var limits = HTTPLimits()
    var itemsPath = JSONPath.root
    var allowedOrigins: Set<HTTPOrigin> = []
    /// Whether a body that is not JSON is refused as it arrives.
    var expectsJSON = true
    /// Receives a page's body as it arrives; `nil` if only the whole is needed.
    var receiver: BodyReceiver?
    /// Whether the answer includes the body that a receiver got. An endless stream must not fill the memory.
    var keepsBody = true
}

/// Receives the body of an answer with a status from 200 to 299 as it arrives: first no bytes, after the header, then
/// each piece, decompressed and in order. An error that it returns ends the transfer.
///
/// It is called on the session's queue, which delivers nothing else meanwhile, so that a server cannot send faster than
/// it takes. It must not wait. After a cancel, one more piece may be on its way.
typealias BodyReceiver = @Sendable (_ header: TransferResponse, _ piece: Data) -> HTTPSourceError?

/// A response whose body has arrived.
struct TransferResponse: Sendable, Equatable {
    var status: Int
    var headers: HTTPHeaderFields
    var url: URL
    var body: [UInt8] = []
    /// The number of bytes of the body that a receiver took and that are not kept.
    var droppedBytes = 0

    var byteCount: Int { body.count + droppedBytes }

    /// Whether the body is a page, and not an error text.
    var isPage: Bool { (200..<300).contains(status) }

    var isLabelledAsWebPage: Bool { mediaType == "text/html" || mediaType == "application/xhtml+xml" }

    /// Whether it is a web page for a request that accepts none. Some servers label short texts and XML feeds as pages.
    func isUnaskedWebPage(_ accepted: String?) -> Bool {
        let accepted = accepted?.lowercased() ?? ""
        guard isPage, isLabelledAsWebPage, !accepted.contains("html"), !accepted.contains("*/*") else { return false }
        let start = body.drop { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
        return start.starts(with: "<".utf8) && !["<?xml", "<rss", "<feed"].contains { start.starts(with: $0.utf8) }
    }

    /// The media type without its parameters, in lower case.
    var mediaType: String? {
        headers["Content-Type"].map { type in
            let name = type.prefix { $0 != ";" }.lowercased()
            return String(name.drop { $0 == " " }.prefix { $0 != " " })
        }
    }
}

/// A transfer: takes the reports of the connection, and decides when to stop, and why.
///
/// A pure machine without connection, time or lock. It is asking, and may be redirected, until the header arrives; then
/// it receives a body.
struct TransferMachine: Sendable {
    /// What to do with the next request of a redirect.
    enum Redirect: Equatable, Sendable {
        /// Follow it as it is.
        case follow
        /// Follow it with no header field that may be secret.
        case followBare
        /// End the transfer.
        case refuse(HTTPSourceError.Code)
    }

    /// What to do after bytes have arrived.
    enum Step: Equatable, Sendable {
        case go
        /// No more bytes are needed.
        case enough
    }

    private let rules: TransferRules
    private let origin: HTTPOrigin?
    private let hasBody: Bool
    private let method: String
    private var redirects = 0
    private var isBare = false
    /// `nil` while it is asking.
    private var answer: TransferAnswer?

    /// Starts a transfer.
    ///
    /// - Parameters:
    ///   - url: the address.
    ///   - method: the method, which a redirect must not change.
    ///   - hasBody: whether the request has a body, which a redirect must not lose.
    ///   - rules: what it may do.
    init(url: URL, method: String = "GET", hasBody: Bool, rules: TransferRules) {
        self.rules = rules
        self.method = method.uppercased()
        self.hasBody = hasBody
        origin = HTTPOrigin(url)
    }

    /// The receiver of the body and the header for it; `nil` if there is none.
    var streaming: (receiver: BodyReceiver, header: TransferResponse)? {
        guard let receiver = rules.receiver, let response = answer?.response, response.isPage else { return nil }
        return (
            receiver, TransferResponse(status: response.status, headers: response.headers, url: response.url)
        )
    }

    /// When to call ``ticked(at:)`` next; `nil` before the header has arrived.
    var deadline: PaginatorInstant? { answer?.deadline }

    /// Whether an answer may come from an origin.
    func allows(_ other: HTTPOrigin) -> Bool { other == origin || rules.allowedOrigins.contains(other) }

    /// The server redirects.
    mutating func redirected(status: Int, to url: URL?) -> Redirect {
        guard answer == nil, redirects < rules.limits.redirects, let target = url.flatMap({ HTTPOrigin($0) }) else {
            return .refuse(.redirect)
        }
        redirects += 1
        // Other statuses turn a POST into a GET, whose answer would be mistaken for that of a request that was not
        // carried out.
        let isReading = ["GET", "HEAD"].contains(method) && !hasBody
        guard isReading || status == 307 || status == 308 else { return .refuse(.redirect) }
        guard target != origin || isBare else { return .follow }
        // A body may contain secrets, and is sent to no other origin.
        guard target == origin || rules.allowedOrigins.contains(target), !hasBody else { return .refuse(.otherOrigin) }
        // What was left out stays out, also on the way back.
        isBare = true
        return .followBare
    }

    /// The header has arrived.
    mutating func received(
        status: Int, headers: HTTPHeaderFields, url: URL, at now: PaginatorInstant
    ) throws(HTTPSourceError) {
        let limits = rules.limits
        guard headers.byteCount <= limits.headerBytes else {
            throw .limitExceeded(
                "headerBytes", "The header of the response is larger than \(limits.headerBytes) bytes", status: status)
        }
        answer = TransferAnswer(
            TransferResponse(status: status, headers: headers, url: url), rules: rules, hasBody: method != "HEAD",
            deadline: now.advanced(by: limits.slowestInterval))
        try answer?.checkAnnouncedSize()
    }

    /// Bytes of the body have arrived.
    mutating func received(_ bytes: some Collection<UInt8>) throws(HTTPSourceError) -> Step {
        // In place: taking the body out and putting it back would copy it for each piece.
        try answer?.received(bytes) ?? .go
    }

    /// The deadline may be reached.
    mutating func ticked(at now: PaginatorInstant) throws(HTTPSourceError) {
        try answer?.ticked(at: now)
    }

    /// The transfer has ended.
    ///
    /// - Parameter failure: why the connection failed; `nil` if it did not.
    func ended(_ failure: URLError.Code?) throws(HTTPSourceError) -> TransferResponse {
        if let failure {
            // With part of a body it is a truncated answer, not a failed connection.
            if let answer, answer.response.byteCount > 0 { throw answer.endedEarly(failure) }
            throw HTTPSourceError(
                .connection, "The connection failed with the system's code \(failure.rawValue).",
                status: answer?.response.status, urlErrorCode: failure)
        }
        guard let answer else {
            throw HTTPSourceError(
                .connection, "The connection ended without an answer.", urlErrorCode: .badServerResponse)
        }
        // Some systems report a connection that closed early as a normal end.
        guard answer.isWhole else { throw answer.endedEarly(.networkConnectionLost) }
        return answer.response
    }

    /// The violated invariants, for tests.
    func invariantViolations() -> [String] {
        var violations: [String] = []
        if redirects > max(0, rules.limits.redirects) { violations.append("more redirects than allowed were followed") }
        if isBare, hasBody { violations.append("a body went to another origin") }
        if let answer, answer.response.byteCount > max(0, rules.limits.bodyBytes) {
            violations.append("the body is larger than allowed")
        }
        return violations
    }
}
