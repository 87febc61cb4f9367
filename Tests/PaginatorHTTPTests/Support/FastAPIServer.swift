import Foundation
import PaginatorCore

/// fastapi-pagination, served by uvicorn on loopback: a server that nobody here wrote.
final class FastAPIServer: Sendable {
    let rows: Int
    private let process: ServerProcess

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
        process = try ServerProcess(Self.script, ["serve"], environment: ["PAGINATOR_ROWS": "\(rows)"])
        self.rows = rows
    }

    var url: String { process.url }

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
