import Foundation

/// Scheme, host and port of an address (RFC 6454), which decide who may see a secret.
struct HTTPOrigin: Sendable, Hashable {
    /// `http` or `https`.
    let scheme: String
    /// The host, in lower case.
    let host: String
    /// The port; the scheme's default if the address has none.
    let port: Int

    /// Creates the origin of an address; `nil` if it is not an HTTP address.
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

    /// Whether this is the other origin without TLS, which a server behind a proxy with TLS takes for its own.
    func isUnsecured(_ other: HTTPOrigin) -> Bool {
        scheme == "http" && other.scheme == "https" && host == other.host
            && port == (other.port == 443 ? 80 : other.port)
    }

    /// Creates the origin of an address in text; `nil` if it is not an HTTP address.
    init?(_ text: String) {
        guard let origin = URL(string: text).flatMap({ HTTPOrigin($0) }) else { return nil }
        self = origin
    }
}
