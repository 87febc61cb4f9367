import Foundation

/// A program that serves on loopback: its first line is its port, and it ends with its input, so with the tests' process,
/// whatever becomes of that.
final class ServerProcess: Sendable {
    let port: Int
    private let input = Pipe()
    private let process = Process()

    init(_ executable: URL, _ arguments: [String], environment: [String: String] = [:]) throws {
        let output = Pipe()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else { throw NoPort() }
        self.port = port
    }

    deinit { try? input.fileHandleForWriting.close() }

    var url: String { "http://127.0.0.1:\(port)" }

    func write(line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

    private struct NoPort: Error {}
}
