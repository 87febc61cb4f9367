import Foundation
import PaginatorCore

/// What says who asks in the address of a request, so that it is no part of a key when the server repeats it in a link.
package struct QuerySecrets: Sendable {
    /// The secret parameters of the endpoint's addresses. They are put back into every request.
    private(set) var fixed: [(name: String, value: String)] = []
    /// The names of the parameters that the authentication added or changed. It does so in every request.
    private var added: [String] = []
    /// The path that the authentication made, and the one that it was made from.
    private var path: (adapted: String, bare: String)?

    package init() {}

    /// Takes the secret parameters out of an endpoint's address.
    ///
    /// - Parameters:
    ///   - url: the address.
    ///   - names: the names that are secret, in lower case.
    mutating func add(of url: URL, named names: Set<String>) {
        for parameter in QueryEditor.parameters(of: url)
        where names.contains(parameter.name.lowercased())
            && !fixed.contains(where: { $0.name.hasSameBytes(as: parameter.name) })
        {
            fixed.append(parameter)
        }
    }

    /// Compares a request before and after the authentication adapted it.
    mutating func add(between bare: URL, and adapted: URL) {
        let before = QueryEditor.parameters(of: bare)
        for (name, value) in QueryEditor.parameters(of: adapted)
        where !before.contains(where: { $0.name.hasSameBytes(as: name) && $0.value.hasSameBytes(as: value) }) {
            added.append(name)
        }
        let (old, new) = (bare.path(percentEncoded: true), adapted.path(percentEncoded: true))
        if !old.hasSameBytes(as: new) { path = (new, old) }
    }

    /// Returns the address without what says who asks.
    func removed(from url: URL) -> URL {
        var bare = url
        for (name, value) in QueryEditor.parameters(of: url)
        where added.contains(where: { $0.hasSameBytes(as: name) })
            || fixed.contains(where: { $0.name.hasSameBytes(as: name) && $0.value.hasSameBytes(as: value) })
        {
            bare = QueryEditor.setting(name, to: nil, in: bare)
        }
        if let path, path.adapted.hasSameBytes(as: bare.path(percentEncoded: true)),
            var components = URLComponents(url: bare, resolvingAgainstBaseURL: true)
        {
            components.percentEncodedPath = path.bare
            bare = components.url ?? bare
        }
        return bare
    }

    /// Returns the address with the endpoint's secret parameters, where it has none of their names.
    func putBack(into url: URL) -> URL {
        let present = QueryEditor.parameters(of: url)
        return fixed.reduce(url) { url, secret in
            present.contains { $0.name.hasSameBytes(as: secret.name) }
                ? url : QueryEditor.setting(secret.name, to: secret.value, in: url)
        }
    }
}
