import PaginatorCore

extension JSONValue {
    /// Creates the recorded form of a state, with times since the recording's beginning.
    init(_ state: StateValue, _ times: TimeLine) {
        self =
            switch state {
            case .flag(let flag): .flag(flag)
            case .count(let count): .count(count)
            case .number(let number): .number(number)
            case .text(let text): .text(text.shortened)
            case .page(let page): page.shortened.json
            case .instant(let instant): .number(times.time(of: instant))
            case .list(let elements): .list(elements.map { JSONValue($0, times) })
            case .fields(let fields):
                .object(fields.map { Member(name: $0.name, value: JSONValue($0.value, times)) })
            }
    }

    /// Changes each element of a list in this object.
    mutating func change(_ list: String, _ change: (inout JSONValue) -> Void) {
        guard case .object(var members) = self, let place = members.firstIndex(where: { $0.name == list }),
            case .list(var elements) = members[place].value
        else { return }
        for index in elements.indices { change(&elements[index]) }
        members[place] = Member(name: list, value: .list(elements))
        self = .object(members)
    }

    mutating func add(_ name: String, _ value: JSONValue) {
        if case .object(let members) = self { self = .object(members + [Member(name: name, value: value)]) }
    }
}
