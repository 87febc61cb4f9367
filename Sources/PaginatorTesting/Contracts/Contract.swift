import Dispatch
import PaginatorCore

/// Cases that every implementation of a protocol must pass, to run on your own under any test library.
///
/// ```swift
/// // Swift Testing: one test for each case.
/// @Test(arguments: StoreContract.cases) func myStore(_ name: String) {
///     StoreContract { MyStore() }.check(name) { message, file, line in Issue.record("\(message) (\(file):\(line))") }
/// }
/// // XCTest: all cases in one test.
/// func testMyStore() {
///     StoreContract { MyStore() }.checkAll { XCTFail($0, file: $1, line: $2) }
/// }
/// ```
///
/// A case makes its own object, blocks until it is done, and hands each failure to a closure.
public protocol Contract: Sendable {
    /// The names of all cases.
    static var cases: [String] { get }

    /// Runs one case, and blocks until it is done. Call `check(_:seed:file:line:report:)` instead.
    ///
    /// - Parameters:
    ///   - name: one of ``cases``.
    ///   - seed: what random choices follow from.
    ///   - fail: takes what differed.
    /// - Throws: what the code under test threw.
    func run(_ name: String, seed: UInt64, fail: @escaping @Sendable (String) -> Void) throws
}

extension Contract {
    /// Runs one case, and blocks until it is done.
    ///
    /// - Parameters:
    ///   - name: one of ``cases``; any other name is a failure.
    ///   - seed: what random choices follow from, 1 by default.
    ///   - file: the file that failures are reported at; where this is called, by default.
    ///   - line: the line there.
    ///   - report: takes each failure, whose message begins with the name of the case; on any thread.
    public func check(
        _ name: String, seed: UInt64 = 1, file: StaticString = #filePath, line: UInt = #line,
        report: @escaping FailureReport
    ) {
        guard Self.cases.contains(name) else {
            report("There is no case called \(name).", file, line)
            return
        }
        do {
            try run(name, seed: seed) { report("\(name): \($0)", file, line) }
        } catch {
            report("\(name): it failed with \(error)", file, line)
        }
    }

    /// Runs every case, one after the other, and blocks until all are done.
    ///
    /// - Parameters:
    ///   - seed: what random choices follow from, 1 by default.
    ///   - file: the file that failures are reported at; where this is called, by default.
    ///   - line: the line there.
    ///   - report: takes each failure, whose message begins with the name of the case; on any thread.
    public func checkAll(
        seed: UInt64 = 1, file: StaticString = #filePath, line: UInt = #line, report: @escaping FailureReport
    ) {
        for name in Self.cases { check(name, seed: seed, file: file, line: line, report: report) }
    }

    /// Runs one case on a thread of its own, and suspends until it is done.
    ///
    /// A case blocks. What is under test may need the threads on which tasks run, as a source does that is made of
    /// `async` code, and those are few: from an `async` test, this form leaves them free.
    ///
    /// - Parameters:
    ///   - name: one of ``cases``; any other name is a failure.
    ///   - seed: what random choices follow from, 1 by default.
    ///   - file: the file that failures are reported at; where this is called, by default.
    ///   - line: the line there.
    ///   - report: takes each failure, whose message begins with the name of the case; on any thread.
    public func check(
        _ name: String, seed: UInt64 = 1, file: StaticString = #filePath, line: UInt = #line,
        report: @escaping FailureReport
    ) async {
        await onThreadOfItsOwn { check(name, seed: seed, file: file, line: line, report: report) }
    }

    /// Runs every case, one after the other, on a thread of its own, and suspends until all are done.
    ///
    /// - Parameters:
    ///   - seed: what random choices follow from, 1 by default.
    ///   - file: the file that failures are reported at; where this is called, by default.
    ///   - line: the line there.
    ///   - report: takes each failure, whose message begins with the name of the case; on any thread.
    public func checkAll(
        seed: UInt64 = 1, file: StaticString = #filePath, line: UInt = #line, report: @escaping FailureReport
    ) async {
        await onThreadOfItsOwn { checkAll(seed: seed, file: file, line: line, report: report) }
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
