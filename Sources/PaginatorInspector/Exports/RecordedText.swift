/// What the texts of a recording look like for people.
enum RecordedText {
    /// A page as events name it, an error with its message, and any other text as it is.
    static func name(of text: String, _ role: TextRole) -> String {
        guard role != .detail, let json = JSONValue(reading: text.utf8) else { return text }
        if let hash = json["hash"]?.text { return hash }
        if let key = json["key"]?.text {
            let scope = json["scope"]?.text ?? ""
            return (scope.isEmpty ? "" : "\(scope)/") + key + (json["size"]?.whole.map { "#\($0)" } ?? "")
        }
        guard let code = json["code"]?.text else { return text }
        return json["message"]?.text.map { "\(code): \($0)" } ?? code
    }

    /// A line without what would begin another one, or steer a terminal.
    static func line(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: line += "\\u{\(String(scalar.value, radix: 16))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}

extension PaginatorRecording {
    /// The texts for people, at the same places.
    var textNames: [String] { texts.indices.map { RecordedText.name(of: texts[$0], role(ofText: $0)) } }
}
