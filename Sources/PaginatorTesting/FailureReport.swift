/// Takes a failure of a double or of a contract, and hands it to the test library that is in use.
///
/// ```swift
/// let toTesting: FailureReport = { message, file, line in Issue.record("\(message) (\(file):\(line))") }
/// let toXCTest: FailureReport = { message, file, line in XCTFail(message, file: file, line: line) }
/// ```
///
/// - Parameters:
///   - message: what went wrong, as a sentence.
///   - file: the path of the file that made the double or checked the contract.
///   - line: the line there.
public typealias FailureReport = @Sendable (_ message: String, _ file: StaticString, _ line: UInt) -> Void

/// The error of a double that was called though nothing was scripted for the call.
struct UnexpectedCall: Error, Sendable, Hashable, CustomStringConvertible {
    let call: String

    var description: String { "\(call) was called, which the test did not expect." }
}
