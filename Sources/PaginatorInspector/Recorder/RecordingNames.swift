import PaginatorCore

/// The numbers under which a recording has kinds, origins and causes; their names stand in its beginning.
enum RecordingNames {
    private static let kindNumbers = numbers(of: PaginatorEvent.Kind.allCases)
    private static let causeNumbers = numbers(of: EvictionCause.allCases)

    static let kinds = PaginatorEvent.Kind.allCases.map(\.rawValue) + ["note"]
    static let origins = PageOrigin.allCases.map(\.rawValue)
    static let causes = EvictionCause.allCases.map(\.rawValue)

    static func number(of kind: PaginatorEvent.Kind) -> UInt8 { kindNumbers[kind] ?? 0 }

    /// From 1, since zero stands for none.
    static func number(of cause: EvictionCause) -> UInt8 { 1 + (causeNumbers[cause] ?? 0) }

    static func number(of origin: PageOrigin) -> UInt8 {
        switch origin {
        case .memory: 1
        case .store: 2
        case .source: 3
        }
    }

    /// The kind of what ``PaginatorInspector/note(_:isFailure:)`` records.
    static let note = UInt8(clamping: PaginatorEvent.Kind.allCases.count)

    static func failure(_ message: String) -> String {
        JSONValue.members(["code": .text("failure"), "message": .text(message.shortened)]).string
    }

    /// Without the error behind it, whose text is the user's to make.
    static func text(of error: PaginatorError) -> String {
        JSONValue.members(["code": .text(error.metricsLabel.shortened), "message": .text(error.message.shortened)])
            .string
    }

    private static func numbers<Name: Hashable>(of names: [Name]) -> [Name: UInt8] {
        Dictionary(uniqueKeysWithValues: zip(names, 0...))
    }
}
