import Foundation
import PaginatorCore

/// fastapi-pagination, served by uvicorn on loopback: a server that nobody here wrote.
///
/// It ends when its standard input does: with the tests' process, whatever becomes of that.
final class FastAPIServer: Sendable {
    let url: String
    let rows: Int
    private let input: Pipe
    private let process: Process

    /// The server that all tests share.
    static let shared = Result { try FastAPIServer() }

    /// How many rows the tests walk: 5,000, or what `PAGINATOR_HTTP_ROWS` says, such as 100,000.
    static let rowCount = ProcessInfo.processInfo.environment["PAGINATOR_HTTP_ROWS"].flatMap { Int($0) } ?? 5_000

    private static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "scripts/fastapi-server")

    /// Whether the server can be had; says why not, once.
    static let isAvailable: Bool = {
        do {
            let (status, _) = try run(["prepare"]) { $0.waitUntilExit() }
            if status == 0 { return true }
            print("SKIPPED: fastapi-pagination cannot be installed (status \(status)); is PyPI reachable?")
        } catch {
            print("SKIPPED: scripts/fastapi-server cannot be started: \(error)")
        }
        return false
    }()

    init(rows: Int = FastAPIServer.rowCount) throws {
        let input = Pipe()
        let output = Pipe()
        let process = Process()
        process.executableURL = Self.script
        process.arguments = ["serve"]
        process.environment = ProcessInfo.processInfo.environment.merging(["PAGINATOR_ROWS": "\(rows)"]) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else { throw NoPort() }
        url = "http://127.0.0.1:\(port)"
        self.rows = rows
        self.input = input
        self.process = process
    }

    struct NoPort: Error {}

    private static func run(_ arguments: [String], _ wait: (Process) -> Void) throws -> (Int32, Process) {
        let process = Process()
        process.executableURL = script
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        wait(process)
        return (process.terminationStatus, process)
    }
}
