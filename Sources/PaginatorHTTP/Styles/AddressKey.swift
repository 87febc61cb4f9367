import Foundation

/// Makes keys of addresses that a server names, and addresses of keys.
enum AddressKey {
    /// Query parameters that are secrets when the request carried them: `access_token`, `api_key`, and the like.
    static let secretNames: Set<String> = [
        "access_token", "accesstoken", "api_key", "apikey", "api-key", "auth", "auth_token", "client_secret", "key",
        "password", "secret", "sig", "signature", "appsecret_proof", "subscription-key", "token", "x-api-key",
    ]

    /// Returns the key of an address in a response.
    ///
    /// - Throws: ``HTTPSourceError/Code/wrongType`` for what is no address of HTTP.
    static func key(of text: String, field: String, in response: HTTPPageResponse) throws(HTTPSourceError) -> String {
        guard let url = URL(string: text, relativeTo: response.url)?.absoluteURL, let origin = HTTPOrigin(url),
            url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil
        else { throw HTTPPageResponse.wrongType(field, "an address of HTTP without a user") }
        let request = response.request
        let bare = withoutSecrets(url, of: request.endpointURL, response.url)
        guard origin == HTTPOrigin(request.endpointURL) else { return withoutFragment(bare).absoluteString }
        return relative(bare)
    }

    /// Returns the address of a key, with the endpoint's secret query parameters.
    static func address(of key: String, endpoint: URL) throws(HTTPSourceError) -> URL {
        guard let url = URL(string: key, relativeTo: endpoint)?.absoluteURL, HTTPOrigin(url) != nil else {
            throw HTTPSourceError(.badKey, "The key is no address.", field: "key")
        }
        guard HTTPOrigin(url) == HTTPOrigin(endpoint) else { return url }
        var full = url
        let present = Set(QueryEditor.parameters(of: url).map(\.name))
        for (name, value) in QueryEditor.parameters(of: endpoint)
        where secretNames.contains(name.lowercased()) && !present.contains(name) {
            full = QueryEditor.setting(name, to: value, in: full)
        }
        return full
    }

    /// Takes away the secrets that the server repeats: those of the endpoint's address, and of the one that answered.
    private static func withoutSecrets(_ url: URL, of addresses: URL...) -> URL {
        var bare = url
        for address in addresses {
            for (name, value) in QueryEditor.parameters(of: address) where secretNames.contains(name.lowercased()) {
                if QueryEditor.parameters(of: bare).contains(where: { $0.name == name && $0.value == value }) {
                    bare = QueryEditor.setting(name, to: nil, in: bare)
                }
            }
        }
        return bare
    }

    private static func withoutFragment(_ url: URL) -> URL {
        guard url.fragment != nil, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return url
        }
        components.fragment = nil
        return components.url ?? url
    }

    private static func relative(_ url: URL) -> String {
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url.absoluteString }
        let path = components.percentEncodedPath
        // Two slashes in front would be read as a host.
        guard !path.hasPrefix("//") else { return withoutFragment(url).absoluteString }
        return (path.isEmpty ? "/" : path) + (components.percentEncodedQuery.map { "?" + $0 } ?? "")
    }
}
