import Foundation
import PaginatorCore

/// The validators of a page (RFC 9110, section 8.8), to ask a server whether it has changed.
struct HTTPValidators: Hashable {
    var etag: String?
    var lastModified: String?

    /// Reads the validators of a response; `nil` if it has none.
    init?(_ headers: HTTPHeaderFields) {
        etag = headers["ETag"]
        lastModified = headers["Last-Modified"]
        if etag == nil, lastModified == nil { return nil }
    }

    /// Reads the validators in a page's revision; `nil` if it belongs to another request or is not in this form.
    init?(revision: String, of request: HTTPPageRequest) {
        let parts = revision.split(separator: "\n", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.name(of: request) else { return nil }
        etag = parts[1].isEmpty ? nil : String(parts[1])
        lastModified = parts[2].isEmpty ? nil : String(parts[2])
        if etag == nil, lastModified == nil { return nil }
    }

    /// The revision to keep with the page: the request's name, the entity tag and the time, on a line each.
    func revision(of request: HTTPPageRequest) -> String {
        "\(Self.name(of: request))\n\(etag ?? "")\n\(lastModified ?? "")"
    }

    /// A 304 repeats changed validators, RFC 9110, section 15.4.5.
    func updated(by headers: HTTPHeaderFields) -> HTTPValidators {
        var validators = self
        validators.etag = headers["ETag"] ?? etag
        validators.lastModified = headers["Last-Modified"] ?? lastModified
        return validators
    }

    /// A hash, because an address may contain a secret.
    private static func name(of request: HTTPPageRequest) -> String {
        String(StableHash.value(of: "\(request.method) \(request.url.absoluteString)"), radix: 16)
    }
}
