import Foundation
import PaginatorCore

/// A running `StoreTestChild`, whose output is read line by line.
final class ChildProcess: Sendable {
    private let process: Guarded<Process>
    private let output: FileHandle
    private let buffer = Guarded(Data())

    init(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        output = pipe.fileHandleForReading
        self.process = Guarded(process)
    }

    /// The program, which lies beside the tests' own.
    static var executable: URL {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        for base in [Bundle.main.bundleURL, folder, Bundle.main.bundleURL.deletingLastPathComponent()] {
            let url = base.appendingPathComponent("StoreTestChild")
            if FileManager.default.isExecutableFile(atPath: url.path) { return url }
        }
        return folder.appendingPathComponent("StoreTestChild")
    }

    /// Returns the next line; `nil` at the end.
    func nextLine() -> String? {
        while true {
            let line = buffer.withLock { data -> String? in
                guard let end = data.firstIndex(of: 10) else { return nil }
                let line = String(decoding: data[data.startIndex..<end], as: UTF8.self)
                data = Data(data[(end + 1)...])
                return line
            }
            if let line { return line }
            let more = output.availableData
            if more.isEmpty { return nil }
            buffer.withLock { $0.append(more) }
        }
    }

    func kill() {
        let id = process.withLock { $0.processIdentifier }
        Foundation.kill(id, SIGKILL)
        process.withLock { $0.waitUntilExit() }
    }

    /// Waits for the end, and returns how it ended; 0 is well.
    func wait() -> Int32 {
        process.withLock { process in
            process.waitUntilExit()
            return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        }
    }

    /// Writes over bytes of a file, in another process.
    static func flip(_ path: String, at offset: Int, to bytes: [UInt8]) throws {
        _ = try ChildProcess("flip", path, "\(offset)", bytes.map { "\($0)" }.joined(separator: ",")).wait()
    }

    /// Runs statements on a database, in another process.
    static func sql(_ path: String, _ sql: String) throws {
        _ = try ChildProcess("sql", path, sql).wait()
    }
}
