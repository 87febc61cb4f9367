/// A closure that passes a failure of a double or a contract to the test library in use.
///
/// ```swift
/// let toTesting: FailureReport = { message, file, line in Issue.record("\(message) (\(file):\(line))") }
/// let toXCTest: FailureReport = { message, file, line in XCTFail(message, file: file, line: line) }
/// ```
///
/// - Parameters:
///   - message: what went wrong, as a sentence.
///   - file: the path of the file in which the double was made or the contract was checked.
///   - line: the line of that file.
public typealias FailureReport = @Sendable (_ message: String, _ file: StaticString, _ line: UInt) -> Void

/// The error of a call of a double that has no scripted step.
struct UnexpectedCall: Error, Sendable, Hashable, CustomStringConvertible {
    let call: String

    var description: String { "\(call) was called, which the test did not expect." }
}
