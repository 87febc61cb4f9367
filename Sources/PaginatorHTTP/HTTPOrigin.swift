public import Foundation

/// Scheme, host and port of an address: what decides who gets to see a secret, RFC 6454.
///
/// ```swift
/// source.allowedOrigins = ["https://cdn.example.com"]
/// ```
public struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// `http` or `https`.
    public let scheme: String
    /// The host, in lower case.
    public let host: String
    /// The port, the scheme's own where the address names none.
    public let port: Int

    /// Takes the origin of an address; `nil` when it is not one of HTTP.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: false)?.lowercased(),
            !host.isEmpty
        else { return nil }
        switch scheme {
        case "https": port = url.port ?? 443
        case "http": port = url.port ?? 80
        default: return nil
        }
        self.scheme = scheme
        self.host = host
    }

    /// Takes the origin of an address in text; one that is none matches nothing.
    public init(stringLiteral value: String) {
        if let origin = URL(string: value).flatMap({ HTTPOrigin($0) }) {
            self = origin
        } else {
            scheme = ""
            host = ""
            port = 0
        }
    }

    /// Scheme, host and port.
    public var description: String { "\(scheme)://\(host):\(port)" }
}
