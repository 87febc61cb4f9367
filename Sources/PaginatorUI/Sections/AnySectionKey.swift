/// A section key of any type.
struct AnySectionKey: Hashable, Sendable {
    let base: any Hashable & Sendable

    static func == (left: AnySectionKey, right: AnySectionKey) -> Bool {
        AnyHashable(left.base) == AnyHashable(right.base)
    }

    func hash(into hasher: inout Hasher) { base.hash(into: &hasher) }
}

extension PaginatorListSections where Key == AnySectionKey {
    init(erasing key: @escaping @Sendable (T) -> some Hashable & Sendable) {
        self.init(by: { AnySectionKey(base: key($0)) })
    }
}
