import Foundation

/// Scheme, host and port of an address: what decides who gets to see a secret, RFC 6454.
struct HTTPOrigin: Sendable, Hashable {
    /// `http` or `https`.
    let scheme: String
    /// The host, in lower case.
    let host: String
    /// The port, the scheme's own where the address names none.
    let port: Int

    /// Takes the origin of an address; `nil` when it is not one of HTTP.
    init?(_ url: URL) {
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

    /// Takes the origin of an address in text; `nil` when it is not one of HTTP.
    init?(_ text: String) {
        guard let origin = URL(string: text).flatMap({ HTTPOrigin($0) }) else { return nil }
        self = origin
    }
}
