import Foundation
import PaginatorCore

/// The credentials in a request's address. They are not part of a key, even if the server repeats them in a link.
struct QuerySecrets: Sendable {
    /// The names of credentials that APIs use.
    static let usualNames: Set<String> = [
        "access_token", "accesstoken", "api-key", "api_key", "api_token", "apikey", "apitoken", "app_id", "app_key",
        "appid", "appkey", "appsecret_proof", "auth", "auth_key", "auth_token", "client_secret", "code", "credential",
        "hmac", "id_token", "jsessionid", "jwt", "key", "oauth_signature", "oauth_token", "pass", "passwd", "password",
        "personal_token", "phpsessid", "private_token", "pwd", "refresh_token", "secret", "session", "session_id",
        "session_key", "session_token", "sessionid", "sid", "sig", "sign", "signature", "subscription-key", "ticket",
        "token", "user_key", "user_token", "x-amz-credential", "x-amz-security-token", "x-amz-signature", "x-api-key",
        "x-goog-credential", "x-goog-signature",
    ]

    /// The names of secret parameters in lower case.
    private var names = usualNames

    private typealias Parameter = (name: String, value: String)

    /// The secret parameters of the endpoints' addresses, which are added to every request to their origin.
    private var fixed: [(origin: HTTPOrigin, parameter: Parameter)] = []
    /// The secret parameters that a redirect added. The server adds them again if they are missing.
    private var redirected: [Parameter] = []
    /// The names of the parameters that the authentication adds or changes in every request.
    private var added: [String] = []
    /// The path that the authentication made, and the original one.
    private var path: (adapted: String, bare: String)?

    /// Records the secret parameters of an endpoint's address.
    ///
    /// - Parameters:
    ///   - url: the address.
    ///   - names: the secret names in lower case.
    mutating func add(of url: URL, named names: Set<String>) {
        self.names.formUnion(names)
        guard let origin = HTTPOrigin(url) else { return }
        let parameters = QueryEditor.parameters(of: url)
        for parameter in parameters where names.contains(parameter.name.lowercased()) {
            // Several values under one name are a filter, as in `code=A&code=B`.
            guard parameters.filter({ $0.name.hasSameBytes(as: parameter.name) }).count == 1 else { continue }
            let isKnown = fixed.contains {
                $0.origin == origin && $0.parameter.name.hasSameBytes(as: parameter.name)
            }
            if !isKnown { fixed.append((origin, parameter)) }
        }
    }

    /// Compares a request before and after the authentication adapted it.
    mutating func add(between bare: URL, and adapted: URL) {
        added += Self.differences(from: bare, to: adapted).map(\.name)
        let (old, new) = (bare.path(percentEncoded: true), adapted.path(percentEncoded: true))
        if !old.hasSameBytes(as: new) { path = (new, old) }
    }

    /// Compares the requested address with the one that answered after redirects.
    ///
    /// Only secret names count: other parameters that a redirect adds may identify the page.
    mutating func add(redirectedFrom asked: URL, to answered: URL, named names: Set<String>) {
        redirected += Self.differences(from: asked, to: answered).filter { names.contains($0.name.lowercased()) }
    }

    /// Returns the address for display: without credentials and parameters with secret names.
    func redacted(_ url: URL) -> URL {
        var bare = removed(from: url)
        for name in QueryEditor.parameters(of: bare).map(\.name) where names.contains(name.lowercased()) {
            bare = QueryEditor.setting(name, to: nil, in: bare)
        }
        guard var components = URLComponents(url: bare, resolvingAgainstBaseURL: true) else { return bare }
        (components.user, components.password, components.fragment) = (nil, nil, nil)
        return components.url ?? bare
    }

    /// The parameters of `new` that `old` does not have.
    private static func differences(from old: URL, to new: URL) -> [Parameter] {
        let known = QueryEditor.parameters(of: old)
        return QueryEditor.parameters(of: new).filter { parameter in !known.contains { isSame($0, parameter) } }
    }

    private static func isSame(_ left: Parameter, _ right: Parameter) -> Bool {
        left.name.hasSameBytes(as: right.name) && left.value.hasSameBytes(as: right.value)
    }

    /// Returns the address without credentials.
    func removed(from url: URL) -> URL {
        var bare = url
        for parameter in QueryEditor.parameters(of: url) where isSecret(parameter) {
            bare = QueryEditor.setting(parameter.name, to: nil, in: bare)
        }
        if let path, path.adapted.hasSameBytes(as: bare.path(percentEncoded: true)),
            var components = URLComponents(url: bare, resolvingAgainstBaseURL: true)
        {
            components.percentEncodedPath = path.bare
            bare = components.url ?? bare
        }
        return bare
    }

    private func isSecret(_ parameter: Parameter) -> Bool {
        // By name only: a renewed token has another value in every link.
        added.contains { $0.hasSameBytes(as: parameter.name) }
            // By name and value: the server's own parameter may have the same name.
            || redirected.contains { Self.isSame($0, parameter) }
            || fixed.contains { Self.isSame($0.parameter, parameter) }
    }

    /// Returns the address with the secret parameters of its origin, unless it already has their names.
    func insert(into url: URL) -> URL {
        let origin = HTTPOrigin(url)
        let present = QueryEditor.parameters(of: url)
        return fixed.reduce(url) { url, secret in
            let (name, value) = secret.parameter
            // If a link has the parameter, its value is the right one.
            guard secret.origin == origin, !present.contains(where: { $0.name.hasSameBytes(as: name) }) else {
                return url
            }
            return QueryEditor.setting(name, to: value, in: url)
        }
    }
}
