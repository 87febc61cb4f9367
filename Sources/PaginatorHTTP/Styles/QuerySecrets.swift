import Foundation
import PaginatorCore

/// The credentials in the address of a request: they are no part of a key, also when the server repeats them in a link.
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

    private typealias Parameter = (name: String, value: String)

    /// The secret parameters of the endpoints' addresses, which are put back into every request of their origin.
    private var fixed: [(origin: HTTPOrigin, parameter: Parameter)] = []
    /// The secret parameters that a redirect added. The server adds them again when it is asked without.
    private var redirected: [Parameter] = []
    /// The names of the parameters that the authentication added or changed. It does so in every request.
    private var added: [String] = []
    /// The path that the authentication made, and the one that it was made from.
    private var path: (adapted: String, bare: String)?

    /// Takes the secret parameters out of an endpoint's address.
    ///
    /// - Parameters:
    ///   - url: the address.
    ///   - names: the names that are secret, in lower case.
    mutating func add(of url: URL, named names: Set<String>) {
        guard let origin = HTTPOrigin(url) else { return }
        for parameter in QueryEditor.parameters(of: url) where names.contains(parameter.name.lowercased()) {
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

    /// Compares the address that was asked with the one that answered after redirects.
    ///
    /// Only names that are secret count: what else a redirect adds may say which page it is.
    mutating func add(redirectedFrom asked: URL, to answered: URL, named names: Set<String>) {
        redirected += Self.differences(from: asked, to: answered).filter { names.contains($0.name.lowercased()) }
    }

    /// The parameters of `new` that `old` has not.
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
        // By name alone: a token that was renewed has another value in every link.
        added.contains { $0.hasSameBytes(as: parameter.name) }
            // By name and value: the server's own parameter may have the same name.
            || redirected.contains { Self.isSame($0, parameter) }
            || fixed.contains { Self.isSame($0.parameter, parameter) }
    }

    /// Returns the address with the secret parameters of its origin, where it has none of their names.
    func putBack(into url: URL) -> URL {
        let origin = HTTPOrigin(url)
        let present = QueryEditor.parameters(of: url)
        return fixed.reduce(url) { url, secret in
            let (name, value) = secret.parameter
            // A link that names the parameter itself knows better which value is wanted.
            guard secret.origin == origin, !present.contains(where: { $0.name.hasSameBytes(as: name) }) else {
                return url
            }
            return QueryEditor.setting(name, to: value, in: url)
        }
    }
}
