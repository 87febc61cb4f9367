import Foundation

/// Converts addresses that a server names to keys and back.
enum AddressKey {
    /// Returns the key of an address in a response.
    ///
    /// - Throws: ``HTTPSourceError/Code/wrongType`` if it is not an HTTP address.
    static func key(of text: String, field: String, in response: HTTPPageResponse) throws(HTTPSourceError) -> String {
        guard let url = URL(written: text, relativeTo: response.url)?.absoluteURL, let origin = HTTPOrigin(url),
            url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil
        else { throw HTTPSourceError.wrongType(field, "an address of HTTP without a user") }
        let bare = response.request.secrets.removed(from: url)
        guard let own = HTTPOrigin(response.request.laterURL), origin == own || origin.isUnsecured(own) else {
            return withoutFragment(bare).absoluteString
        }
        return relative(bare)
    }

    /// Returns the address of a key, with the secret query parameters of the endpoint at its origin.
    static func address(of key: String, for request: HTTPPageRequest) throws(HTTPSourceError) -> URL {
        guard let url = URL(written: key, relativeTo: request.url)?.absoluteURL, HTTPOrigin(url) != nil else {
            throw HTTPSourceError(.badKey, "The key is no address.", field: "key")
        }
        return request.secrets.insert(into: url)
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
        // Two leading slashes would be read as a host.
        guard !path.hasPrefix("//") else { return withoutFragment(url).absoluteString }
        return (path.isEmpty ? "/" : path) + (components.percentEncodedQuery.map { "?" + $0 } ?? "")
    }
}
