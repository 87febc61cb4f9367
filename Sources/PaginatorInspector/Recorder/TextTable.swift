import PaginatorCore

/// The texts that events name by number.
struct TextTable: Sendable {
    /// The text with the number n at the place n - 1.
    private(set) var texts: [String] = []
    /// What each is, at the same places.
    private(set) var roles: [TextRole] = []
    private(set) var bytes = 0
    private var details: [ExactText: UInt32] = [:]
    private var errors: [ExactText: UInt32] = [:]
    // A page is found without making its text.
    private var pages: [PageIdentity: UInt32] = [:]

    mutating func number(ofDetail text: String) -> UInt32 {
        let text = text.shortened
        if let number = details[ExactText(text)] { return number }
        let number = add(text, .detail)
        details[ExactText(text)] = number
        return number
    }

    /// - Parameter text: as ``RecordingNames/text(of:)`` makes it.
    mutating func number(ofError text: String) -> UInt32 {
        if let number = errors[ExactText(text)] { return number }
        let number = add(text, .error)
        errors[ExactText(text)] = number
        return number
    }

    mutating func number(of page: PageIdentity) -> UInt32 {
        let page = page.shortened
        if let number = pages[page] { return number }
        let number = add(page.json.string, .page)
        pages[page] = number
        return number
    }

    private mutating func add(_ text: String, _ role: TextRole) -> UInt32 {
        texts.append(text)
        roles.append(role)
        bytes += Self.cost(of: text)
        return UInt32(clamping: texts.count)
    }

    // With what the tables have of it.
    private static func cost(of text: String) -> Int { text.utf8.count + 64 }

    /// Drops the texts that are not used, and returns the new number of each, at the place of the old one.
    mutating func keep(_ isUsed: [Bool]) -> [UInt32] {
        var renumbered = [UInt32](repeating: 0, count: texts.count + 1)
        var (kept, keptRoles) = ([String](), [TextRole]())
        bytes = 0
        for (index, text) in texts.enumerated() where isUsed[index + 1] {
            kept.append(text)
            keptRoles.append(roles[index])
            bytes += Self.cost(of: text)
            renumbered[index + 1] = UInt32(clamping: kept.count)
        }
        (texts, roles) = (kept, keptRoles)
        func renumber<Text>(_ numbers: [Text: UInt32]) -> [Text: UInt32] {
            numbers.compactMapValues { renumbered[Int($0)] }.filter { $0.value > 0 }
        }
        (details, errors, pages) = (renumber(details), renumber(errors), renumber(pages))
        return renumbered
    }
}

extension String {
    /// Itself up to 4 KB, and beyond that its beginning with the hash of all of it.
    var shortened: String {
        guard utf8.count > 4_096 else { return self }
        return String(decoding: utf8.prefix(4_000), as: UTF8.self) + "… "
            + String(StableHash.value(of: self), radix: 16)
    }
}

extension PageIdentity {
    /// With a key and a scope that are.
    var shortened: PageIdentity {
        guard key.utf8.count > 4_096 || scope.utf8.count > 4_096 else { return self }
        return PageIdentity(key: key.shortened, pageSize: pageSize, scope: scope.shortened)
    }
}
