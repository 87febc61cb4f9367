import Foundation
import PaginatorCore

/// The answer of a transfer from its header to its last byte; part of ``TransferMachine``.
struct TransferAnswer: Sendable {
    private(set) var response: TransferResponse
    private let rules: TransferRules
    /// The body's length; `nil` if the header does not state it, or states the compressed length.
    private let announcedBytes: Int?
    private var streamGuard: JSONStreamGuard
    /// When the pace is checked next: a server that sends a byte now and then must not hold a slot indefinitely.
    private(set) var deadline: PaginatorInstant
    private var bytesBeforeDeadline = 0
    /// Whether the rest of an error text is not needed.
    private var isEnough = false

    /// - Parameter hasBody: false for an answer without the body whose length it states, as to a `HEAD`.
    init(_ response: TransferResponse, rules: TransferRules, hasBody: Bool, deadline: PaginatorInstant) {
        self.response = response
        self.rules = rules
        self.deadline = deadline
        let isEncoded = response.headers["Content-Encoding"].map { $0.lowercased() != "identity" } ?? false
        announcedBytes = isEncoded || !hasBody ? nil : response.headers["Content-Length"].flatMap { Int($0) }
        streamGuard = JSONStreamGuard(
            items: rules.itemsPath, maxDepth: rules.limits.jsonDepth, maxItems: rules.limits.itemsPerPage)
    }

    /// Whether the stated length has arrived, or all that is needed of it. A 304 states the length of a body that it does not send, RFC 9110,
    /// section 15.4.5.
    var isWhole: Bool { isEnough || response.status == 304 || response.byteCount >= announcedBytes ?? 0 }

    func checkAnnouncedSize() throws(HTTPSourceError) {
        if response.isPage, let announcedBytes, announcedBytes > rules.limits.bodyBytes { throw tooLarge }
    }

    mutating func received(_ bytes: some Collection<UInt8>) throws(HTTPSourceError) -> TransferMachine.Step {
        // With a 32-bit Int, more bytes may arrive between two deadlines than it holds.
        bytesBeforeDeadline = bytesBeforeDeadline.addingReportingOverflow(bytes.count).partialValue
        // The beginning of an error text is enough, above all if pages may have any size.
        let isStreamRefused = !response.isPage && !rules.keepsBody
        let limit = isStreamRefused ? rules.limits.errorBodyBytes : rules.limits.bodyBytes
        guard bytes.count <= limit - response.byteCount else {
            if response.isPage { throw tooLarge }
            response.body.append(contentsOf: bytes.prefix(max(0, limit - response.body.count)))
            isEnough = true
            return .enough
        }
        if response.isPage, rules.receiver != nil, !rules.keepsBody {
            response.droppedBytes += bytes.count
        } else {
            response.body.append(contentsOf: bytes)
        }
        guard response.isPage, rules.expectsJSON, let refusal = streamGuard.take(bytes) else { return .go }
        switch refusal {
        case .notJSON: throw .notJSON(response)
        case .tooDeep: throw .tooDeep(rules.limits, status: response.status)
        case .tooManyItems: throw .tooManyItems(rules.limits, status: response.status)
        }
    }

    mutating func ticked(at now: PaginatorInstant) throws(HTTPSourceError) {
        guard deadline <= now else { return }
        let limits = rules.limits
        guard bytesBeforeDeadline >= limits.slowestBytes else {
            throw HTTPSourceError(
                .tooSlow, "The body came with less than \(limits.slowestBytes) bytes in \(limits.slowestInterval).",
                field: "slowestBytes", status: response.status)
        }
        // Each interval is checked alone: a fast start does not excuse a stalled rest.
        bytesBeforeDeadline = 0
        deadline = now.advanced(by: limits.slowestInterval)
    }

    func endedEarly(_ code: URLError.Code) -> HTTPSourceError {
        HTTPSourceError(
            .endedEarly, "The body ended after \(response.byteCount) bytes, before it was whole.", field: "body",
            status: response.status, urlErrorCode: code)
    }

    private var tooLarge: HTTPSourceError {
        .limitExceeded(
            "bodyBytes", "The body of the response is larger than \(rules.limits.bodyBytes) bytes",
            status: response.status)
    }
}
