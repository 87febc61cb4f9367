package import Foundation
import PaginatorCore

/// A process of the example, such as a client, which is told what to do line by line.
///
/// Waits for its answers end when the process does, or when the waiting task is cancelled. A process that is released
/// is killed.
package final class ClientProcess: Sendable {
    private let process: Guarded<Process>
    private let input: FileHandle
    private let answers: ProcessLines
    private let end: AsyncStream<Never>
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
        let (end, ended) = AsyncStream<Never>.makeStream()
        process.terminationHandler = { _ in ended.finish() }
        self.end = end
        // A process that died is an error of the next line that is said, not the end of this one.
        signal(SIGPIPE, SIG_IGN)
        try process.run()
        self.input = input.fileHandleForWriting
        identifier = process.processIdentifier
        self.process = Guarded(process)
        answers = ProcessLines(output.fileHandleForReading)
    }

    deinit {
        let isRunning = process.withLock { $0.isRunning }
        if isRunning { _ = Foundation.kill(identifier, SIGKILL) }
    }

    /// Says a line and waits for the answer.
    ///
    /// - Returns: the answer without its `ok`; `nil` when the process ended before it came.
    package func ask(_ line: String) async throws -> String? {
        try say(line)
        let answer = await answers.next()
        if answer == nil, Task.isCancelled { throw ClientProcessError.silent(line) }
        return answer.map { String($0.dropFirst(3)) }
    }

    /// Says a line and does not wait.
    package func say(_ line: String) throws {
        try input.write(contentsOf: Data((line + "\n").utf8))
    }

    /// The next answer; `nil` at the end of the process.
    package func nextLine() async throws -> String? {
        let line = await answers.next()
        if line == nil { try Task.checkCancellation() }
        return line
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

    /// Ends the process's input, as the end of whoever started it does.
    package func closeInput() throws { try input.close() }

    private func waitUntilEnd() async {
        for await _ in end {}
    }
}

package enum ClientProcessError: Error {
    case notReady
    /// There was no answer to this line when the waiting was given up.
    case silent(String)
}

/// What a process writes, line by line, read on a thread of its own: a thread of a pool that waits for a process is one
/// that does nothing else.
private struct ProcessLines: Sendable {
    private let lines: AsyncStream<String>

    init(_ handle: FileHandle) {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines
        Thread.detachNewThread {
            var rest = Data()
            while true {
                let data = handle.availableData
                guard !data.isEmpty else { break }
                rest.append(data)
                while let end = rest.firstIndex(of: 10) {
                    continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
            continuation.finish()
        }
    }

    /// The next line; `nil` at the end, or when the task is cancelled.
    func next() async -> String? {
        for await line in lines { return line }
        return nil
    }
}
