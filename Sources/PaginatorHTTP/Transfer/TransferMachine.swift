import Foundation
import PaginatorCore

/// What one transfer may do, and where it may go.
struct TransferRules: Sendable {
    var limits = HTTPLimits()
    var itemsPath = JSONPath.root
    var allowedOrigins: Set<HTTPOrigin> = []
    /// Whether a body that is no JSON is refused while it comes.
    var expectsJSON = true
    /// Takes a page's body as it comes; `nil` where only the whole is wanted.
    var receiver: BodyReceiver?
    /// Whether the answer has the body that a receiver was handed. A stream without an end must not fill the memory.
    var keepsBody = true
}

/// Takes the body of an answer with a status from 200 to 299 while it comes: first no bytes, when the header has come, then
/// each piece, decompressed and in order. What it returns ends the transfer with that error.
///
/// It is called on the session's queue, which hands on nothing else meanwhile, so that a server cannot send faster than it
/// takes. It must not wait for anybody. After a cancel, one more piece may be on its way to it.
typealias BodyReceiver = @Sendable (_ header: TransferResponse, _ piece: Data) -> HTTPSourceError?

/// A response whose body has come.
struct TransferResponse: Sendable, Equatable {
    var status: Int
    var headers: HTTPHeaderFields
    var url: URL
    var body: [UInt8] = []
    /// The bytes of the body that a receiver took and that are not in it.
    var droppedBytes = 0

    var byteCount: Int { body.count + droppedBytes }

    /// Whether the body is a page, and not the text of a failure.
    var isPage: Bool { (200..<300).contains(status) }

    var isLabelledAsWebPage: Bool { mediaType == "text/html" || mediaType == "application/xhtml+xml" }

    /// The media type without its parameters, in lower case.
    var mediaType: String? {
        headers["Content-Type"].map { type in
            let name = type.prefix { $0 != ";" }.lowercased()
            return String(name.drop { $0 == " " }.prefix { $0 != " " })
        }
    }
}

/// One transfer: takes what the connection reports, and says when to stop, and why.
///
/// A pure machine: no connection, no time, no lock. It asks, and may be redirected, until the header comes; then it
/// receives a body.
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

    /// What to do after bytes have come.
    enum Step: Equatable, Sendable {
        case go
        /// What comes after this is not needed.
        case enough
    }

    private let rules: TransferRules
    private let origin: HTTPOrigin?
    private let hasBody: Bool
    private let method: String
    private var redirects = 0
    private var isBare = false
    /// `nil` while it asks.
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

    /// Who takes the body as it comes, and the header for it; `nil` where nobody does.
    var streaming: (receiver: BodyReceiver, header: TransferResponse)? {
        guard let receiver = rules.receiver, let response = answer?.response, response.isPage else { return nil }
        return (
            receiver, TransferResponse(status: response.status, headers: response.headers, url: response.url)
        )
    }

    /// When ``ticked(at:)`` is to be called next; `nil` before the header has come.
    var deadline: PaginatorInstant? { answer?.deadline }

    /// Whether an answer may come from an origin.
    func allows(_ other: HTTPOrigin) -> Bool { other == origin || rules.allowedOrigins.contains(other) }

    /// The server redirects.
    mutating func redirected(status: Int, to url: URL?) -> Redirect {
        guard answer == nil, redirects < rules.limits.redirects, let target = url.flatMap({ HTTPOrigin($0) }) else {
            return .refuse(.redirect)
        }
        redirects += 1
        // Other statuses turn a POST into a GET, whose answer would pass for that of what was never carried out.
        let isReading = ["GET", "HEAD"].contains(method) && !hasBody
        guard isReading || status == 307 || status == 308 else { return .refuse(.redirect) }
        guard target != origin || isBare else { return .follow }
        // A body may hold secrets, and goes to no other origin.
        guard target == origin || rules.allowedOrigins.contains(target), !hasBody else { return .refuse(.otherOrigin) }
        // What was left out stays out, also on the way back.
        isBare = true
        return .followBare
    }

    /// The header has come.
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

    /// Bytes of the body have come.
    mutating func received(_ bytes: some Collection<UInt8>) throws(HTTPSourceError) -> Step {
        // In place: a body that were taken out and put back would be copied for each piece.
        try answer?.received(bytes) ?? .go
    }

    /// The deadline may be reached.
    mutating func ticked(at now: PaginatorInstant) throws(HTTPSourceError) {
        try answer?.ticked(at: now)
    }

    /// The transfer has ended.
    ///
    /// - Parameter failure: why the connection failed; `nil` when it did not.
    func ended(_ failure: URLError.Code?) throws(HTTPSourceError) -> TransferResponse {
        if let failure {
            // With part of a body it is an answer that was cut off, and not a connection that failed.
            if let answer, answer.response.byteCount > 0 { throw answer.endedEarly(failure) }
            throw HTTPSourceError(
                .connection, "The connection failed with the system's code \(failure.rawValue).",
                status: answer?.response.status, urlErrorCode: failure)
        }
        guard let answer else {
            throw HTTPSourceError(
                .connection, "The connection ended without an answer.", urlErrorCode: .badServerResponse)
        }
        // Some systems report a connection that closed too early as a normal end.
        guard answer.isWhole else { throw answer.endedEarly(.networkConnectionLost) }
        return answer.response
    }

    /// What must always hold and does not, for tests.
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
