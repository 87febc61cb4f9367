/// A part of the state of a paginator, list, scheduler or store. Dumps and the inspector are made of it.
package enum StateValue: Sendable {
    case flag(Bool)
    case count(Int)
    case number(Double)
    case text(String)
    case page(PageIdentity)
    case instant(PaginatorInstant)
    case list([StateValue])
    case fields([(name: String, value: StateValue)])

    /// The maximum number of entries of a kind that are shown.
    package static let mostShown = 2_000

    /// Fields; those with `nil` are left out.
    package init(_ fields: KeyValuePairs<String, StateValue?>) {
        self = .fields(fields.compactMap { name, value in value.map { (name, $0) } })
    }

    init(timer purpose: String, _ page: PageIdentity? = nil, due: PaginatorInstant) {
        self.init(["purpose": .text(purpose), "page": page.map(StateValue.page), "due": .instant(due)])
    }

    /// The number of a task or a client, without the highest bit, which may distinguish it from others.
    init(number: UInt64) { self = .count(Int(clamping: number & .max >> 1)) }

    /// The count, or `nil` if it is zero.
    package static func some(_ count: Int) -> StateValue? { count > 0 ? .count(count) : nil }

    static func texts(_ texts: [String]) -> StateValue { .list(texts.map(StateValue.text)) }

    var fields: [(name: String, value: StateValue)] { if case .fields(let fields) = self { fields } else { [] } }

    // Links between states, fields that are too long, and fields with lines of their own.
    private static let hidden: Set = ["client", "task", "entries", "entriesLeftOut", "memory"]

    /// Returns a line with the single values, and one for each element of a list. Durations are relative to `now`.
    func lines(_ name: String, at now: PaginatorInstant) -> [String] {
        let shown = fields.filter { !Self.hidden.contains($0.name) }
        let own = shown.filter { !$0.value.isListOfFields }
        let line = own.isEmpty ? [] : ["\(name): \(StateValue.fields(own).text(at: now))"]
        return line
            + shown.flatMap { field -> [String] in
                guard case .list(let elements) = field.value, field.value.isListOfFields else { return [] }
                return elements.map { "\(field.name): \($0.text(at: now))" }
            }
    }

    // An empty list has no lines.
    private var isListOfFields: Bool {
        guard case .list(let elements) = self else { return false }
        if case .fields? = elements.first { return true }
        return elements.isEmpty
    }

    private func text(at now: PaginatorInstant) -> String {
        switch self {
        case .flag(let flag): "\(flag)"
        case .count(let count): "\(count)"
        case .number(let number): "\((number * 100).rounded() / 100)"
        case .text(let text): text
        case .page(let page): "\(page) (\(page.nameWithoutKey))"
        case .instant(let instant):
            instant > now
                ? "in \(now.duration(to: instant).inDump)" : "\(instant.duration(to: now).inDump) ago"
        case .list(let elements): "[\(elements.map { $0.nestedText(at: now) }.joined(separator: ", "))]"
        case .fields(let fields):
            fields.filter { !Self.hidden.contains($0.name) }.map { "\($0.name)=\($0.value.nestedText(at: now))" }
                .joined(separator: ", ")
        }
    }

    private func nestedText(at now: PaginatorInstant) -> String {
        if case .fields = self { "(\(text(at: now)))" } else { text(at: now) }
    }
}

extension Duration {
    fileprivate var inDump: String { "\(Duration.milliseconds(max(0, wholeNanoseconds) / 1_000_000))" }
}
