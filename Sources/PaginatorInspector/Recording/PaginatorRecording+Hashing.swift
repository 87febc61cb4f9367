import PaginatorCore

extension PaginatorRecording {
    /// Returns the recording with hashes in place of keys, scopes, tags, messages and other user data.
    ///
    /// A page's hash is that of logs without user data, the same in every run, so that recordings can be compared. A
    /// guessed key can be verified by its hash. Names passed to ``PaginatorInspector`` stay. Complexity: O(texts and
    /// states).
    func hashingKeys() -> PaginatorRecording {
        guard !info.keysHashed else { return self }
        var hashed = self
        hashed.info.keysHashed = true
        hashed.texts = texts.indices.map { KeyHashing.hashed(texts[$0], role(ofText: $0)) }
        hashed.states = states.map {
            RecordedState(time: $0.time, subject: $0.subject, bytes: KeyHashing.hashed($0.json).utf8)
        }
        return hashed
    }
}

/// Removes user data from texts. A text that is not known to be without is hashed.
enum KeyHashing {
    /// The members whose texts are words of the library.
    private static let free: Set<String> = [
        "mode", "stage", "purpose", "priority", "cached", "state", "strategy", "follows", "why", "conditions", "next",
        "previous", "refresh", "name", "change",
    ]

    /// The verdicts without a text of the user.
    private static let verdicts: Set<String> = ["accept", "useButRefresh", "dropAndReload"]

    /// A text that events refer to. Its form does not matter, because a key may be JSON, too.
    static func hashed(_ text: String, _ role: TextRole) -> String {
        let json = role == .detail ? nil : JSONValue(reading: text.utf8)
        switch role {
        case .detail: return verdicts.contains(text) ? text : hash(text)
        case .page:
            let page = json.flatMap { PageIdentity($0) }
            return JSONValue.members(["hash": .text(page?.nameWithoutKey ?? hash(text))]).string
        case .error:
            return JSONValue.members([
                "code": json?["code"]?.text.map(JSONValue.text),
                "message": .text(hash(json?["message"]?.text ?? text)),
            ]).string
        }
    }

    /// A part of a state: a value of a member, or of none.
    static func hashed(_ value: JSONValue, in member: String = "") -> JSONValue {
        switch value {
        case .null, .flag, .number: return value
        case .text(let text): return free.contains(member) ? value : .text(hash(text))
        case .list(let values): return .list(values.map { hashed($0, in: member) })
        case .object(let members):
            if let page = PageIdentity(value) { return .members(["hash": .text(page.nameWithoutKey)]) }
            return .object(members.map { JSONValue.Member(name: $0.name, value: hashed($0.value, in: $0.name)) })
        }
    }

    private static func hash(_ text: String) -> String { String(StableHash.value(of: text), radix: 16) }
}

extension PageIdentity {
    init?(_ json: JSONValue) {
        guard let key = json["key"]?.text, let size = json["size"]?.whole else { return nil }
        self.init(key: key, pageSize: size, scope: json["scope"]?.text ?? "")
    }

    var json: JSONValue { .members(["scope": .text(scope), "key": .text(key), "size": .count(pageSize)]) }
}
