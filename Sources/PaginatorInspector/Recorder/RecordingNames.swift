import PaginatorCore

/// The numbers of kinds, origins and causes in a recording, which begins with their names.
enum RecordingNames {
    private static let kindNumbers = numbers(of: PaginatorEvent.Kind.allCases)
    private static let causeNumbers = numbers(of: EvictionCause.allCases)

    static let kinds = PaginatorEvent.Kind.allCases.map(\.rawValue) + ["note"]
    static let origins = PageOrigin.allCases.map(\.rawValue)
    static let causes = EvictionCause.allCases.map(\.rawValue)

    static func number(of kind: PaginatorEvent.Kind) -> UInt8 { kindNumbers[kind] ?? 0 }

    /// From 1, because zero is none.
    static func number(of cause: EvictionCause) -> UInt8 { 1 + (causeNumbers[cause] ?? 0) }

    static func number(of origin: PageOrigin) -> UInt8 {
        switch origin {
        case .memory: 1
        case .store: 2
        case .source: 3
        }
    }

    /// The kind of notes; see ``PaginatorInspector/note(_:isFailure:)``.
    static let note = UInt8(clamping: PaginatorEvent.Kind.allCases.count)

    static func failure(_ message: String) -> String {
        JSONValue.members(["code": .text("failure"), "message": .text(message.shortened)]).string
    }

    /// Without the underlying error, whose text is the user's code.
    static func text(of error: PaginatorError) -> String {
        JSONValue.members(["code": .text(error.metricsLabel.shortened), "message": .text(error.message.shortened)])
            .string
    }

    private static func numbers<Name: Hashable>(of names: [Name]) -> [Name: UInt8] {
        Dictionary(uniqueKeysWithValues: zip(names, 0...))
    }
}
