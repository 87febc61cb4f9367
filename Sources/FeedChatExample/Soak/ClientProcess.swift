package import Foundation
import PaginatorCore

/// A process of the example, such as a client, which is told what to do line by line.
package final class ClientProcess: Sendable {
    private let process: Guarded<Process>
    private let input: FileHandle
    private let lines: Guarded<LineReader>
    package let identifier: Int32

    /// Starts a client of the feed and waits until it is ready.
    ///
    /// - Parameters:
    ///   - executable: the example's binary.
    ///   - signIn: the user to sign in; `nil` for the one of the last run.
    package convenience init(
        _ executable: URL, url: URL, root: URL, signIn: String? = nil, isOffline: Bool = false
    ) async throws {
        var arguments = ["feed-client", "--url", url.absoluteString, "--root", root.path]
        if let signIn { arguments += ["--sign-in", signIn] }
        if isOffline { arguments.append("--offline") }
        try self.init(executable, arguments)
        guard try await nextLine() == "ok ready" else { throw ClientProcessError.notReady }
    }

    /// Starts a process, whose first line says that it is ready.
    ///
    /// - Parameter executable: the example's binary.
    package init(_ executable: URL, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        // A process that died is an error of the next line that is said, not the end of this one.
        signal(SIGPIPE, SIG_IGN)
        try process.run()
        self.input = input.fileHandleForWriting
        identifier = process.processIdentifier
        self.process = Guarded(process)
        lines = Guarded(LineReader(output.fileHandleForReading))
    }

    /// Says a line and waits for the answer.
    ///
    /// - Returns: the answer without its `ok`; `nil` when the process ended before it came.
    package func ask(_ line: String) async throws -> String? {
        try say(line)
        return try await nextLine().map { String($0.dropFirst(3)) }
    }

    /// Says a line and does not wait.
    package func say(_ line: String) throws {
        try input.write(contentsOf: Data((line + "\n").utf8))
    }

    /// The next answer; `nil` at the end of the process.
    package func nextLine() async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { [lines] in
                continuation.resume(with: Result { try lines.withLock { try $0.next() } })
            }
        }
    }

    /// Ends the process at once, as the system does: SIGKILL.
    package func kill() async {
        _ = Foundation.kill(identifier, SIGKILL)
        await waitUntilEnd()
    }

    /// Lets the process end by itself.
    package func quit() async throws {
        try say("quit")
        await waitUntilEnd()
    }

    private func waitUntilEnd() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [process] in
                process.withLock { $0 }.waitUntilExit()
                continuation.resume()
            }
        }
    }
}

package enum ClientProcessError: Error {
    case notReady
}

/// Cuts what a process writes into lines.
struct LineReader: Sendable {
    private let handle: FileHandle
    private var rest = Data()

    init(_ handle: FileHandle) {
        self.handle = handle
    }

    mutating func next() throws -> String? {
        while true {
            if let end = rest.firstIndex(of: 10) {
                let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                rest = Data(rest[rest.index(after: end)...])
                return line
            }
            let data = handle.availableData
            guard !data.isEmpty else { return nil }
            rest.append(data)
        }
    }
}
