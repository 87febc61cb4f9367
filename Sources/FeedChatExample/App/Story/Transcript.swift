import Foundation

/// What the run prints: chapters, what happened, and whether each was as it should be.
final class Transcript {
    private(set) var differences: [String] = []
    private(set) var verified = 0
    private var chapter = ""

    /// Begins a chapter.
    func begin(_ title: String) {
        chapter = title
        Self.say("\n\(title)")
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

    /// Prints one line at once, also into a pipe.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
