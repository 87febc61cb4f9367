import Foundation
import PaginatorCore

/// The validators of a page, RFC 9110, section 8.8: how to ask a server whether it has changed.
struct HTTPValidators: Hashable {
    var etag: String?
    var lastModified: String?

    /// Reads them off a response; `nil` when it has none.
    init?(_ headers: HTTPHeaderFields) {
        etag = headers["ETag"]
        lastModified = headers["Last-Modified"]
        if etag == nil, lastModified == nil { return nil }
    }

    /// Reads them off a page's revision; `nil` when that belongs to another request or is none of ours.
    init?(revision: String, of request: HTTPPageRequest) {
        let parts = revision.split(separator: "\n", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.name(of: request) else { return nil }
        etag = parts[1].isEmpty ? nil : String(parts[1])
        lastModified = parts[2].isEmpty ? nil : String(parts[2])
        if etag == nil, lastModified == nil { return nil }
    }

    /// The text that a page keeps: the request's name, the entity tag and the time, on a line each.
    func revision(of request: HTTPPageRequest) -> String {
        "\(Self.name(of: request))\n\(etag ?? "")\n\(lastModified ?? "")"
    }

    /// A 304 repeats the validators that have changed, RFC 9110, section 15.4.5.
    func updated(by headers: HTTPHeaderFields) -> HTTPValidators {
        var validators = self
        validators.etag = headers["ETag"] ?? etag
        validators.lastModified = headers["Last-Modified"] ?? lastModified
        return validators
    }

    /// A hash, because an address may hold a secret.
    private static func name(of request: HTTPPageRequest) -> String {
        String(StableHash.value(of: "\(request.method) \(request.url.absoluteString)"), radix: 16)
    }
}
