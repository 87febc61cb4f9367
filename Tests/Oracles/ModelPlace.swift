package import PaginatorCore

/// A page's identity: plain bytes.
package struct ModelPlace: Hashable, Sendable, CustomStringConvertible {
    package let scope: [UInt8]
    package let key: [UInt8]
    package let size: Int

    package init(_ scope: String, _ key: String, _ size: Int) {
        self.scope = Array(scope.utf8)
        self.key = Array(key.utf8)
        self.size = size
    }

    package init(_ identity: PageIdentity) { self.init(identity.scope, identity.key, identity.pageSize) }

    package var description: String {
        "\(String(decoding: scope, as: UTF8.self))/\(String(decoding: key.prefix(20), as: UTF8.self))#\(size)"
    }

    /// Whether a selection names a page.
    package static func matches(_ selection: PageSelection, _ identity: PageIdentity) -> Bool {
        switch selection {
        case .all: true
        case .identity(let one): ModelPlace(one) == ModelPlace(identity)
        case .key(let key): Array(key.utf8) == Array(identity.key.utf8)
        case .scope(let scope): Array(scope.utf8) == Array(identity.scope.utf8)
        }
    }
}
