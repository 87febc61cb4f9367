/// What was asked for on the command line.
struct Arguments {
    /// The first word, when it is no option.
    private(set) var command = "worlds"
    private var values: [String: String] = [:]

    init(_ words: ArraySlice<String>) {
        var words = words
        if let first = words.first, !first.hasPrefix("--") { command = words.removeFirst() }
        while let name = words.popFirst() {
            guard name.hasPrefix("--"), let value = words.first, !value.hasPrefix("--") else {
                values[name] = ""
                continue
            }
            values[name] = value
            words.removeFirst()
        }
    }

    func has(_ name: String) -> Bool { values["--" + name] != nil }

    func text(_ name: String) -> String? { values["--" + name].flatMap { $0.isEmpty ? nil : $0 } }

    func number(_ name: String) -> Int? { values["--" + name].flatMap { Int($0) } }
}
