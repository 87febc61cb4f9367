import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The header fields of a request or a response. Names are compared case-insensitively.
struct HTTPHeaderFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var values: [String: String] = [:]
    private var spellings: [String: String] = [:]

    /// Creates header fields. Of equal names the last counts.
    init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// Creates header fields. Of equal names the last counts.
    init(_ fields: [String: String]) {
        // Sorted, so that of names that only differ in case the same one counts in every run.
        for name in fields.keys.sorted() { self[name] = fields[name] }
    }

    /// The header fields of a response.
    init(_ response: HTTPURLResponse) {
        self.init([:] as [String: String])
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { self[name] = value }
        }
    }

    /// The value of a field. Several fields with one name are one value, separated by commas.
    subscript(name: String) -> String? {
        get { values[name.lowercased()] }
        set {
            values[name.lowercased()] = newValue
            spellings[name.lowercased()] = newValue == nil ? nil : name
        }
    }

    /// The fields as they were written, in alphabetical order.
    var fields: [(name: String, value: String)] {
        values.keys.sorted().map { (spellings[$0] ?? $0, values[$0] ?? "") }
    }

    /// The bytes of all names and values, with the colon, the space and the line end of each.
    var byteCount: Int {
        values.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 4 }
    }

    /// Adds the fields of `other`, which override existing ones.
    mutating func merge(_ other: HTTPHeaderFields) {
        for (name, value) in other.fields { self[name] = value }
    }
}
