import Foundation

/// Runs programs of the system.
enum Command {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns what the program prints; what it says to the standard error goes there.
    ///
    /// - Parameters:
    ///   - path: the program, with its folder or as the shell finds it.
    ///   - arguments: its arguments.
    ///   - folder: where it runs; where this process does by default.
    ///   - variables: what is added to the environment.
    @discardableResult
    static func run(
        _ path: String, _ arguments: [String], in folder: URL? = nil, with variables: [String: String] = [:]
    ) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path.contains("/") ? path : "/usr/bin/env")
        process.arguments = path.contains("/") ? arguments : [path] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        if let folder { process.currentDirectoryURL = folder }
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(path) ended with status \(process.terminationStatus)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Runs this program again, for one thing that needs a process of its own; see ``Child``.
    static func runSelf(_ arguments: [String], with variables: [String: String] = [:]) throws -> String {
        guard let path = Bundle.main.executablePath else { throw Failure(description: "this program is not found") }
        return try run(path, ["--child"] + arguments, with: variables)
    }

    /// A path that `scripts/bench` set, when there is something.
    static func path(_ variable: String) -> String? {
        guard let path = ProcessInfo.processInfo.environment[variable],
            FileManager.default.fileExists(atPath: path)
        else { return nil }
        return path
    }
}
