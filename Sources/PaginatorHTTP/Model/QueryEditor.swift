import Foundation
import PaginatorCore

/// Changes single query parameters of an address, and nothing else of it.
enum QueryEditor {
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    static func setting(_ name: String, to value: String?, in url: URL) -> URL {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
        var parts = (components.percentEncodedQuery ?? "").split(separator: "&").map(String.init)
        let place = parts.firstIndex { self.name(of: $0).hasSameBytes(as: name) }
        parts.removeAll { self.name(of: $0).hasSameBytes(as: name) }
        if let value {
            let part = encoded(name) + "=" + encoded(value)
            parts.insert(part, at: min(place ?? parts.count, parts.count))
        }
        components.percentEncodedQuery = parts.isEmpty ? nil : parts.joined(separator: "&")
        return components.url ?? url
    }

    /// The parameters, decoded, in order.
    static func parameters(of url: URL) -> [(name: String, value: String)] {
        let query = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedQuery ?? ""
        return query.split(separator: "&").map { part in
            let value = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
            return (name(of: String(part)), decoded(value ?? ""))
        }
    }

    private static func name(of part: String) -> String {
        decoded(part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).first ?? "")
    }

    private static func decoded(_ text: Substring) -> String {
        String(text).removingPercentEncoding ?? String(text)
    }

    /// Percent-encodes everything but the unreserved characters of RFC 3986.
    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
    }
}
