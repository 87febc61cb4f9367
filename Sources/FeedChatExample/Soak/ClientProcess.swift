package import Foundation
import PaginatorCore

/// A process of the example, such as a client, which executes commands line by line.
///
/// Waiting for an answer ends when the process ends, or when the waiting task is cancelled. A process is killed when
/// this object is released.
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
    ///   - signIn: the user to sign in; `nil` for the user of the last run.
    package convenience init(
        _ executable: URL, url: URL, root: URL, signIn: String? = nil, isOffline: Bool = false
    ) async throws {
        var arguments = ["feed-client", "--url", url.absoluteString, "--root", root.path]
        if let signIn { arguments += ["--sign-in", signIn] }
        if isOffline { arguments.append("--offline") }
        try self.init(executable, arguments)
        guard try await nextLine() == "ok ready" else { throw ClientProcessError.notReady }
    }

    /// Starts a process whose first line reports that it is ready.
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
        // The end of the other process must be an error of the next write, and not the end of this process.
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

    /// Sends a line and waits for the answer.
    ///
    /// - Returns: the answer without its `ok`; `nil` if the process ended before it.
    package func ask(_ line: String) async throws -> String? {
        try say(line)
        let answer = await answers.next()
        if answer == nil, Task.isCancelled { throw ClientProcessError.silent(line) }
        return answer.map { String($0.dropFirst(3)) }
    }

    /// Sends a line and does not wait.
    package func say(_ line: String) throws {
        try input.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Returns the next answer; `nil` at the end of the process.
    package func nextLine() async throws -> String? {
        let line = await answers.next()
        if line == nil { try Task.checkCancellation() }
        return line
    }

    /// Kills the process, as the system does: SIGKILL.
    package func kill() async {
        _ = Foundation.kill(identifier, SIGKILL)
        await waitUntilEnd()
    }

    /// Asks the process to end.
    package func quit() async throws {
        try say("quit")
        await waitUntilEnd()
    }

    /// Closes the process's input, as the end of its parent does.
    package func closeInput() throws { try input.close() }

    private func waitUntilEnd() async {
        for await _ in end {}
    }
}

package enum ClientProcessError: Error {
    case notReady
    /// There was no answer to this line before the wait ended.
    case silent(String)
}

/// The output of a process, line by line, read on a separate thread, because waiting would block a thread of a pool.
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

    /// Returns the next line; `nil` at the end, or if the task is cancelled.
    func next() async -> String? {
        for await line in lines { return line }
        return nil
    }
}
