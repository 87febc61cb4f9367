/// Selects pages: one, all of a key, all of a scope, or all.
public enum PageSelection: Sendable, Hashable {
    /// The page with this identity.
    case identity(PageIdentity)
    /// The pages of this key, in every size and every scope.
    case key(String)
    /// The pages of this scope.
    case scope(String)
    /// Every page.
    case all

    /// Returns whether the page of `identity` is selected.
    public func contains(_ identity: PageIdentity) -> Bool {
        switch self {
        case .identity(let named): named == identity
        case .key(let key): key.hasSameBytes(as: identity.key)
        case .scope(let scope): scope.hasSameBytes(as: identity.scope)
        case .all: true
        }
    }

    /// Whether both select the same pages. Texts are compared by their bytes.
    public static func == (left: PageSelection, right: PageSelection) -> Bool {
        switch (left, right) {
        case (.identity(let left), .identity(let right)): left == right
        case (.key(let left), .key(let right)), (.scope(let left), .scope(let right)): left.hasSameBytes(as: right)
        case (.all, .all): true
        default: false
        }
    }

    /// Hashes the identity, or the bytes of the text.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .identity(let identity): hasher.combine(identity)
        case .key(let text), .scope(let text): hasher.combine(ExactText(text))
        case .all: hasher.combine(0)
        }
    }
}
