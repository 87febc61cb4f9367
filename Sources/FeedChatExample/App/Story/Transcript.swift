import Foundation

/// What the run prints: chapters, what happened, and whether each was as it should be.
@MainActor final class Transcript {
    private(set) var differences: [String] = []
    private(set) var verified = 0
    private var chapter = ""

    /// Begins a chapter.
    func begin(_ title: String) {
        chapter = title
        Self.say("\n\(title)")
    }

    /// Tells a part of a story, which has to end: after 60 seconds its task is cancelled, and the chapter is one that failed.
    func limit<Value: Sendable>(_ part: @escaping @MainActor () async throws -> Value) async throws -> Value {
        try await limited(to: .seconds(60), onLimit: { [self] in verify(false, "it ends within 60 seconds") }, part)
    }

    /// Says what happened.
    func note(_ text: String) {
        Self.say("    \(text)")
    }

    /// Says what must be so, and remembers when it is not.
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

    /// Says that two values must be the same.
    func verify<Value: Equatable>(_ value: Value, equals expected: Value, _ claim: String) {
        verify(value == expected, claim, found: "\(value) instead of \(expected)")
    }

    /// Shows a screen.
    func show(_ frame: String) {
        for line in frame.split(separator: "\n") { Self.say("      \(line)") }
    }

    /// Says how the run ended.
    ///
    /// - Returns: whether everything shown was as it should be.
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
