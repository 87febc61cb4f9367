import Foundation

/// Public cache traces with known hit counts. They are no part of the package: rows that need them are skipped without.
enum Traces {
    struct Row {
        let trace: String
        let requests: Int
        let capacity: Int
        let lru: Int
        let fifo: Int
        let lifo: Int
        let optimum: Int
    }

    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["PAGINATOR_TRACES"] { return URL(fileURLWithPath: path) }
        return URL(fileURLWithPath: FileManager.default.currentDirectoryPath).appendingPathComponent("../shared/traces")
    }()

    static var arePresent: Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent("README.md").path)
    }

    static let absence = "the traces are not in \(folder.standardizedFileURL.path); set PAGINATOR_TRACES"

    /// The rows of the table in the folder's README.
    static func rows() throws -> [Row] {
        try String(contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8).split(separator: "\n")
            .compactMap { line in
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                let numbers = cells.dropFirst().compactMap { Int($0) }
                guard cells.count == 8, numbers.count == 7 else { return nil }
                return Row(
                    trace: cells[0], requests: numbers[0], capacity: numbers[2], lru: numbers[3], fifo: numbers[4],
                    lifo: numbers[5], optimum: numbers[6])
            }
    }

    /// The keys of a trace in order, numbered from 0 as they first appear.
    static func keys(of trace: String) throws -> [Int] {
        let output = try Command.run("/usr/bin/gzip", ["-dc", folder.appendingPathComponent("\(trace).txt.gz").path])
        var known: [String: Int] = [:]
        return output.split(separator: "\n").map { line in
            let word = String(line)
            if let number = known[word] { return number }
            known[word] = known.count
            return known.count - 1
        }
    }
}
