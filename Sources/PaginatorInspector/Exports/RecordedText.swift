/// What the texts of a recording look like for people.
enum RecordedText {
    /// A page as events name it, an error with its message, and any other text as it is.
    static func name(of text: String) -> String {
        guard text.utf8.first == UInt8(ascii: "{"), let json = JSONValue(reading: text.utf8) else { return text }
        if let hash = json["hash"]?.text { return hash }
        if let key = json["key"]?.text {
            let scope = json["scope"]?.text ?? ""
            return (scope.isEmpty ? "" : "\(scope)/") + key + (json["size"]?.whole.map { "#\($0)" } ?? "")
        }
        guard let code = json["code"]?.text else { return text }
        return json["message"]?.text.map { "\(code): \($0)" } ?? code
    }
}
