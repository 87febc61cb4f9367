#if Inspector
    /// Decides which requests are accepted.
    ///
    /// A page of another site must not read data of paginators, or command them. A browser identifies such a page by
    /// `Origin` when it opens a WebSocket (RFC 6455, section 10.2), and by the name in `Host` if that site's name
    /// resolves to this device (DNS rebinding), which is impossible for a numeric address. If that site only embeds or
    /// requests this server's content, the browser sends `cross-site` in `Sec-Fetch-Site`; a link to the page itself is
    /// as good as its address.
    struct RequestGate: Sendable {
        /// The relevant parts of a request.
        struct Request: Sendable {
            var path: String
            var host: String?
            var origin: String?
            /// The relation of the requesting site to this server, as the browser states it.
            var site: String?
            var cookies: String?
            var token: String?
        }

        enum Verdict: Sendable, Equatable {
            case admitted
            /// Stores the token in a cookie, and removes it from the address.
            case signedIn(cookie: String)
            case refused(status: Int, reason: String)
        }

        let port: UInt16
        /// `nil` accepts every browser on this device.
        let token: String?

        func verdict(on request: Request) -> Verdict {
            guard let host = request.host?.lowercased(), isOurs(host) else {
                return .refused(status: 403, reason: "This server does not go by that name.")
            }
            if let origin = request.origin, origin.lowercased() != "http://\(host)" {
                return .refused(status: 403, reason: "Another site's page may not ask.")
            }
            // A page of another server on this device belongs to the same site, but is foreign all the same.
            let site = request.site?.lowercased() ?? "none"
            if site != "none", site != "same-origin", request.path != "/" {
                return .refused(status: 403, reason: "Another site's page may not ask.")
            }
            guard let token else { return .admitted }
            if let given = request.token, Self.isSame(given, token) {
                return request.path == "/" ? .signedIn(cookie: cookie(token)) : .admitted
            }
            if let given = request.cookies.flatMap(cookieValue), Self.isSame(given, token) { return .admitted }
            return .refused(status: 401, reason: "Open the address that the app printed: it has the token.")
        }

        // MARK: - Names

        private func isOurs(_ host: String) -> Bool {
            let suffix = ":\(port)"
            guard host.hasSuffix(suffix) || port == 80 else { return false }
            let name = host.hasSuffix(suffix) ? host.dropLast(suffix.count) : host[...]
            if name == "localhost" || name == "127.0.0.1" { return true }
            return token != nil && (Self.isAddress(name) || name.hasSuffix(".local"))
        }

        /// Whether a name is four numbers, which no name server resolves.
        private static func isAddress(_ name: Substring) -> Bool {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
        }

        // MARK: - Tokens

        /// Cookies belong to a host, not to a port of it.
        private var cookieName: String { "paginator-inspector-\(port)" }

        // Lax, because a strict cookie is left out when the printed address is opened by a link in a web page. Every path
        // but the page itself looks where a request comes from.
        private func cookie(_ token: String) -> String {
            "\(cookieName)=\(token); Path=/; HttpOnly; SameSite=Lax"
        }

        private func cookieValue(_ cookies: String) -> String? {
            for cookie in cookies.split(separator: ";") {
                let parts = cookie.split(separator: "=", maxSplits: 1)
                let name = parts.first?.drop { $0 == " " }
                if parts.count == 2, name == cookieName[...] { return String(parts[1]) }
            }
            return nil
        }

        /// Takes the same time for every wrong token of the right length, so that it cannot be guessed letter by
        /// letter.
        private static func isSame(_ given: String, _ token: String) -> Bool {
            let (given, token) = (Array(given.utf8), Array(token.utf8))
            guard given.count == token.count else { return false }
            return zip(given, token).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
        }

        /// Whether a token is hard to guess, and valid in an address and a cookie.
        static func isFit(_ token: String) -> Bool {
            token.utf8.count >= 16
                && token.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
                    default: false
                    }
                }
        }

        /// A token of 128 random bits.
        static func randomToken() -> String {
            var random = SystemRandomNumberGenerator()
            let halves = [random.next(), random.next()].map { bits in
                let digits = String(bits, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }
            return halves.joined()
        }
    }
#endif
