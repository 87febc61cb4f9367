import Foundation
import PaginatorCore

/// The validators of a page (RFC 9110, section 8.8), to ask a server whether it has changed, and what else a 304 need not
/// repeat.
struct HTTPValidators: Hashable {
    var etag: String?
    var lastModified: String?
    /// The seconds of ``CacheControl/lifetime(_:now:)``.
    var lifetime: Double?
    /// The names of the request's header fields that chose the response (RFC 9110, section 12.5.5).
    private var varying: [String]

    /// Reads the validators of a response; `nil` if it has none, or if no later request can have the same response.
    init?(_ headers: HTTPHeaderFields, now: Double) {
        etag = headers["ETag"]
        lastModified = headers["Last-Modified"]
        lifetime = CacheControl.lifetime(headers, now: now)
        varying = (headers["Vary"] ?? "").split(separator: ",").map { name in
            name.trimmingCharacters(in: .whitespaces).lowercased()
        }
        if etag == nil && lastModified == nil || varying.contains("*") { return nil }
    }

    /// Reads the validators in a page's revision; `nil` if it belongs to another request or is not in this form.
    init?(revision: String, of request: HTTPPageRequest) {
        let parts = revision.split(separator: "\n", omittingEmptySubsequences: false)
        guard parts.count == 5 else { return nil }
        varying = parts[4].split(separator: ",").map(String.init)
        guard parts[0] == Self.name(of: request, varying) else { return nil }
        etag = parts[1].isEmpty ? nil : String(parts[1])
        lastModified = parts[2].isEmpty ? nil : String(parts[2])
        lifetime = Double(parts[3])
        if etag == nil, lastModified == nil { return nil }
    }

    /// The revision to keep with the page: the request's name, the entity tag, the time, the lifetime and the names of
    /// fields, on a line each.
    func revision(of request: HTTPPageRequest) -> String {
        [
            Self.name(of: request, varying), etag ?? "", lastModified ?? "", lifetime.map { "\($0)" } ?? "",
            varying.joined(separator: ","),
        ].joined(separator: "\n")
    }

    /// A 304 repeats what has changed, RFC 9110, section 15.4.5, and RFC 9111, section 4.3.4.
    func updated(by headers: HTTPHeaderFields, now: Double) -> HTTPValidators {
        var validators = self
        validators.etag = headers["ETag"] ?? etag
        validators.lastModified = headers["Last-Modified"] ?? lastModified
        if headers["Cache-Control"] != nil || headers["Expires"] != nil {
            validators.lifetime = CacheControl.lifetime(headers, now: now)
        }
        return validators
    }

    /// A hash, because an address may contain a secret. Of the fields before authentication those count that the server
    /// named, and those that many servers forget to name.
    private static func name(of request: HTTPPageRequest, _ varying: [String]) -> String {
        let names = Set(varying).union(["accept", "accept-language"]).sorted()
        let fields = names.map { "\n\($0): \(request.headers[$0] ?? "")" }.joined()
        return String(StableHash.value(of: "\(request.method) \(request.url.absoluteString)\(fields)"), radix: 16)
    }
}
