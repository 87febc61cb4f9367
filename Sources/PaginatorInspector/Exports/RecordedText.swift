/// The texts of a recording for display.
enum RecordedText {
    /// A page as events name it, an error with its message, or any other text unchanged.
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

    /// The text without characters that would begin another line or control a terminal.
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
    /// The texts for display, by the same indices.
    var textNames: [String] { texts.indices.map { RecordedText.name(of: texts[$0], role(ofText: $0)) } }
}
