import Dispatch
import PaginatorCore

/// Test cases that every implementation of a protocol must pass. Run them on your own with any test library.
///
/// ```swift
/// // Swift Testing: one test for each case.
/// @Test(arguments: Contract.store { MyStore() }.cases) func myStore(_ name: String) {
///     Contract.store { MyStore() }.check(name) { message, file, line in Issue.record("\(message) (\(file):\(line))") }
/// }
/// // XCTest: all cases in one test.
/// func testMyStore() {
///     Contract.store { MyStore() }.checkAll { XCTFail($0, file: $1, line: $2) }
/// }
/// ```
///
/// Each case creates a new object to test, blocks until it is done, and reports failures to a closure. On the main
/// thread, as in a method of XCTest, cases run on another thread and the main queue is served meanwhile, so the code
/// under test may answer there. Other tests on the main actor use the `async` forms.
public struct Contract: Sendable {
    /// The names of all cases.
    public let cases: [String]

    private let run:
        @Sendable (_ name: String, _ seed: UInt64, _ fail: @escaping @Sendable (String) -> Void) throws -> Void

    package init(
        cases: [String],
        run:
            @escaping @Sendable (
                _ name: String, _ seed: UInt64, _ fail: @escaping @Sendable (String) -> Void
            ) throws -> Void
    ) {
        self.cases = cases
        self.run = run
    }

    /// Runs one case, and blocks until it is done.
    ///
    /// - Parameters:
    ///   - name: one of ``cases``; any other name is a failure.
    ///   - seed: the seed of random choices; 1 by default.
    ///   - file: the file in which failures are reported; the caller's by default.
    ///   - line: the line of that file; the caller's by default.
    ///   - report: called with each failure, on any thread. Its message begins with the name of the case.
    public func check(
        _ name: String, seed: UInt64 = 1, file: StaticString = #filePath, line: UInt = #line,
        report: @escaping FailureReport
    ) {
        MainThread.serving { perform(name, seed: seed, file: file, line: line, report: report) }
    }

    /// Runs all cases one after the other, and blocks until they are done.
    ///
    /// - Parameters:
    ///   - seed: the seed of random choices; 1 by default.
    ///   - file: the file in which failures are reported; the caller's by default.
    ///   - line: the line of that file; the caller's by default.
    ///   - report: called with each failure, on any thread. Its message begins with the name of the case.
    public func checkAll(
        seed: UInt64 = 1, file: StaticString = #filePath, line: UInt = #line, report: @escaping FailureReport
    ) {
        MainThread.serving {
            for name in cases { perform(name, seed: seed, file: file, line: line, report: report) }
        }
    }

    /// Runs one case on its own thread, and suspends until it is done.
    ///
    /// A case blocks its thread. In an `async` test this form leaves the few threads of tasks free for `async` code
    /// under test.
    ///
    /// - Parameters:
    ///   - name: one of ``cases``; any other name is a failure.
    ///   - seed: the seed of random choices; 1 by default.
    ///   - file: the file in which failures are reported; the caller's by default.
    ///   - line: the line of that file; the caller's by default.
    ///   - report: called with each failure, on any thread. Its message begins with the name of the case.
    public func check(
        _ name: String, seed: UInt64 = 1, file: StaticString = #filePath, line: UInt = #line,
        report: @escaping FailureReport
    ) async {
        await onThreadOfItsOwn { perform(name, seed: seed, file: file, line: line, report: report) }
    }

    /// Runs all cases one after the other on their own thread, and suspends until they are done.
    ///
    /// - Parameters:
    ///   - seed: the seed of random choices; 1 by default.
    ///   - file: the file in which failures are reported; the caller's by default.
    ///   - line: the line of that file; the caller's by default.
    ///   - report: called with each failure, on any thread. Its message begins with the name of the case.
    public func checkAll(
        seed: UInt64 = 1, file: StaticString = #filePath, line: UInt = #line, report: @escaping FailureReport
    ) async {
        await onThreadOfItsOwn {
            for name in cases { perform(name, seed: seed, file: file, line: line, report: report) }
        }
    }

    private func perform(
        _ name: String, seed: UInt64, file: StaticString, line: UInt, report: @escaping FailureReport
    ) {
        guard cases.contains(name) else {
            report("There is no case called \(name).", file, line)
            return
        }
        do {
            try run(name, seed) { report("\(name): \($0)", file, line) }
        } catch {
            report("\(name): it failed with \(error)", file, line)
        }
    }

    private func onThreadOfItsOwn(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            // A serial queue of its own has a thread of its own while it works.
            DispatchQueue(label: "paginator.contract").async {
                body()
                continuation.resume()
            }
        }
    }
}
