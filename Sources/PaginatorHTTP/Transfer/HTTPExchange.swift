public import Foundation
import PaginatorCore

/// A request and its outcome, for a log or a network view.
///
/// It has no credentials: no secret header fields, no query parameters with secret names or set by the authentication,
/// and no name and password in the address. A secret in the path of an address is not recognized.
///
/// ```swift
/// let session = HTTPSession(onExchange: { print($0, $0.curl) })
/// ```
public struct HTTPExchange: Sendable, CustomStringConvertible {
    /// The method.
    public let method: String
    /// The address, without credentials.
    public let url: URL
    /// The status of the response; `nil` if there was none.
    public let status: Int?
    /// Why there was no response, or why it was refused; `nil` otherwise, whatever the status.
    public let error: HTTPSourceError?
    /// The number of bytes of the request's body.
    public let sentBytes: Int
    /// The number of bytes of the response's body, decompressed; 0 if the transfer failed.
    public let receivedBytes: Int
    /// The time from the start of the transfer to its end.
    public let duration: Duration
    /// A command that repeats the request. Header fields that may be secret have the value `…`, and a body is read from
    /// a file `body`.
    public let curl: String

    init(
        _ request: HTTPPageRequest, _ fields: HTTPHeaderFields, _ result: Result<TransferResponse, HTTPSourceError>,
        _ duration: Duration
    ) {
        method = request.method
        url = request.secrets.redacted(request.url)
        sentBytes = request.body?.count ?? 0
        self.duration = duration
        switch result {
        case .success(let response):
            (status, error, receivedBytes) = (response.status, nil, response.byteCount)
        case .failure(let failure):
            // Without the underlying error: the system's errors contain the whole address.
            error = HTTPSourceError(
                failure.code, failure.message, field: failure.field, status: failure.status,
                urlErrorCode: failure.urlErrorCode)
            (status, receivedBytes) = (failure.status, 0)
        }
        curl = Self.curl(request, fields, url)
    }

    /// The method, address, status or error, and duration.
    public var description: String {
        "\(method) \(url.absoluteString) \(status.map(String.init) ?? error?.code.rawValue ?? "") \(duration)"
    }

    static let harmlessFields: Set<String> = [
        "accept", "accept-language", "content-type", "if-modified-since", "if-none-match", "user-agent",
    ]

    private static func curl(_ request: HTTPPageRequest, _ fields: HTTPHeaderFields, _ url: URL) -> String {
        // With `-X HEAD` curl would wait for a body.
        var words = request.method.uppercased() == "HEAD" ? ["curl", "-I"] : ["curl", "-X", quoted(request.method)]
        for (name, value) in fields.fields {
            words += ["-H", quoted("\(name): \(harmlessFields.contains(name.lowercased()) ? value : "…")")]
        }
        if request.body != nil { words += ["--data-binary", "@body"] }
        return (words + [quoted(url.absoluteString)]).joined(separator: " ")
    }

    // A single-quoted word cannot contain a quote: end it, add an escaped quote, and begin again.
    private static func quoted(_ word: String) -> String {
        "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
}
