import Foundation

/// The value that a figure is to keep, above or below.
struct Goal {
    let relation: String
    let value: Double

    static func atMost(_ value: Double) -> Goal { Goal(relation: "<=", value: value) }
    static func atLeast(_ value: Double) -> Goal { Goal(relation: ">=", value: value) }
    static func exactly(_ value: Double) -> Goal { Goal(relation: "==", value: value) }
}

/// What the same figure is for something that does nothing but what cannot be left out.
struct Floor: Codable {
    let what: String
    let value: Double

    init(_ what: String, _ value: Double) {
        self.what = what
        self.value = value
    }

    init(_ what: String, of first: Measurement, to second: Measurement) {
        self.init(what, first.ratio(to: second))
    }
}

/// A figure that has a goal; whether it is met is the reader's to say.
struct GoalFigure: Codable {
    enum Kind: String, Codable { case ratio, count }

    let kind: Kind
    let name: String
    /// `nil` when the row was skipped.
    let value: Double?
    let relation: String
    let goal: Double
    let floor: Floor?

    var line: String { "\(kind.rawValue) \(name) \(valueText) \(relation) \(Self.text(goal))" }

    var valueText: String { value.map(Self.text) ?? "skipped" }

    static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(format: "%.3f", value)
    }
}
