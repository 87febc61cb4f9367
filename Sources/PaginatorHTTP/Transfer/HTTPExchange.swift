public import Foundation
import PaginatorCore

/// One request and what came of it, for a log or a network view; it holds no secret.
///
/// ```swift
/// let session = HTTPSession(onExchange: { print($0.result, $0.curl) })
/// ```
public struct HTTPExchange: Sendable, CustomStringConvertible {
    /// The method.
    public let method: String
    /// The address, without credentials.
    public let url: URL
    /// The status of the response, also that of a failure, or why there was no response or it was refused.
    public let result: Result<Int, HTTPSourceError>
    /// The bytes of the request's body.
    public let sentBytes: Int
    /// The bytes of the response's body, decompressed; 0 when the transfer failed.
    public let receivedBytes: Int
    /// From the start of the transfer to its end.
    public let duration: Duration
    /// A command that repeats the request: header fields that may be secret have `…` for their value, and a body is
    /// read from a file `body`.
    public let curl: String

    init(_ request: HTTPPageRequest, _ result: Result<TransferResponse, HTTPSourceError>, _ duration: Duration) {
        method = request.method
        url = request.secrets.removed(from: request.url)
        sentBytes = request.body?.count ?? 0
        self.duration = duration
        self.result = result.map(\.status)
        receivedBytes = if case .success(let response) = result { response.body.count } else { 0 }
        curl = Self.curl(request, url)
    }

    /// Method, address, status and duration.
    public var description: String {
        let outcome =
            switch result {
            case .success(let status): "\(status)"
            case .failure(let error): "\(error.code)"
            }
        return "\(method) \(url.absoluteString) \(outcome) \(duration)"
    }

    private static let harmlessFields: Set<String> = [
        "accept", "accept-language", "content-type", "if-modified-since", "if-none-match", "user-agent",
    ]

    private static func curl(_ request: HTTPPageRequest, _ url: URL) -> String {
        var words = ["curl", "-X", quoted(request.method)]
        for (name, value) in HTTPSession.fields(of: request).fields {
            words += ["-H", quoted("\(name): \(harmlessFields.contains(name.lowercased()) ? value : "…")")]
        }
        if request.body != nil { words += ["--data-binary", "@body"] }
        return (words + [quoted(url.absoluteString)]).joined(separator: " ")
    }

    // A quote cannot stand in a quoted word of the shell: the word ends, an escaped quote follows, and it begins again.
    private static func quoted(_ word: String) -> String {
        "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
}
