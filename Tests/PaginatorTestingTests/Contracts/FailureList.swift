import PaginatorCore
import PaginatorTesting
import Testing

/// The failures that a double or a contract reported.
final class FailureList: Sendable {
    private let messages = Guarded<[String]>([])

    var report: FailureReport {
        { [messages] message, _, _ in messages.withLock { $0.append(message) } }
    }

    var all: [String] { messages.withLock { $0 } }
}

/// Hands failures to Swift Testing.
let toTesting: FailureReport = { message, file, line in Issue.record("\(message) (\(file):\(line))") }
