import Foundation

/// The output of a run: chapters, events, and the results of checks.
@MainActor final class Transcript {
    private(set) var differences: [String] = []
    private(set) var verified = 0
    private var chapter = ""

    /// Begins a chapter.
    func begin(_ title: String) {
        chapter = title
        Self.say("\n\(title)")
    }

    /// Runs a part of a story with a limit: after 60 seconds its task is cancelled, and the chapter has failed.
    func limit<Value: Sendable>(_ part: @escaping @MainActor () async throws -> Value) async throws -> Value {
        try await limited(to: .seconds(60), onLimit: { [self] in verify(false, "it ends within 60 seconds") }, part)
    }

    /// Prints a note.
    func note(_ text: String) {
        Self.say("    \(text)")
    }

    /// Checks a claim, and records a failure.
    func verify(_ isTrue: Bool, _ claim: String, found: @autoclosure () -> String = "") {
        if isTrue {
            verified += 1
            Self.say("  ✓ \(claim)")
        } else {
            let found = found()
            let difference = "\(claim)\(found.isEmpty ? "" : " — found: \(found)")"
            differences.append("\(chapter): \(difference)")
            Self.say("  ✗ \(difference)")
        }
    }

    /// Checks that two values are equal.
    func verify<Value: Equatable>(_ value: Value, equals expected: Value, _ claim: String) {
        verify(value == expected, claim, found: "\(value) instead of \(expected)")
    }

    /// Prints a screen.
    func show(_ frame: String) {
        for line in frame.split(separator: "\n") { Self.say("      \(line)") }
    }

    /// Prints the result of the run.
    ///
    /// - Returns: whether all checks passed.
    func conclude() -> Bool {
        Self.say("")
        guard differences.isEmpty else {
            for difference in differences { Self.say("differs: \(difference)") }
            Self.say("run: \(differences.count) of the things shown were not as they should be")
            return false
        }
        Self.say("\(verified) things shown were verified")
        Self.say("the same as an app in the browser: ./scripts/run open")
        Self.say("run: ok")
        return true
    }

    /// Prints one line at once, also into a pipe.
    nonisolated static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
